import { expect, it } from 'vitest';
import { decodeCheckedNpy } from '../../shared/arrays/checked-npy.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { measuredWork } from '../../shared/estimate/measured-work.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { MIXED_SETTINGS, mixedTable, runFigures } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

const SCENARIOS = [
  { name: 'one', candidates: 'one-change' },
  { name: 'a share', candidates: 'one-change', knows: { share: 0.5 } },
];

it.each([
  ['of all continuous variables', {}, 2 * (64 + 65), 0],
  [
    'of the one that is synthesized, not of those that are kept',
    { synthesis: { datasets: 2, synthesized: ['income', 'employment'] } },
    2 * 65,
    2,
  ],
  ['of none where categories alone are synthesized', { synthesis: { datasets: 2, synthesized: ['employment'] } }, 0, 4],
  [
    'of each intruder, with the cells that are declared',
    {
      variables: { ...MIXED_SETTINGS.variables, age: { ...MIXED_SETTINGS.variables.age, cells: 10 } },
      attributeRisk: { scenarios: SCENARIOS },
    },
    2 * (10 + 65),
    1,
  ],
])('the cloud stores the distributions %s, as many bytes as a run does', async (_, settings, numbers, absent) => {
  const config = configSchema.parse({ ...MIXED_SETTINGS, ...settings });
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config, table: mixedTable(), batchSize: 30 };
  const estimate = estimateRun(await planRun(request), 1);
  expect(estimate.densityBytes).toBe(4 * numbers);
  const { store, plan } = await runFigures(request);
  const { part, valueBytes } = measuredWork(plan, estimate);
  const without = measuredWork(plan, { ...estimate, densityBytes: 0 });
  expect(without.batches).toEqual(plan.batches.map(({ from, to }) => to - from));
  // Artifacts of a batch: some are counted that this run does not need.
  const heads = await Promise.all(Object.values(runKeys(plan.runId).part(1, 1)).map((key) => store.head(key)));
  expect(part.objects - heads.filter((head) => head !== null).length).toBe(absent);
  const storedBytes = async (name: 'densities' | 'values') => {
    let bytes = 0;
    for (const { batch } of plan.batches) {
      const key = runKeys(plan.runId).part(1, batch)[name];
      if (await store.head(key)) bytes += decodeCheckedNpy(await store.get(key), key).data.byteLength;
    }
    return bytes;
  };
  const rows = without.batches.reduce((sum, size) => sum + size, 0);
  expect(rows * (part.bytesPerCombination - without.part.bytesPerCombination)).toBe(await storedBytes('densities'));
  expect(valueBytes).toBe(await storedBytes('values'));
});
