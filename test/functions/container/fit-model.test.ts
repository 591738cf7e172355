import { describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { handler as checkBudget } from '../../../functions/check-budget/handler.ts';
import { handler as planRun } from '../../../functions/plan-run/handler.ts';
import { readCheckedJson } from '../../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { planSchema } from '../../../shared/contracts/run/plan.ts';
import { readRunState } from '../../../shared/pipeline/life/run-state.ts';
import { missingTasks, readRoundTasks } from '../../../shared/pipeline/tasks/stored-tasks.ts';
import { objectsOfTasks } from '../../../shared/pipeline/tasks/task-objects.ts';
import { hashesBelow, runInMemory, smallTable, WITHOUT_UTILITY } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { BUCKET, fakeBucket } from '../fake-bucket.ts';
import { plantKeys } from '../plant-keys.ts';
import { startContainer } from './run-container.ts';

const bucket = fakeBucket({ THREADS: '2', ROUND: '1', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' });

/** Plans a run of the small table and gives its id. */
async function plan(name: string, settings: object): Promise<string> {
  await plantKeys(bucket.store, name);
  await bucket.store.put(`incoming/${name}/run.yaml`, Buffer.from(stringify(settings)));
  await bucket.store.put(`incoming/${name}/table.csv`, smallTable());
  const { runId } = await planRun({ execution: name, input: { bucket: BUCKET, key: `incoming/${name}/table.csv` } });
  return runId;
}

const start = (runId: string, variables: Record<string, string> = {}) =>
  startContainer({ ...bucket.environment, RUN_ID: runId, ...variables });

const DRAWN = ['draws/', 'synthesis/', 'release/'];

/** What a laptop leaves of the chains and datasets of a run. */
async function expectedDraws(settings: object): Promise<Record<string, string>> {
  const config = configSchema.parse(settings);
  const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() });
  return hashesBelow(laptop.store, laptop.plan, ...DRAWN);
}

/** What the tasks make that have not left all of it. */
async function objectsOfUnfinished(runId: string): Promise<string[]> {
  const { store } = bucket;
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const { assess: _, ...chains } = await readRoundTasks(store, { runId, round: 1 });
  const missing = await missingTasks(store, plan);
  return (await Promise.all((await missing(Object.values(chains).flat())).map(objectsOfTasks(store, plan)))).flat();
}

const hashesOf = (runId: string) => hashesBelow(bucket.store, { runId }, ...DRAWN);

describe('the container of the fit step', () => {
  it('runs every chain of a run, says nothing and leaves the bytes of a laptop', async () => {
    const runId = await plan('whole', WITHOUT_UTILITY);
    expect(await start(runId).ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect(await hashesOf(runId)).toEqual(await expectedDraws(WITHOUT_UTILITY));
    const state = (await readRunState(bucket.store, runId))!;
    expect(state.status).toBe('running');
    expect(Math.min(state.seconds.fit, state.seconds.synthesize, state.seconds.augment)).toBeGreaterThan(0);
    expect(state.assessingSince).toBeDefined();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('goes on where %s stopped it', async (signal) => {
    // Chains long enough to be met half way, and enough of them that some are whole by then.
    const settings = { ...WITHOUT_UTILITY, seed: signal === 'SIGTERM' ? 2 : 3, mcmc: { ...WITHOUT_UTILITY.mcmc, chains: 6, burnIn: 2000 } };
    const runId = await plan(signal, settings);
    const chains = async () => (await bucket.store.list(`${runKeys(runId).root}draws/`)).filter((key) => key.endsWith('.npz'));
    const stopped = start(runId);
    await vi.waitFor(async () => expect((await chains()).length).toBeGreaterThanOrEqual(2), { timeout: 100_000, interval: 20 });
    stopped.kill(signal);
    const { code, signal: by } = await stopped.ended;
    const before = await chains();
    const unfinished = await objectsOfUnfinished(runId);
    const expected = await expectedDraws(settings);
    expect(Object.keys(expected).filter((path) => path.endsWith('.npz')).length).toBeGreaterThan(before.length);
    if (signal === 'SIGTERM') {
      expect({ code, by }).toEqual({ code: 130, by: null });
      expect((await readRunState(bucket.store, runId))!.status).toBe('interrupted');
    } else {
      expect({ code, by }).toEqual({ code: null, by: 'SIGKILL' });
    }

    bucket.s3.requests.length = 0;
    const { code: after, stderr } = await start(runId).ended;
    expect({ after, stderr }).toEqual({ after: 0, stderr: '' });
    const written = bucket.s3.requests.filter(({ method }) => method === 'PUT').map(({ key }) => key);
    // Of a task that was stopped between two of its files, the first is there, and stays.
    expect(written.filter((key) => before.includes(key) && !unfinished.includes(key))).toEqual([]);
    expect(await hashesOf(runId)).toEqual(expected);
    expect((await readRunState(bucket.store, runId))!.status).toBe('running');
  });

  it('notes a named error in run.json, for Step Functions learns none from a container', async () => {
    const runId = await plan('broken', { ...WITHOUT_UTILITY, seed: 4 });
    await bucket.store.put(runKeys(runId).table.counts, Buffer.from('not an array'));
    const { code, stdout, stderr } = await start(runId).ended;
    // The same error would come again: Step Functions, which tries a container again that fails, is told of no failure.
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const error = { name: 'ArtifactError', code: 'checksum-missing', message: expect.stringContaining(runKeys(runId).table.counts) };
    expect(JSON.parse(stderr)).toEqual({ level: 'error', ...error });
    expect(await readRunState(bucket.store, runId)).toMatchObject({ status: 'failed', error });
    await expect(checkBudget({ runId, round: 1, before: 'batches', execution: 'broken' })).rejects.toMatchObject({
      name: 'ArtifactError',
      message: expect.stringMatching(/^checksum-missing: /),
    });
  });

  it('says which variables it lacks', async () => {
    const { RUN_ID: _, ...environment } = { RUN_ID: '', ...bucket.environment };
    const { code, stderr } = await startContainer(environment).ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain('malformed-environment');
    expect(stderr).toContain('RUN_ID');
  });
});
