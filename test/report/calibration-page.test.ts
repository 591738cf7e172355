import { describe, expect, it } from 'vitest';
import type { StoredCalibration } from '../../shared/contracts/results/calibration.ts';
import { claimedAchievedChart, reliabilityPlot } from '../../shared/report/charts/calibration-charts.ts';
import { renderCalibration } from '../../shared/report/render-calibration.ts';
import { renderReport } from '../../shared/report/render-report.ts';
import { storedCalibration as found } from './calibration-fixture.ts';
import { reportInput } from './fixture.ts';
import { wordsOf } from './words-of.ts';

describe('the page of a calibration', () => {
  it('says the verdict with its figures, and how many truths it rests on', async () => {
    const words = wordsOf(await renderCalibration(found()));
    expect(words).toContain('The estimate underclaims.');
    expect(words).toContain('0.371 ± 0.018');
    expect(words).toContain('1.110 ± 0.030 1 = calibrated');
    expect(words).toContain('3,000 truths among 41 candidates each');
    expect(words).toContain('Nothing of a calibration is a release');
    expect(words).not.toContain('Slope applied');
  });

  it('shows groups by claim, the riskiest and unique records, and says which are too small', async () => {
    const words = wordsOf(await renderCalibration(found()));
    expect(words).toContain('tenth 1, least claimed 300 0.1000 ± 0.0040');
    expect(words).toContain('tenth 10, most claimed 300 1.0000 ± 0.0040 0.833 ± 0.018');
    expect(words).toContain('riskiest 5 % 150 1.2000 ± 0.0040 1.000 ± 0.018');
    expect(words).toContain('60.0 ± 1.0 % 50.0 ± 2.0 %');
    expect(words).toContain('unique records 600');
    expect(words).toContain('other records 2,400');
    const few = await renderCalibration(
      found({
        byClaim: found().byClaim.slice(0, 1),
        riskiest: null,
        uniqueRecords: null,
        otherRecords: null,
        groupsReason: 'a group is too small',
      }),
    );
    expect(wordsOf(few)).toContain('Of the last three groups some are left out: a group is too small.');
    expect(wordsOf(few)).not.toContain('tenth 1');
    expect([...few.matchAll(/<svg role="img"/g)]).toHaveLength(2);
  });

  it('asks nothing of a network, and has the same bytes for the same input', async () => {
    const page = await renderCalibration(found());
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|NaN|Infinity|\[object/);
    expect(page).toContain(`default-src 'none'`);
    expect([...page.matchAll(/<svg role="img" aria-label="[^"]{40,}"/g)]).toHaveLength(3);
    expect(await renderCalibration(found())).toBe(page);
  });

  it('says that a slope was applied, why one is undefined, and what to beware of', async () => {
    const undefinedSlope = { slope: null, slopeSe: null, slopeReason: 'every posterior is uniform' };
    const page = await renderCalibration(found({ ...undefinedSlope, slopeApplied: 0.8, warnings: [{ code: 'beware', message: '<b>' }] }));
    expect(wordsOf(page)).toContain('undefined every posterior is uniform');
    expect(wordsOf(page)).toContain('raised to the power 0.8');
    expect(page).toContain('<p>&lt;b&gt;</p>');
  });
});

describe('the report of a run', () => {
  it('has a section on the calibration when one is included', async () => {
    const page = await renderReport({ ...reportInput(), calibration: found() });
    expect(page).toContain('<a href="#calibration">Calibration: is what is claimed achieved?</a>');
    expect(wordsOf(page)).toContain('The estimate underclaims.');
    expect(await renderReport(reportInput())).not.toContain('#calibration');
  });
});

describe('the charts of a calibration', () => {
  it('draw a bin without a truth as an interval alone, within the axes', () => {
    const { spec, label } = reliabilityPlot(found());
    const { layer } = spec as unknown as { layer: { data: { values: Record<string, number>[] } }[] };
    const [diagonal, intervals, points] = layer.map(({ data }) => data.values);
    expect(intervals).toHaveLength(3);
    expect(points).toHaveLength(2);
    for (const { low } of intervals!) expect(low).toBeGreaterThanOrEqual(diagonal![0]!.at!);
    expect(label).toContain('Claimed 0.00200, found 0;');
  });

  it('show each replicate beside all, unless there is one, or too many', () => {
    const names = (of: StoredCalibration) => {
      const { data } = claimedAchievedChart(of).spec as unknown as { data: { values: { name: string }[] } };
      return [...new Set(data.values.map(({ name }) => name))];
    };
    expect(names(found())).toEqual(['All', 'Replicate 1', 'Replicate 2', 'Replicate 3']);
    const one = found();
    expect(names(found({ replicates: 1, byReplicate: one.byReplicate.slice(0, 1) }))).toEqual(['Replicate 1']);
    const many = Array.from({ length: 20 }, (_, r) => ({ ...one.byReplicate[0]!, replicate: r + 1 }));
    expect(names(found({ replicates: 20, byReplicate: many }))).toEqual(['All']);
    expect(claimedAchievedChart(found()).height).toBeGreaterThan(claimedAchievedChart(found({ replicates: 1 })).height!);
  });
});
