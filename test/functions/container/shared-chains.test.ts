import { describe, expect, it } from 'vitest';
import { handler as checkBudget } from '../../../functions/check-budget/handler.ts';
import { handler as fitModel } from '../../../functions/fit-model-lambda/handler.ts';
import { handler as planRun } from '../../../functions/plan-run/handler.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { readRunState } from '../../../shared/pipeline/life/run-state.ts';
import { readProgress } from '../../../shared/pipeline/rounds/stored-round.ts';
import { hashesBelow, runInMemory, smallTable, WITHOUT_UTILITY } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { environmentSize, fakeBucket } from '../fake-bucket.ts';
import { resultHashes } from '../result-hashes.ts';
import { runWorkflow } from '../run-workflow.ts';
import { uploadTable } from '../upload-table.ts';
import { startContainer } from './run-container.ts';

const bucket = fakeBucket({
  ENVIRONMENT_SIZE: environmentSize({ batchSize: 20 }),
  THREADS: '2',
  ROUND: '1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
});

/** So precise that chains are added, which are shared as well. */
const SETTINGS = { ...WITHOUT_UTILITY, mcmc: { ...WITHOUT_UTILITY.mcmc, reproducibility: 0.999, maxChains: 12 } };

const upload = (name: string, settings: object, fitTasks: number, seed: number) =>
  uploadTable(bucket.store, name, smallTable({ seed }), settings, { fitTasks });

const laptop = (settings: object, seed: number) =>
  runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table: smallTable({ seed }) });

describe('chains that several tasks share', () => {
  it.each([1, 2, 3])(
    'leave the bytes of a laptop, in %i tasks',
    async (tasks) => {
      const seed = 70 + tasks;
      const shares: string[] = [];
      const event = await upload(`tasks-${tasks}`, SETTINGS, tasks, seed);
      const { batches, outcome, runId } = await runWorkflow(bucket.store, `tasks-${tasks}`, event, (step, work) => {
        shares.push(step);
        return work();
      });
      expect(outcome).toBe('planned');
      const rounds = batches!.length;
      expect(rounds).toBeGreaterThan(1);
      const calls = shares.filter((step) => step === 'fit-model').length;
      // Both stages of the first round have a chain for each task; later ones may have fewer.
      if (tasks === 1) expect(calls).toBe(rounds);
      else expect(calls).toBeGreaterThanOrEqual(2 * tasks + rounds - 1);
      const own = await laptop(SETTINGS, seed);
      expect(runId).toBe(own.plan.runId);
      expect(await resultHashes(bucket.store, own.plan)).toEqual(await resultHashes(own.store, own.plan));
      const state = (await readRunState(bucket.store, runId!))!;
      expect(state).toMatchObject({ status: 'finished', ...(tasks === 1 ? {} : { fitTasks: tasks }) });
      expect(state.seconds.fit).toBeGreaterThan(0);
      expect(state.chainsSince).toBeUndefined();
      const { chains } = await readProgress(bucket.store, runId!);
      expect(chains.done).toBe(chains.total);
    },
    240_000,
  );

  it('are each of one task, and none of two', async () => {
    const event = await upload('once', { ...WITHOUT_UTILITY, seed: 5 }, 3, 75);
    const { runId, round } = await planRun({ execution: 'once', input: event });
    const { fit } = await checkBudget({ runId, round, before: 'chains', execution: 'once' });
    expect(fit.tasks).toBe(3);
    expect(fit.chains).toEqual([1, 2, 3].map((task) => ({ stage: 1, task, of: 3 })));
    const drawn = async () => (await bucket.store.list(runKeys(runId).allDraws)).filter((key) => key.endsWith('.npz'));
    let before: string[] = [];
    for (const share of [...fit.chains, ...fit.pairs].reverse().sort((a, b) => a.stage - b.stage)) {
      bucket.s3.requests.length = 0;
      await fitModel({ runId, round, share });
      const written = bucket.s3.requests.filter(({ key, method }) => method === 'PUT' && key.endsWith('.npz')).map(({ key }) => key);
      expect(written.length).toBeGreaterThan(0);
      expect(written.filter((key) => before.includes(key))).toEqual([]);
      before = await drawn();
    }
    const own = await laptop({ ...WITHOUT_UTILITY, seed: 5 }, 75);
    const expected = await hashesBelow(own.store, own.plan, 'draws/');
    expect(await hashesBelow(bucket.store, { runId }, 'draws/')).toEqual(expected);
  });
});

describe('a container task that runs a share', () => {
  const settings = { ...WITHOUT_UTILITY, mcmc: { ...WITHOUT_UTILITY.mcmc, chains: 6, burnIn: 2000 } };

  it('may be taken away and come back, run twice and side by side with others: nothing is lost', async () => {
    const event = await upload('containers', settings, 2, 76);
    const { runId, round } = await planRun({ execution: 'containers', input: event });
    const { fit } = await checkBudget({ runId, round, before: 'chains', execution: 'containers' });
    const start = (share: object) =>
      startContainer({
        ...bucket.environment,
        ENVIRONMENT_SIZE: environmentSize({ engine: 'fargate', fitTasks: 2 }),
        RUN_ID: runId,
        SHARE: JSON.stringify(share),
      });
    const [first, second] = fit.chains.map(start);
    const chains = async () => (await bucket.store.list(runKeys(runId).allDraws)).length;
    while ((await chains()) < 2) await new Promise((done) => setTimeout(done, 20));
    // Spare capacity is taken back.
    first!.kill('SIGTERM');
    const { code } = await first!.ended;
    expect([0, 130]).toContain(code);
    // Others go on, so that the run has neither failed nor been interrupted.
    expect((await readRunState(bucket.store, runId))!.status).toBe('running');
    // Its next try, twice, as an event that is delivered twice would have it.
    const again = [start(fit.chains[0]!), start(fit.chains[0]!)];
    for (const task of [second!, ...again]) expect(await task.ended).toMatchObject({ code: 0, stderr: '' });
    for (const task of fit.pairs.map(start)) expect(await task.ended).toMatchObject({ code: 0, stderr: '' });
    const { tasks } = await checkBudget({ runId, round, before: 'batches', execution: 'containers' });
    expect(tasks).toBeGreaterThan(0);
    const own = await laptop(settings, 76);
    for (const folder of ['draws/', 'synthesis/', 'release/']) {
      const expected = await hashesBelow(own.store, own.plan, folder);
      expect(await hashesBelow(bucket.store, { runId }, folder)).toEqual(expected);
    }
    expect((await readRunState(bucket.store, runId))!.assessingSince).toBeDefined();
  });

  it('notes an error that comes back, which the step after the tasks raises by name', async () => {
    const event = await upload('broken-share', { ...settings, seed: 9 }, 2, 77);
    const { runId, round } = await planRun({ execution: 'broken-share', input: event });
    await bucket.store.put(runKeys(runId).table.counts, Buffer.from('not an array'));
    const { code } = await startContainer({ ...bucket.environment, RUN_ID: runId, SHARE: JSON.stringify({ stage: 1, task: 1, of: 2 }) })
      .ended;
    expect(code).toBe(0);
    await expect(checkBudget({ runId, round, before: 'batches', execution: 'broken-share' })).rejects.toMatchObject({
      name: 'ArtifactError',
    });
  });

  it('refuses a share that is none', async () => {
    const { code, stderr } = await startContainer({
      ...bucket.environment,
      RUN_ID: '0123456789abcdef',
      SHARE: '{"stage":3,"task":1,"of":2}',
    }).ended;
    expect(code).not.toBe(0);
    expect(stderr).toContain('SHARE');
  });
});
