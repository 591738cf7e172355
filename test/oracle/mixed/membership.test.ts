import { describe, expect, it } from 'vitest';
import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { FORGETFUL_CHAINS } from '../exact-run.ts';
import { furthest, logPredictive, type MixedRecord, rowsOf, runMixed } from './exact-mixed-run.ts';

/** Five records with a mass, so few that every allocation of them, of one person more and of a dataset can be summed over. */
const complete: readonly MixedRecord[] = [
  ['a', 0, 10.5],
  ['a', 90, 20.1],
  ['b', 120, 38.2],
  ['c', 310, 41.4],
  ['b', 0, 12.7],
];
const incomplete: readonly MixedRecord[] = [...complete.slice(0, 3), [null, 310, 41.4], ['b', null, 12.7]];
const people: readonly MixedRecord[] = [
  ['a', 80, 19.3],
  ['c', 0, 44],
  ['b', 190, 24.5],
  ['b', 120, 38.2],
];

/** log2 of how much more probable each dataset is with the last of the rows in the table than without, added up. */
function bitsOf(records: readonly MixedRecord[], datasets: readonly MixedRows[], classes: 1 | 2 = 2): number {
  const rows = rowsOf(records);
  const alone = logPredictive(rows, null, classes);
  return datasets.reduce((sum, dataset) => sum + (logPredictive(rows, dataset, classes) - alone) / Math.LN2, 0);
}

describe('membership under the model mixed, against sums over every allocation with the person and without', () => {
  it.each([
    { name: 'one dataset', records: complete, others: people, synthesis: { datasets: 1 } },
    { name: 'two datasets, in batches of one record', records: complete, others: people, synthesis: { datasets: 2 }, batchSize: 1 },
    {
      name: 'values missing',
      records: incomplete,
      others: [...people, ['a', null, 20], [null, 0, 30]] as readonly MixedRecord[],
      synthesis: { datasets: 1, missing: 'impute' },
    },
  ])('is exact for records and for the people of a control: $name', async ({ name: _, records, others, ...run }) => {
    const found = await runMixed(records, { mcmc: FORGETFUL_CHAINS, control: others, ...run });
    const { datasets, summary } = found;
    const rows = await found.tableOf('attribute-risk');
    const exactOf = (released: typeof datasets) => records.map((own, i) => bitsOf([...records.toSpliced(i, 1), own], released));
    const members = exactOf(datasets);
    expect(rows).toHaveLength(records.length);
    expect(furthest(rows, 'membership_bits', members)).toBeLessThan(4);
    expect(Math.max(...rows.map((row) => Number(row.membership_bits_se)))).toBeLessThan(0.1);
    // What the table alone would say is another answer, and so is another person.
    expect(furthest(rows, 'membership_bits', exactOf([]))).toBeGreaterThan(5);
    expect(furthest(rows, 'membership_bits', members.toReversed())).toBeGreaterThan(5);
    for (const row of rows) {
      const ratio = 2 ** Number(row.membership_bits);
      expect(Number(row.membership_probability)).toBeCloseTo(ratio / (1 + ratio), 10);
    }
    const control = await found.tableOf('control-membership');
    const exact = others.map((own) => bitsOf([...records, own], datasets));
    expect(control.map(({ row }) => Number(row))).toEqual(others.map((_, i) => i + 1));
    expect(furthest(control, 'membership_bits', exact)).toBeLessThan(4);
    expect(furthest(control, 'membership_bits', exact.toReversed())).toBeGreaterThan(5);
    expect(Math.max(...control.map((row) => Number(row.membership_bits_se)))).toBeLessThan(0.2);
    const { membership } = summary.attributeRisk[0]!;
    expect(membership).toMatchObject({ others: 'control', othersCount: others.length });
    const mean = exact.reduce((sum, bits) => sum + 2 ** bits, 0) / others.length;
    expect(Math.abs(membership!.meanRatioOthers - mean)).toBeLessThan(4 * membership!.meanRatioOthersSimulationSe!);
    const found1 = members.flatMap((own) => exact.map((other) => Number(own > other) + Number(own === other) / 2));
    const auc = found1.reduce((sum, share) => sum + share, 0) / found1.length;
    expect(Math.abs(membership!.auc - auc)).toBeLessThan(4 * membership!.aucSimulationSe! + 1e-9);
  });

  it('is exact with one class, in closed form, and simulated others have the mean that follows', async () => {
    const mcmc = { chains: 4, burnIn: 5, draws: 20, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1, reproducibility: 'off' };
    const run = { classes: 1 as const, mcmc, synthesis: { datasets: 1 } };
    const found = await runMixed(complete, { ...run, control: people });
    const rows = await found.tableOf('attribute-risk');
    for (const [i, own] of complete.entries()) {
      expect(Number(rows[i]!.membership_bits)).toBeCloseTo(bitsOf([...complete.toSpliced(i, 1), own], found.datasets, 1), 8);
    }
    const control = await found.tableOf('control-membership');
    for (const [i, own] of people.entries()) {
      expect(Number(control[i]!.membership_bits)).toBeCloseTo(bitsOf([...complete, own], found.datasets, 1), 8);
    }
    // By f(y | D) the mean of f(y | D, Z) / f(y | D) is 1.
    const { membership } = (await runMixed(complete, run)).summary.attributeRisk[0]!;
    expect(membership).toMatchObject({ others: 'simulated', othersCount: 1000 });
    expect(Math.abs(membership!.meanRatioOthers - 1)).toBeLessThan(4 * membership!.meanRatioOthersSimulationSe!);
    expect(membership!.meanRatioOthersSimulationSe).toBeLessThan(0.05);
  });

  it('is exact for datasets made elsewhere, of as many rows as the table, of fewer and of more', async () => {
    const altered = complete.map(([level, income, hours]): MixedRecord => [level, income === 0 ? 5 : income! - 3, hours! + 1]);
    const elsewhere = [altered, altered.slice(1, 3), [...altered, ['c', 222, 44], ['a', 0, 9.1]] as readonly MixedRecord[]];
    const found = await runMixed(complete, { mcmc: FORGETFUL_CHAINS, control: people, elsewhere });
    const rows = await found.tableOf('attribute-risk');
    const exact = complete.map((own, i) => bitsOf([...complete.toSpliced(i, 1), own], found.datasets));
    expect(furthest(rows, 'membership_bits', exact)).toBeLessThan(4);
    const control = await found.tableOf('control-membership');
    expect(
      furthest(
        control,
        'membership_bits',
        people.map((own) => bitsOf([...complete, own], found.datasets)),
      ),
    ).toBeLessThan(4);
  });
});
