import { describe, expect, it } from 'vitest';
import { handler as aggregateRun } from '../../../functions/aggregate-run/handler.ts';
import { handler as assessBatch } from '../../../functions/assess-batch/handler.ts';
import { handler as fitModel } from '../../../functions/fit-model-lambda/handler.ts';
import { handler as planRun } from '../../../functions/plan-run/handler.ts';
import { handler as reportRun } from '../../../functions/report-run/handler.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { manifestSignatureSchema } from '../../../shared/contracts/run/manifest-signature.ts';
import { readRunState } from '../../../shared/pipeline/life/run-state.ts';
import { runInMemory, SMALL_SETTINGS, smallTable, WITHOUT_UTILITY } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { environmentSize, fakeBucket } from '../fake-bucket.ts';
import { resultHashes } from '../result-hashes.ts';
import { uploadTable } from '../upload-table.ts';
import { startContainer } from './run-container.ts';

/** An environment with containers, of whose functions those that put results together have too little memory for any run. */
const bucket = fakeBucket({
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  ENVIRONMENT_SIZE: environmentSize({ engine: 'fargate', stepMemoryMiB: 64 }),
});

/** A run of which the batches of a round are assessed, and its tasks of that round. */
async function assessed(name: string, settings: object, table: Uint8Array) {
  const input = await uploadTable(bucket.store, name, table, settings);
  const { runId, manifest } = await planRun({ execution: name, input });
  await assess({ runId, round: 1, key: manifest.key });
  return runId;
}

async function assess({ key, round, runId }: { readonly key: string; readonly round: number; readonly runId: string }): Promise<void> {
  await fitModel({ runId, round });
  for (const task of JSON.parse(new TextDecoder().decode(await bucket.store.get(key)))) await assessBatch(task);
}

const close = (runId: string, round = 1) => startContainer({ ...bucket.environment, RUN_ID: runId, ROUND: String(round) }, 'close');

const ENDED_WELL = { code: 0, signal: null, stdout: '', stderr: '' };

const laptopOf = (settings: object, table: Uint8Array) =>
  runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table });

describe('the container that puts results together', () => {
  it('leaves the bytes of a laptop, unsigned, and a function signs', async () => {
    const table = smallTable();
    const runId = await assessed('closed', SMALL_SETTINGS, table);
    expect((await readRunState(bucket.store, runId))!.closesInTask).toBe(true);
    const reference = { runId, round: 1 };
    expect(await aggregateRun(reference)).toEqual({ outcome: 'close-in-task', ...reference });
    expect(await close(runId).ended).toEqual(ENDED_WELL);
    const keys = runKeys(runId);
    for (const key of [keys.manifest, keys.signature, keys.confidential.signature]) expect(await bucket.store.head(key), key).toBeNull();
    expect(await aggregateRun({ ...reference, closed: true })).toEqual({ outcome: 'done', ...reference });

    bucket.s3.requests.length = 0;
    expect(await reportRun({ runId })).toEqual({ runId });
    // Of what takes long in a large run it reads nothing.
    const read = bucket.s3.requests.filter(({ method }) => method === 'GET').map(({ key }) => key);
    expect(read.filter((key) => /\/(parts|draws|synthesis|table)\//.test(key))).toEqual([]);
    const laptop = await laptopOf(SMALL_SETTINGS, table);
    expect(laptop.plan.runId).toBe(runId);
    expect(await resultHashes(bucket.store, { runId })).toEqual(await resultHashes(laptop.store, laptop.plan));
    expect(await readJson(bucket.store, keys.signature, manifestSignatureSchema)).toMatchObject({ signed: true });
    const state = (await readRunState(bucket.store, runId))!;
    expect(state.status).toBe('finished');
    expect(Math.min(state.seconds.aggregate, state.seconds.report)).toBeGreaterThan(0);
    expect(state.used!.containerVcpuSeconds).toBeGreaterThan(0);
    expect(state.used!.dollarsByStep.aggregate).toBeGreaterThan(0);
  });

  it('stores the tasks of another round where the run asks for one, and of that tells a function', async () => {
    const settings = { ...SMALL_SETTINGS, mcmc: { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 } };
    const table = smallTable({ seed: 18 });
    const runId = await assessed('rounds', settings, table);
    let round = 1;
    for (;;) {
      expect((await aggregateRun({ runId, round })).outcome).toBe('close-in-task');
      expect(await close(runId, round).ended).toEqual(ENDED_WELL);
      const after = await aggregateRun({ runId, round, closed: true });
      if (after.outcome === 'done') break;
      expect(after).toMatchObject({ outcome: 'next-round', round: round + 1 });
      if (!('manifest' in after)) throw new Error('no tasks');
      round = after.round;
      await assess({ runId, round, key: after.manifest.key });
    }
    expect(round).toBeGreaterThan(1);
    await reportRun({ runId });
    const laptop = await laptopOf(settings, table);
    expect(await resultHashes(bucket.store, { runId })).toEqual(await resultHashes(laptop.store, laptop.plan));
  });

  it('notes a named error, which the function that follows raises', async () => {
    const runId = await assessed('broken', { ...WITHOUT_UTILITY, seed: 4 }, smallTable());
    const key = runKeys(runId).part(1, 1).columns;
    await bucket.store.put(key, new TextEncoder().encode('not an array'));
    const { code, stdout, stderr } = await close(runId).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ name: 'ArtifactError', message: expect.stringContaining(key) });
    await expect(aggregateRun({ runId, round: 1, closed: true })).rejects.toMatchObject({ name: 'ArtifactError' });
  });

  it('ends when it is stopped, and another does it again', async () => {
    const table = smallTable({ seed: 6 });
    const runId = await assessed('stopped', { ...WITHOUT_UTILITY, seed: 6 }, table);
    const stopped = close(runId);
    // Its first note says that it listens.
    const used = `${runKeys(runId).tasks.allUsed}aggregate-run/`;
    while ((await bucket.store.list(used)).length === 0) await new Promise((done) => setTimeout(done, 5));
    stopped.kill('SIGTERM');
    const { code, stderr } = await stopped.ended;
    expect({ code, error: JSON.parse(stderr).name }).toEqual({ code: 130, error: 'InterruptedError' });
    expect((await readRunState(bucket.store, runId))!.status).toBe('interrupted');
    expect(await close(runId).ended).toEqual(ENDED_WELL);
    expect((await readRunState(bucket.store, runId))!.status).toBe('running');
    expect(await aggregateRun({ runId, round: 1, closed: true })).toMatchObject({ outcome: 'done' });
    await reportRun({ runId });
    const laptop = await laptopOf({ ...WITHOUT_UTILITY, seed: 6 }, table);
    expect(await resultHashes(bucket.store, { runId })).toEqual(await resultHashes(laptop.store, laptop.plan));
  });
});
