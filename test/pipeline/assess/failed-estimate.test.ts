import { expect, it } from 'vitest';
import { readDraws } from '../../../shared/artifacts/stored-draws.ts';
import { NumericalError } from '../../../shared/contracts/errors.ts';
import { replicateRunId, runKeys } from '../../../shared/contracts/keys.ts';
import { encodeChainDraws } from '../../../shared/model/chains/chain-draws.ts';
import { runTask } from '../../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../small-run.ts';

/** A run in batches of 20, without what its batches came to. */
async function unassessed(purpose: 'evaluate' | 'calibrate', candidates: string) {
  const config = smallConfig({ attributeRisk: { candidates, phi: 'drawn' }, calibration: { targets: 25, replicates: 1 } });
  const { store, plan } = await runFigures({ ...TEST_KEYS, purpose, config, table: smallTable(), batchSize: 20 });
  const copy = new MemoryStore();
  for (const key of await store.list('')) {
    if (!/\/(parts|scores)\//.test(key)) await copy.put(key, await store.get(key));
  }
  return { store: copy, runId: purpose === 'calibrate' ? replicateRunId(plan.runId, 1) : plan.runId };
}

/** Makes every candidate of the draws of a chain impossible, the record itself among them. */
async function spoil(store: MemoryStore, runId: string, chain: string): Promise<void> {
  const draws = await readDraws(store, runId, chain);
  const probabilities = draws.probabilities.map(() => 0);
  await store.put(runKeys(runId).draws(chain), encodeChainDraws({ ...draws, probabilities }));
}

it.each([
  ['a batch', 'evaluate', 'one-change', 'assess', 'Batch 2 (from row 21): row 21 has no finite estimate'],
  ['a batch over all cells', 'evaluate', 'all-cells', 'assess', 'Batch 2 (from row 21): row 21 has no finite estimate'],
  ['a target', 'calibrate', 'one-change', 'score', 'Target 21 '],
] as const)('%s whose estimate is not a number is an error that names it', async (_, purpose, candidates, step, named) => {
  const { store, runId } = await unassessed(purpose, candidates);
  await spoil(store, runId, 'stacked/2/1');
  const failed = runTask(store, { step, runId, round: 1, batch: 2 }, () => undefined);
  await expect(failed).rejects.toThrow(NumericalError);
  await expect(failed).rejects.toMatchObject({ code: 'assessment-failed', message: expect.stringContaining(named) });
});

it('a batch that fails in another way keeps its own error', async () => {
  const { store, runId } = await unassessed('evaluate', 'one-change');
  await store.put(runKeys(runId).draws('alone/1/1'), new Uint8Array(4));
  const failed = runTask(store, { step: 'assess', runId, round: 1, batch: 1 }, () => undefined);
  await expect(failed).rejects.toMatchObject({ name: 'ArtifactError' });
});
