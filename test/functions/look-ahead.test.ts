import { describe, expect, it, vi } from 'vitest';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { readCheckedJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import { type EnvironmentSize, environmentSizeSchema } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { UploadBudget } from '../../shared/contracts/cloud/workflow.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { COMING_BACK } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { openPlanSchema, planSchema } from '../../shared/contracts/run/plan.ts';
import { predictionSchema } from '../../shared/contracts/run/prediction.ts';
import { type Ahead, lookAhead, prepareRun } from '../../shared/estimate/look-ahead.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { planRun as plan } from '../../shared/pipeline/plan/plan-run.ts';
import { mixedTable, runInMemory, smallTable, TREE_SETTINGS, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { environmentSize, fakeBucket } from './fake-bucket.ts';
import { resultHashes } from './result-hashes.ts';
import { runWorkflow } from './run-workflow.ts';
import { uploadTable } from './upload-table.ts';

const sizeOf = (size: Partial<EnvironmentSize>): EnvironmentSize =>
  environmentSizeSchema.parse(JSON.parse(environmentSize({ engine: 'fargate', ...size })));

const mcmc = (settings: object) => ({ ...WITHOUT_UTILITY, mcmc: { ...WITHOUT_UTILITY.mcmc, ...settings } });

const planned = (settings: object, table = smallTable({ records: 400 })) =>
  plan({ purpose: 'evaluate', config: configSchema.parse(settings), table, ...newKeys() });

const codes = ({ obstacles }: Ahead) => obstacles.map(({ code }) => code);
const largest = ({ batches }: Pick<Ahead, 'batches'>) => Math.max(...batches.map(({ from, to }) => to - from));

describe('lookAhead()', () => {
  it('finds nothing in the way of a small run, and leaves its batches', async () => {
    const run = await planned(WITHOUT_UTILITY);
    const ahead = lookAhead(run, sizeOf({}));
    expect(ahead).toMatchObject({ batches: run.plan.batches, fitTasks: 1, obstacles: [] });
  });

  it('names what an environment is not expected to carry out', async () => {
    const many = await planned(mcmc({ chains: 400, draws: 4 }));
    // Every chain is an object to read, of 30 ms, so that no size of batches helps.
    expect(codes(lookAhead(many, sizeOf({ assessTimeoutSeconds: 10 })))).toEqual(['batch-too-long']);
    const long = await planned(mcmc({ burnIn: 2_000_000_000 }));
    // Too long on a processor ten times as fast as well.
    expect(codes(lookAhead(long, sizeOf({ fitTimeoutHours: 2 })))).toEqual(['fit-too-long']);
    expect(codes(lookAhead(long, sizeOf({ engine: 'lambda' })))).toEqual(['fit-too-long']);
    const wide = await planned(mcmc({ draws: 400_000, chains: 32 }));
    expect(codes(lookAhead(wide, sizeOf({})))).toContain('draws-exceed-memory');
    const tight = await planned(WITHOUT_UTILITY);
    expect(codes(lookAhead(tight, sizeOf({ assessMemoryMiB: 128 })))).toEqual(['batch-exceeds-memory']);
    // A task puts results together that exceed a function, where there are tasks.
    expect(lookAhead(tight, sizeOf({ stepMemoryMiB: 64 }))).toMatchObject({
      obstacles: [{ code: 'plan-exceeds-memory' }],
      cost: { closesInTask: true },
    });
    const inFunctions = sizeOf({ stepMemoryMiB: 64, engine: 'lambda' });
    const steps = ['plan-exceeds-memory', 'parts-exceed-memory', 'report-exceeds-memory'];
    expect(codes(lookAhead(tight, inFunctions))).toEqual(expect.arrayContaining(steps));
    expect(codes(lookAhead(tight, sizeOf({ fitVcpu: 32, fitMemoryGiB: 1 })))).toEqual(['fit-exceeds-memory']);
    // What is planned already is not refused for what planning takes.
    expect(prepareRun(tight, sizeOf({ stepMemoryMiB: 64 })).closesInTask).toBe(true);
    expect(() => prepareRun(tight, inFunctions)).toThrow(expect.objectContaining({ code: 'parts-exceed-memory' }));
  });

  it('holds chains in a function to the 15 minutes that it has', async () => {
    // Hours, which a task has and a function has not.
    const run = await planned(mcmc({ burnIn: 100_000_000 }));
    expect(codes(lookAhead(run, sizeOf({ fitTimeoutHours: 100 })))).toEqual([]);
    expect(codes(lookAhead(run, sizeOf({ fitTimeoutHours: 100, engine: 'lambda' })))).toEqual(['fit-too-long']);
  });

  it('makes batches smaller where that suffices, for the chains that rounds may add as well', async () => {
    const run = await plan({
      purpose: 'evaluate',
      config: configSchema.parse(mcmc({ draws: 200_000 })),
      table: smallTable({ records: 1000 }),
      // All in one.
      batchSize: 1000,
      ...newKeys(),
    });
    const roomy = { assessMemoryMiB: 400_000, mapConcurrency: 4 };
    const whole = lookAhead(run, sizeOf({ ...roomy, assessTimeoutSeconds: 100_000 }));
    expect(largest(whole)).toBe(largest(run.plan));
    // Reading takes what it takes; what is left of the limit is for scoring, which halves with the batch.
    let found: Ahead | undefined;
    for (let seconds = 4; seconds < 1000 && found === undefined; seconds = Math.ceil(1.4 * seconds)) {
      const ahead = lookAhead(run, sizeOf({ ...roomy, assessTimeoutSeconds: seconds }));
      if (ahead.obstacles.length === 0) found = ahead;
    }
    expect(largest(found!)).toBeLessThan(largest(run.plan));
    expect(found!.batches.at(-1)!.to).toBe(run.plan.table.combinations);
    expect(found!.batches.map(({ batch }) => batch)).toEqual(found!.batches.map((_, i) => i + 1));
    for (const [i, { from }] of found!.batches.entries()) {
      expect(from).toBe(i === 0 ? 0 : found!.batches[i - 1]!.to);
    }
  }, 240_000);

  it('shares chains as it is asked to, and refuses by name what makes no sense', async () => {
    const run = await planned(WITHOUT_UTILITY);
    expect(lookAhead(run, sizeOf({}), { asked: 3 }).fitTasks).toBe(3);
    // What an environment is set to is for runs that have so many chains.
    expect(lookAhead(run, sizeOf({ fitTasks: 40 })).fitTasks).toBe(5);
    expect(() => lookAhead(run, sizeOf({}), { asked: 40 })).toThrow(/5 chains at once for 40 tasks/);
    expect(lookAhead(run, sizeOf({}), { asked: 'auto' }).fitTasks).toBe(1);
    const long = await planned(mcmc({ burnIn: 30_000_000, chains: 32 }));
    expect(lookAhead(long, sizeOf({ fargateVcpu: 6 }), { asked: 'auto' }).fitTasks).toBe(1);
    expect(lookAhead(long, sizeOf({ fargateVcpu: 16 }), { asked: 'auto' }).fitTasks).toBe(4);
    expect(lookAhead(long, sizeOf({ fargateVcpu: 6000, fitTasks: 'auto' })).fitTasks).toBe(9);
    const trees = await planned(TREE_SETTINGS, mixedTable());
    expect(() => lookAhead(trees, sizeOf({}), { asked: 2 })).toThrow(/cart has no chains/);
    expect(lookAhead(trees, sizeOf({ fitTasks: 8 })).fitTasks).toBe(1);
    expect(lookAhead(trees, sizeOf({}), { asked: 'auto' }).fitTasks).toBe(1);
  });

  it('tells what to do in words without a figure of the table', async () => {
    const one = await planned(mcmc({ draws: 400_000, chains: 32 }));
    const other = await planned(mcmc({ draws: 400_000, chains: 32 }), smallTable({ records: 90, seed: 8 }));
    const told = [one, other].map((run) => lookAhead(run, sizeOf({})).obstacles);
    const draws = told.map((obstacles) => obstacles.find(({ code }) => code === 'draws-exceed-memory'));
    expect(draws[0]).toBeDefined();
    expect(draws[0]).toEqual(draws[1]);
  });

  it('is told in the plan where the environment warns, and refused else', async () => {
    const long = await planned(mcmc({ burnIn: 100_000_000_000 }));
    const { run } = prepareRun(long, sizeOf({ lookAhead: 'warn' }));
    expect(run.plan.warnings.map(({ code }) => code)).toContain('fit-too-long');
    expect(() => prepareRun(long, sizeOf({}))).toThrow(
      expect.objectContaining({ name: 'RunTooLargeError', code: 'fit-too-long', exitCode: 2 }),
    );
  });
});

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 20, assessTimeoutSeconds: 5 }) });

