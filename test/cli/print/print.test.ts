import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printCalibration } from '../../../cli/print/print-calibration.ts';
import { printIdentification } from '../../../cli/print/print-identification.ts';
import { printRun } from '../../../cli/print/print-summary.ts';
import type { AppliedIdentificationRisk } from '../../../shared/contracts/results/identification.ts';
import type { Summary } from '../../../shared/contracts/results/summary.ts';
import { storedCalibration } from '../../report/calibration-fixture.ts';
import { reportInput } from '../../report/fixture.ts';

let printed = '';

beforeEach(() => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The fixture of the reports as a run that has finished. */
function finished(change: Partial<Summary> = {}): Parameters<typeof printRun>[0] {
  const summary = { ...reportInput().summary, ...change };
  const seconds = { plan: 1, fit: 1, synthesize: 1, augment: 1, assess: 1, aggregate: 1, report: 1, total: 7 };
  const state = { purpose: 'evaluate', status: 'finished', seconds, peakMemoryMiB: 200.4 };
  return { directory: 'run', summary, state } as unknown as Parameters<typeof printRun>[0];
}

describe('printRun()', () => {
  it('gives a person as many digits as errors support, and what a keyboard has', () => {
    expect(printRun(finished(), { details: true })).toBe(4);
    expect(printed).toContain('1,194 records, 8 variables, 400 combinations');
    expect(printed).toMatch(/truth ranked first +123 records, 10\.3 ± 0\.4 % \(guessing: 3\.8 %\)/);
    expect(printed).toMatch(/probability of truth +mean 0\.\d{5} ± 0\.00030, largest 0\.\d{3} /);
    expect(printed).toMatch(/guessed correctly +76\.2 ± 0\.5 % of values, 75\.1 % without the release/);
    expect(printed).toMatch(/information gained +0\.351 ± 0\.041 bits a record \(claimed: 0\.364; difference 0\.012 ± 0\.041\)/);
    expect(printed).toContain("Change in the intruder's probabilities (uniform prior over one-change guesses)");
    expect(printed).toMatch(/change, bits +mean \d\.\d{4} ± 0\.0080 bits, largest \d\.\d\d bits/);
    expect(printed).toMatch(/reproducibility +0\.983 /);
    expect(printed).toContain('truthRankedFirstShare <= 0.05: NOT MET (0.0731)');
    expect(printed).not.toMatch(/[\u00a0\u2212]/);
    const digits = printed.match(/\d*\.\d+/g)!.map((number) => number.replace(/^0?\.0*/, ''));
    expect(digits.filter((number) => number.length > 5)).toEqual([]);
  });

  it('prints at most 25 lines: the answer, its figures, warnings and files', () => {
    const warning = (code: string) => ({ code, message: 'More of it. And more.' });
    const warnings = [...['slope-applied', 'heavy-tails', 'chains-differ', 'new'].map(warning), warning('copies-unexplained')];
    const acceptance = Array.from({ length: 9 }, (_, i) => ({ rule: `rule ${i}`, scenario: null, value: 1, met: false }));
    printRun(finished({ warnings, acceptance }), {});
    const lines = printed.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(25);
    // Copies that nothing explains leave no figure to be quoted.
    expect(lines[0]).toMatch(/^Verdict: 9 of 9 acceptance rules are not met\. No figure of attribute risk can be relied upon\. /);
    expect(printed).toContain('  and 7 other rules\n');
    expect(printed).toMatch(/^ {2}Values guessed correctly +76\.2 ± 0\.5 % {3}75\.1 % without the release; /m);
    expect(lines.filter((line) => line.startsWith('Warning')).map((line) => line.split(/[()]/)[1])).toEqual([
      ...['copies-unexplained', 'heavy-tails', 'chains-differ'],
    ]);
    expect(printed).toContain('  and 2 other warnings\n');
    expect(printed).not.toMatch(/[\u00a0\u2212]/);
    expect(lines.at(-1)).toContain('--details');
  });

  it('says with every warning what to do, once, and how a run without rules is judged by those to start from', () => {
    const twice = ['s1', 's2'].map((name) => ({ code: 'heavy-tails', message: `Scenario "${name}": More.` }));
    printRun(finished({ warnings: twice, acceptance: [] }), {});
    expect(printed.match(/^Warning .*$/gm)).toEqual([
      'Warning (heavy-tails): Some errors may be larger than stated. Quote no row marked heavy_tail, or add chains (--reproducibility).',
    ]);
    expect(printed).toContain('\nTo judge it by starter rules: synthrisk reassess run --accept-starter\n');
    expect(printed.trimEnd().split('\n').length).toBeLessThanOrEqual(25);
    printed = '';
    printRun(finished({ acceptance: [], model: { ...reportInput().summary.model, chains: 0 } }), {});
    expect(printed).toContain('starter rules: the same command with --accept-starter and another --out\n');
    printed = '';
    printRun(finished(), {});
    expect(printed).not.toContain('starter rules');
  });

  it('leaves programs all digits', () => {
    printRun(finished(), { json: true });
    expect(JSON.parse(printed).attributeRisk).toEqual(reportInput().summary.attributeRisk);
  });
});

describe('printIdentification()', () => {
  const figures = (factor: number) => ({
    expectedMatchRisk: 45.12345 * factor,
    trueMatchRate: 0.0123456 * factor,
    falseMatchRate: factor > 1 ? null : 0.84321,
    uniqueMatches: 460,
  });
  const risk: AppliedIdentificationRisk = {
    ...{ scenario: 'known: SEX', known: ['SEX'], synthesized: ['INCOME'], applies: true, records: 5571 },
    ...{ shape: 'box', radii: {}, recordRisks: [] },
    datasets: [figures(1), figures(1.1)],
    mean: figures(1),
    standardDeviation: { ...figures(1), expectedMatchRisk: 3.741, falseMatchRate: null, uniqueMatches: 0 },
    minimum: figures(1),
    maximum: figures(1),
  };

  it('rounds means to their standard deviations, and other figures to three digits', () => {
    const copies = {
      ...{ released: 0, rows: 0, uniques: 0, uniquesExpected: null, uniquesExpectedSe: null },
      ...{ occurrences: 0, occurrencesExpected: null, occurrencesExpectedSe: null },
      ...{ identicalDatasets: 0, datasets: [] },
    };
    const beside = { copies, sampleUniques: 0, acceptance: [] };
    printIdentification([{ summary: risk, byData: false }], beside, {});
    const row = (name: string) =>
      printed
        .match(new RegExp(`^${name} .*$`, 'm'))![0]
        .split(/ {2,}/)
        .slice(1);
    expect(row('1')).toEqual(['45.1', '0.0123', '0.843', '460']);
    expect(row('2')).toEqual(['49.6', '0.0136', '-', '460']);
    expect(row('mean')).toEqual(['45.1', '0.012', '0.843', '460']);
    expect(row('sd')).toEqual(['3.7', '0.012', '-', '0']);
    expect(row('least')).toEqual(['45.1', '0.0123', '0.843', '460']);
  });
});

describe('printCalibration()', () => {
  const lines = (changes: Parameters<typeof storedCalibration>[0] = {}) => {
    printed = '';
    const { directory, state } = finished();
    printCalibration({ directory, state }, storedCalibration(changes), { details: true });
    return printed.replace(/[\u00a0]/g, ' ').split('\n');
  };

  it('lists groups of targets in columns, with their first guesses', () => {
    const all = lines();
    const from = all.findIndex((line) => line.startsWith('By what is claimed'));
    const table = all.slice(from + 1, from + 15);
    expect(table[0]).toMatch(/claimed +achieved +less achieved +first guess +is right$/);
    expect(table[1]).toMatch(/^ {2}tenth 1, least claimed +0\.1000 ± 0\.0040 +0\.083 ± 0\.018 /);
    expect(table[10]).toMatch(/^ {2}tenth 10, most claimed +1\.0000 ± 0\.0040 .* 50\.0 ± 1\.0 % +41\.7 ± 2\.0 %$/);
    expect(table.slice(11).map((line) => line.trim().split('  ')[0])).toEqual(['riskiest 5 %', 'unique records', 'other records']);
    expect(new Set(table.map((line) => line.length)).size).toBe(1);
  });

  it('says why groups are left out, and names a tenth a tenth only if there are ten', () => {
    const { byClaim } = storedCalibration();
    const none = { riskiest: null, uniqueRecords: null, otherRecords: null, groupsReason: 'too few' };
    expect(lines({ ...none, byClaim: byClaim.slice(0, 1) })).toContain('  (too few)');
    const few = lines({ ...none, byClaim: byClaim.slice(0, 3) });
    expect(few.some((line) => line.startsWith('  of 3 groups, number 3, most claimed'))).toBe(true);
  });
});
