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
  /** Of so many classes, what a draw takes and what is stored of it, and what fitting takes beside draws. */
  const partsOf = (classes: number) => {
    const withDraws = (draws: number) =>
      bytesOf({ ...run, plan: { ...run.plan, classes, config: { ...config, mcmc: { ...config.mcmc, draws, burnIn: 0 } } } });
    const [few, more] = [withDraws(1000), withDraws(1100)];
    const draw = (more.fit - few.fit) / 100;
    return { draw, stored: (more.stored - few.stored) / 100 / config.mcmc.chains, rest: few.fit - 1000 * draw };
  };
  const [own, larger] = [partsOf(5), partsOf(6)];
  expect(own.draw).toBeCloseTo(2 * own.stored, 6);
  // Of the state of the chain there are some copies, here and in the kernel.
  expect(larger.rest - own.rest).toBeGreaterThan(2 * (larger.stored - own.stored));
});
