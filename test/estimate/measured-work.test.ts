import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { measuredWork } from '../../shared/estimate/measured-work.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { MIXED_SETTINGS, mixedTable, runFigures, SMALL_SETTINGS, smallTable, TREE_SETTINGS } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

it.each([
  ['dpmpm', SMALL_SETTINGS, smallTable()],
  ['dpmpm that draws phi', { ...SMALL_SETTINGS, attributeRisk: { estimator: 'parameters' } }, smallTable()],
  ['dpmpm with a burn-in of nothing', { ...SMALL_SETTINGS, mcmc: { ...SMALL_SETTINGS.mcmc, burnIn: 0 } }, smallTable()],
  ['mixed', MIXED_SETTINGS, mixedTable()],
  ['trees', TREE_SETTINGS, mixedTable()],
])('the cloud is expected to read as many objects of draws as a run by %s stores', async (_, settings, table) => {
  const config = configSchema.parse({ ...settings, utility: 'off' });
  const request = { ...TEST_KEYS, purpose: 'evaluate' as const, config, table };
  const estimate = estimateRun(await planRun(request), 1);
  const { store, plan } = await runFigures(request);
  const { allDraws } = runKeys(plan.runId);
  const stored = (await store.list(allDraws)).filter((key) => !key.startsWith(`${allDraws}synthesis/`));
  expect(measuredWork(plan, estimate).draws.objects).toBe(stored.length);
});
