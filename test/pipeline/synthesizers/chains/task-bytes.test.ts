import { expect, it } from 'vitest';
import { configSchema } from '../../../../shared/contracts/config/config.ts';
import { planRun } from '../../../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../../../shared/pipeline/plan/planned-run.ts';
import { chainBytes } from '../../../../shared/pipeline/synthesizers/chains/chain-bytes.ts';
import { mixedBytes } from '../../../../shared/pipeline/synthesizers/mixed/mixed-bytes.ts';
import { TEST_KEYS } from '../../../test-keys.ts';
import { MIXED_SETTINGS, mixedTable, smallConfig, smallTable } from '../../small-run.ts';

it.each([
  ['combinations', smallConfig(), smallTable(), (run: PlannedRun) => chainBytes(run, null)],
  ['records', configSchema.parse(MIXED_SETTINGS), mixedTable(), mixedBytes],
])('a chain on %s holds each draw twice, and has a state beside them', async (_, config, table, bytesOf) => {
  const run = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table, batchSize: 1000 });
  const withDraws = (draws: number) => bytesOf({ ...run, plan: { ...run.plan, config: { ...config, mcmc: { ...config.mcmc, draws } } } });
  const [few, more] = [withDraws(1000), withDraws(1100)];
  const stored = (more.stored - few.stored) / 100 / config.mcmc.chains;
  expect(stored).toBeGreaterThan(0);
  expect(more.fit - few.fit).toBeCloseTo(2 * 100 * stored, 6);
  expect(few.fit - 2 * 1000 * stored).toBeGreaterThan(stored);
});
