import { beforeAll, describe, expect, it } from 'vitest';
import { type CalibrationResult, calibrationStudy } from '../../../bench/calibration/calibration-study.ts';
import { householdTable } from '../../../examples/household-table.ts';
import { readTable } from '../../../shared/table/files/read-table.ts';

const RECORDS = 400;
const REPLICATES = 3;

/** Replicates of the study on small tables, with settings that take seconds. */
async function replicates(chains: 'own' | 'one'): Promise<CalibrationResult[]> {
  const results: CalibrationResult[] = [];
  for (let seed = 1; seed <= REPLICATES; seed++) {
    const { table } = await readTable(householdTable(seed, RECORDS), { missing: 'refuse' });
    const variables = table.columns.length;
    const codes = new Uint16Array(RECORDS * variables);
    const sizes = table.schema.variables.map((variable, k) => {
      const column = table.columns[k]!;
      if (variable.type !== 'categorical' || column.type !== 'categorical') throw new Error('categorical');
      for (let i = 0; i < RECORDS; i++) codes[i * variables + k] = column.codes[i]!;
      return variable.categories.length;
    });
    results.push(
      calibrationStudy({
        codes,
        sizes,
        seed,
        targets: RECORDS,
        model: { classes: 15, concentration: { shape: 0.25, rate: 0.25 } },
        datasets: 3,
        chains,
        base: { chains: 16, burnIn: 200, draws: 20, thin: 5 },
        paired: { chains: 6, burnIn: 0, draws: 40, thin: 3 },
        foreign: chains === 'one',
      }),
    );
  }
  return results;
}

const mean = (results: CalibrationResult[], formula: string, figure: 'achieved' | 'claimed' | 'slope') =>
  results.reduce((sum, result) => sum + result[formula]![figure], 0) / results.length;

describe.each(['own', 'one'] as const)('with datasets from %s chain(s), on small tables', (chains) => {
  let results: CalibrationResult[];

  beforeAll(async () => {
    results = await replicates(chains);
  }, 300_000);

  it.each(chains === 'one' ? ['augmented', 'foreign, chain by chain'] : ['augmented'])('%s achieves what it claims', (formula) => {
    const achieved = mean(results, formula, 'achieved');
    const claimed = mean(results, formula, 'claimed');
    // 1,200 targets give a standard error of about 0.015 nats; the bound is the product's own.
    expect(Math.abs(achieved - claimed)).toBeLessThan(0.07);
    expect(achieved).toBeGreaterThan(0);
    expect(mean(results, formula, 'slope')).toBeGreaterThan(0.6);
    expect(mean(results, formula, 'slope')).toBeLessThan(1.5);
  });

  it('publishing the parameters would tell more than the release, and no less than it is said to', () => {
    expect(mean(results, 'parameters', 'claimed')).toBeGreaterThan(mean(results, 'augmented', 'claimed'));
    expect(mean(results, 'parameters', 'achieved')).toBeGreaterThan(mean(results, 'augmented', 'achieved'));
  });
});
