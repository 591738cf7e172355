import { describe, expect, it } from 'vitest';
import type { BoundsRow, FoundBounds } from '../../../shared/contracts/results/bounds.ts';
import { boundsBars, boundsHistogramChart } from '../../../shared/report/charts/bounds-histogram.ts';
import { boundsSection } from '../../../shared/report/sections/bounds-section.ts';
import { boundedMeasure } from '../../../shared/risk/bounds/bound-disclosure.ts';
import { wordsOf } from '../words-of.ts';

const release = { mean: 60, smallest: 55, largest: 66 };

describe('boundsBars()', () => {
  it('loses no resample and keeps bars of both bounds on one grid', () => {
    const minimum = Array.from({ length: 30 }, (_, s) => 10 + (s % 7));
    const maximum = Array.from({ length: 30 }, (_, s) => 200 + 3 * (s % 11));
    const bars = boundsBars({ title: 'Records', minimum, maximum, release });
    for (const [bound, values] of Object.entries({ minimum, maximum })) {
      const ofBound = bars.filter((bar) => bar.bound === bound);
      expect(ofBound.reduce((sum, { resamples }) => sum + resamples, 0)).toBe(30);
      for (const { from, to, resamples } of ofBound) {
        expect(values.filter((value) => value >= from && value < to)).toHaveLength(resamples);
        expect(Number.isInteger(from + 0.5) && Number.isInteger(to - from)).toBe(true);
      }
    }
  });

  it('gives each whole number a bar of its own while they are few', () => {
    const bars = boundsBars({ title: '', minimum: [3, 3, 4], maximum: [5], release: null });
    expect(bars.map(({ from, to, resamples }) => [from, to, resamples])).toEqual([
      [2.5, 3.5, 2],
      [3.5, 4.5, 1],
      [4.5, 5.5, 1],
    ]);
  });

  it('draws values that are all equal, and those that do not exist', () => {
    const [bar, ...others] = boundsBars({ title: '', minimum: [0.25, 0.25], maximum: [], release: null });
    expect(others).toEqual([]);
    expect(bar).toEqual({ bound: 'minimum', from: -0.25, to: 0.75, resamples: 2 });
    expect(boundsBars({ title: '', minimum: [], maximum: [], release: null })).toEqual([]);
  });

  it('counts the largest value of the grid', () => {
    const bars = boundsBars({ title: '', minimum: [0.1, 0.2], maximum: [0.7], release: null });
    expect(bars.reduce((sum, { resamples }) => sum + resamples, 0)).toBe(3);
  });
});

describe('boundsHistogramChart()', () => {
  it('says in words what the marks show', () => {
    const { label } = boundsHistogramChart({ title: 'Records', minimum: [1, 4], maximum: [90], release });
    expect(label).toBe('Records. Minimum: from 1 to 4. Maximum: from 90 to 90. The release: mean 60, from 55 to 66.');
  });
});

describe('boundsSection()', () => {
  const disclosures = { minimum: [4, 6, 5], maximum: [40, 44, 45] };
  const risks = { minimum: [1, 2, 1.5], maximum: [9, 8, 10] };
  const rows = (['minimum', 'maximum'] as const).flatMap((bound) =>
    disclosures[bound].map(
      (count, index): BoundsRow => ({
        bound,
        resample: index + 1,
        scenario: 'AGE',
        exact_disclosures: count,
        expected_match_risk: risks[bound][index]!,
        true_match_rate: 0,
        false_match_rate: null,
        unique_matches: 0,
      }),
    ),
  );
  const found = (datasets: number): FoundBounds => {
    const given = (values: number[]) => (datasets === 0 ? null : values.slice(0, datasets));
    const none = [null, null, null];
    return {
      version: '1.0.0',
      runId: '0123456789abcdef',
      seed: 1,
      table: { records: 100, variables: 3 },
      synthesized: ['COUNTY <b>'],
      kept: ['AGE', 'SEX'],
      patterns: { count: 12, bands: 10, banded: ['AGE'], loneRecords: 3, loneRecordShare: 0.03 },
      resamples: 3,
      datasets,
      attributeDisclosures: { radii: {}, all: boundedMeasure(disclosures.minimum, disclosures.maximum, given([24, 25])), byVariable: [] },
      identificationRisk: [
        {
          scenario: 'AGE',
          known: ['AGE'],
          synthesized: ['COUNTY <b>'],
          radii: {},
          shape: 'box',
          expectedMatchRisk: boundedMeasure(risks.minimum, risks.maximum, given([5, 6])),
          trueMatchRate: boundedMeasure([0, 0, 0], [0, 0, 0], given([0, 0])),
          falseMatchRate: boundedMeasure(none, [1, null, 1], datasets === 0 ? null : [null, null].slice(0, datasets)),
          uniqueMatches: boundedMeasure([0, 0, 0], [0, 0, 0], given([0, 0])),
        },
      ],
      warnings: [],
    };
  };

  it('shows both bounds, and the release where there is one', async () => {
    const section = await boundsSection(found(2), rows);
    const { markup } = section.body;
    const said = wordsOf(section.answer!.markup);
    expect(markup.match(/<figure>/g)).toHaveLength(2);
    expect(said).toContain('5 records (5.0 %) when drawn blindly');
    expect(said).toContain('43 records (43.0 %) when drawn perfectly');
    expect(said).toContain('These 2 datasets disclose on average 24.5 records (24.5 %), 51.3 % of the way');
    expect(markup).toContain('Share of the range');
    expect(wordsOf(markup)).toContain('AGE in 10 bands of about equal numbers of records');
    expect(markup).toContain('undefined');
  });

  it('shows the bounds alone without a release', async () => {
    const section = await boundsSection(found(0), rows);
    const { markup } = section.body;
    expect(markup).not.toContain('release: mean');
    expect(markup).not.toContain('Share of the range');
    expect(wordsOf(section.answer!.markup)).toContain('when drawn perfectly.');
  });

  it('lets no name of a variable become markup', async () => {
    const { markup } = (await boundsSection(found(1), rows)).body;
    expect(markup).not.toContain('<b>');
    expect(markup).toContain('COUNTY &lt;b&gt;');
  });

  it('gives equal bytes for equal input', async () => {
    const [first, second] = [await boundsSection(found(2), rows), await boundsSection(found(2), rows)];
    expect(second.body.markup).toBe(first.body.markup);
  });
});