const upload = (name: string, table: Uint8Array, settings: object, limits?: UploadBudget) =>
  uploadTable(bucket.store, name, table, settings, limits);

describe('an upload whose run an environment is not expected to end', () => {
  it('is refused by name before anything is stored or paid for, and beside the upload', async () => {
    const event = await upload('too-large', smallTable({ seed: 61 }), mcmc({ chains: 400 }));
    const steps: string[] = [];
    const end = await runWorkflow(bucket.store, 'too-large', event, (step, work) => {
      steps.push(step);
      return work();
    });
    expect(end).toMatchObject({ outcome: 'failed', runId: null });
    expect(end.failure).toMatchObject({ name: 'RunTooLargeError', code: 'batch-too-long' });
    expect(end.failure!.message).toContain('assessTimeoutSeconds');
    expect(steps).toEqual(['plan-run', 'record-failure']);
    expect(COMING_BACK).toContain('RunTooLargeError');
    expect(await bucket.store.list('runs/')).toEqual([]);
    const outcome = JSON.parse(new TextDecoder().decode(await bucket.store.get('incoming/too-large/outcome.json')));
    expect(outcome).toEqual({ error: end.failure });
  });

  it('is evaluated when it asks for less', async () => {
    const settings = mcmc({ chains: 4 });
    const table = smallTable({ seed: 61 });
    const { outcome, runId } = await runWorkflow(bucket.store, 'less', await upload('less', table, settings));
    expect(outcome).toBe('planned');
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table });
    expect(runId).toBe(laptop.plan.runId);
    const { steps } = await readJson(bucket.store, laptop.keys.confidential.prediction, predictionSchema);
    expect(Object.keys(steps)).toContain('assess');
    expect(await resultHashes(bucket.store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
  });

  it('is refused where chains cannot be shared as asked, by that name', async () => {
    const event = await upload('shares', smallTable({ seed: 62 }), WITHOUT_UTILITY, { fitTasks: 40 });
    const { failure } = await runWorkflow(bucket.store, 'shares', event);
    expect(failure).toMatchObject({ name: 'UnsupportedOptionError', code: 'more-fit-tasks-than-chains' });
  });

  it.each([1, 2])(
    'is refused before the chains of a later round, shared by %d task(s)',
    async (fitTasks) => {
      const settings = mcmc({ reproducibility: 0.999, maxChains: 12 });
      const event = await upload(`later-${fitTasks}`, smallTable({ seed: 64 + fitTasks }), settings, { fitTasks });
      const { runId } = await planRun({ execution: 'plan', input: event });
      const execution = `later-${fitTasks}`;
      // Functions keep the environment of their first call: this one is deployed anew.
      vi.resetModules();
      const { handler: checkAnew } = await import('../../functions/check-budget/handler.ts');
      let checks = 0;
      const end = await runWorkflow(bucket.store, execution, { runId, resume: true }, async (step, work) => {
        // Before the chains and the batches of the first round, and then before chains again.
        if (step !== 'check-budget' || ++checks < 3) return work();
        vi.stubEnv('ENVIRONMENT_SIZE', environmentSize({ timeFactors: 'fit=1000000000' }));
        const checked = checkAnew({ runId, round: 2, before: 'chains', execution });
        return checked.finally(() => vi.stubEnv('ENVIRONMENT_SIZE', bucket.environment.ENVIRONMENT_SIZE)) as ReturnType<typeof work>;
      });
      expect(checks).toBe(3);
      expect(end.failure).toMatchObject({ name: 'RunTooLargeError', code: 'fit-too-long' });
      expect(end.failure!.message).toContain('This is of a round that adds chains');
      const draws = await bucket.store.list(runKeys(runId).allDraws);
      expect(draws.length).toBeGreaterThan(0);
      const resumed = await runWorkflow(bucket.store, `${execution}-2`, { runId, resume: true });
      expect(resumed.outcome).toBe('planned');
      expect((await bucket.store.list(runKeys(runId).allDraws)).length).toBeGreaterThan(draws.length);
    },
    240_000,
  );

  it('leaves one plan where two executions plan at once, the open one of the same batches', async () => {
    const input = await upload('twice', smallTable({ seed: 63 }), WITHOUT_UTILITY, { fitTasks: 2 });
    const ends = await Promise.all(['a', 'b', 'c'].map((execution) => planRun({ execution, input })));
    expect(ends.filter(({ outcome }) => outcome === 'planned')).toHaveLength(1);
    const keys = runKeys(ends[0]!.runId);
    const stored = await readJson(bucket.store, keys.openPlan, openPlanSchema);
    const { batches } = await readCheckedJson(bucket.store, keys.plan, planSchema);
    expect(stored.batches).toBe(batches.length);
    expect((await readRunState(bucket.store, ends[0]!.runId))!.fitTasks).toBe(2);
  });
});
