import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, csvRows, MIXED_SETTINGS, mixedTable, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

it.each([
  ['trees', CATEGORY_TREE_SETTINGS, mixedTable(), 'employment'],
  ['counts', COUNT_SETTINGS, smallTable(), 'employment'],
])('a plan of %s has the candidates of each scenario', async (_, settings, table, name) => {
  const candidatesOf = async (...scenarios: object[]) => {
    const config = configSchema.parse({ ...settings, attributeRisk: { scenarios } });
    const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    const { candidates, secondsPer } = estimateRun(planned, 1);
    expect(secondsPer.combination).toBeGreaterThan(0);
    return candidates;
  };
  const one = { name: 'one', candidates: 'one-change' };
  const unknown = { name: 'lacks one', candidates: { unknown: [name] } };
  const [ofOne, ofUnknown] = [await candidatesOf(one), await candidatesOf(unknown)];
  expect(ofUnknown).toBeLessThan(ofOne);
  expect(await candidatesOf(one, unknown)).toBe(ofOne + ofUnknown);
  expect(await candidatesOf(unknown, one)).toBe(ofOne + ofUnknown);
});

it('a plan of continuous variables counts their masses and cells, and measures what a record takes', async () => {
  const estimateOf = async (settings: object) => {
    const config = configSchema.parse({ ...MIXED_SETTINGS, ...settings });
    return estimateRun(await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() }), 1);
  };
  const { age, income } = MIXED_SETTINGS.variables;
  const cells = (ofAge: number, ofIncome: number) => ({
    variables: { age: { ...age, cells: ofAge }, income: { ...income, cells: ofIncome } },
  });
  const [names, ...records] = csvRows(mixedTable());
  const others = (...of: string[]) => of.reduce((sum, name) => sum + new Set(records.map((row) => row[names!.indexOf(name)])).size - 1, 0);
  const few = await estimateOf(cells(20, 30));
  const many = await estimateOf(cells(25, 37));
  expect(many.candidates - few.candidates).toBe(80 * 12);
  // The record, the categories that it does not have, a mass and cells.
  expect(few.candidates).toBe(80 * (1 + others('region', 'education', 'employment') + 1 + 50));
  const { chains, draws, pairedChains, pairedDraws } = configSchema.parse(MIXED_SETTINGS).mcmc;
  expect(few.draws).toBeGreaterThanOrEqual(chains * draws + 2 * 2 * pairedChains * pairedDraws);
  expect(few.secondsPer.combination).toBeGreaterThan(0);
  expect(few.minutes * 60).toBeGreaterThan(80 * few.secondsPer.combination);
  const synthesizing = (...synthesized: string[]) => estimateOf({ ...cells(20, 30), synthesis: { datasets: 2, synthesized } });
  const partial = await synthesizing('employment', 'income');
  expect(partial.candidates).toBe(80 * (1 + others('employment') + 1 + 30));
  expect(partial.secondsPer.combination).toBeGreaterThan(0);
  const numbers = await synthesizing('income');
  expect(numbers.candidates).toBe(80 * (1 + 1 + 30));
  expect(numbers.secondsPer.combination).toBeGreaterThan(0);
});
