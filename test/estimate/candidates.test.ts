import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, mixedTable, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

it.each([
  ['trees', CATEGORY_TREE_SETTINGS, mixedTable(), 'employment'],
  ['counts', COUNT_SETTINGS, smallTable(), 'employment'],
])('a plan of %s has the candidates of each scenario', async (_, settings, table, name) => {
  const candidatesOf = async (...scenarios: object[]) => {
    const config = configSchema.parse({ ...settings, attributeRisk: { scenarios } });
    const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    return estimateRun(planned, 1, 0.001).candidates;
  };
  const one = { name: 'one', candidates: 'one-change' };
  const unknown = { name: 'lacks one', candidates: { unknown: [name] } };
  const [ofOne, ofUnknown] = [await candidatesOf(one), await candidatesOf(unknown)];
  expect(ofUnknown).toBeLessThan(ofOne);
  expect(await candidatesOf(one, unknown)).toBe(ofOne + ofUnknown);
  expect(await candidatesOf(unknown, one)).toBe(ofOne + ofUnknown);
});
