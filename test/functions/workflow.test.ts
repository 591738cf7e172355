import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as aggregateRun } from '../../functions/aggregate-run/handler.ts';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { handler as fitModel } from '../../functions/fit-model-lambda/handler.ts';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { manifestSchema } from '../../shared/contracts/run/run-state.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import {
  CATEGORY_TREE_SETTINGS,
  COUNT_SETTINGS,
  mixedTable,
  runInMemory,
  SMALL_SETTINGS,
  smallTable,
  TREE_SETTINGS,
} from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { environmentSize, fakeBucket } from './fake-bucket.ts';
import { resultHashes } from './result-hashes.ts';
import { runWorkflow } from './run-workflow.ts';
import { outcomeOf, uploadTable } from './upload-table.ts';

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 7 }) });

/** Uploads a table with a config. */
const upload = (name: string, table: Uint8Array, settings?: object | string) => uploadTable(bucket.store, name, table, settings);

afterEach(() => vi.restoreAllMocks());

describe('the workflow of an upload whose datasets keep variables', () => {
  const partial = {
    ...SMALL_SETTINGS,
    synthesis: { datasets: 2, synthesized: ['education'] },
    identification: [{ known: ['region', 'age_group'] }],
  };
  const runs: [string, object, Uint8Array, number][] = [
    ['a partial DPMPM, record by record', partial, smallTable(), Math.ceil(60 / 7)],
    ['DP-areal', { ...partial, model: { name: 'dp-areal', clusters: 8 } }, smallTable(), Math.ceil(60 / 7)],
    ['trees of numbers, which leave no batches', TREE_SETTINGS, mixedTable(), 0],
    ['trees of categories', CATEGORY_TREE_SETTINGS, mixedTable(), Math.ceil(80 / 7)],
  ];

  it.each(runs)('leaves the bytes of the run on a laptop: %s', async (name, settings, table, batches) => {
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table });
    const event = await upload(name.replaceAll(' ', '-'), table, settings);
    const { runId } = laptop.plan;
    expect(await runWorkflow(bucket.store, name, event)).toEqual({ outcome: 'planned', runId, batches: [batches] });
    const expected = await resultHashes(laptop.store, laptop.plan);
    expect(Object.keys(expected)).toContain('confidential/identification-risk.csv');
    expect(await resultHashes(bucket.store, { runId })).toEqual(expected);
  });

  it('tells beside the upload why a scenario is refused', async () => {
    const settings = { ...TREE_SETTINGS, identification: [{ known: ['city'] }] };
    const event = await upload('refused-scenario', mixedTable(), settings);
    const end = await runWorkflow(bucket.store, 'refused-scenario', event);
    expect(end).toMatchObject({ outcome: 'failed', failure: { code: 'unknown-variable' } });
    expect(await outcomeOf(bucket.store, 'refused-scenario')).toMatchObject({ error: { code: 'unknown-variable' } });
  });
});

describe('the workflow of an upload that is synthesized from counts', () => {
  it('leaves the bytes of the run on a laptop', async () => {
    const table = smallTable();
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(COUNT_SETTINGS), table });
    const event = await upload('counts', table, COUNT_SETTINGS);
    const { runId } = laptop.plan;
    const batches = [Math.ceil(laptop.plan.table.combinations / 7)];
    expect(await runWorkflow(bucket.store, 'counts', event)).toEqual({ outcome: 'planned', runId, batches });
    const expected = await resultHashes(laptop.store, laptop.plan);
    expect(Object.keys(expected)).toContain('confidential/attribute-risk.csv');
    expect(await resultHashes(bucket.store, { runId })).toEqual(expected);
  });
});

describe('the workflow of an upload', () => {
  const table = smallTable();
  let expected: Record<string, string>;
  let runId: string;
  let event: object;

  beforeAll(async () => {
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(SMALL_SETTINGS), table });
    expected = await resultHashes(laptop.store, laptop.plan);
    runId = laptop.plan.runId;
    event = await upload('household', table);
  });

  it('leaves the bytes of the run on a laptop, in other batches', async () => {
    const end = await runWorkflow(bucket.store, 'first', event);
    expect(end).toEqual({ outcome: 'planned', runId, batches: [expect.any(Number)] });
    const plan = await readJson(bucket.store, runKeys(runId).plan, planSchema);
    expect([plan.batches.length]).toEqual(end.batches);
    expect(plan.batches[0]).toEqual({ batch: 1, scenario: 1, from: 0, to: 7 });
    expect(await resultHashes(bucket.store, plan)).toEqual(expected);
  });

  it('lists in its manifest what does not depend on the workflow', async () => {
    const keys = runKeys(runId);
    const listed = async (key: string) => Object.keys((await readJson(bucket.store, key, manifestSchema)).artifacts);
    const paths = await listed(keys.confidential.manifest);
    const digested = Object.keys(expected).filter((path) => path !== 'confidential/release-key');
    expect(paths).toEqual(expect.arrayContaining(digested));
    expect(paths.filter((path) => /^(run|lock|manifest)\.json$|^tasks\/|-key$/.test(path))).toEqual([]);
    expect(await listed(keys.manifest)).toEqual(['release/synthetic-1.csv', 'release/synthetic-2.csv']);
  });

  it('tells in run.json how long each phase took', async () => {
    const state = (await readRunState(bucket.store, runId))!;
    expect(state.status).toBe('finished');
    const { total, ...phases } = state.seconds;
    for (const seconds of Object.values(phases)) expect(seconds).toBeGreaterThan(0);
    expect(Object.values(phases).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(total);
    expect(state.peakMemoryMiB).toBeGreaterThan(10);
    expect(state.assessingSince).toBeUndefined();
  });

  it('tells beside the upload which run it became', async () => {
    expect(await outcomeOf(bucket.store, 'household')).toEqual({ runId });
  });

  it('is over at once when the results are there', async () => {
    const requests = bucket.s3.requests.length;
    expect(await runWorkflow(bucket.store, 'later', event)).toEqual({ outcome: 'finished', runId });
    const written = bucket.s3.requests.slice(requests).filter(({ method }) => method === 'PUT');
    const { allUsed } = runKeys(runId).tasks;
    expect(written.map(({ key }) => key).filter((key) => !key.startsWith(allUsed))).toEqual([
      runKeys(runId).tasks.upload('household'),
      'incoming/household/outcome.json',
    ]);
  });

  it('takes the same table uploaded under another name for the same run', async () => {
    const again = await upload('household-again', table);
    expect(await runWorkflow(bucket.store, 'again', again)).toEqual({ outcome: 'finished', runId });
  });

  it('refuses names for its report that the run does not have', async () => {
    const named = await upload('household-named', table, { ...SMALL_SETTINGS, report: { by: 'somebody else' } });
    const { failure } = await runWorkflow(bucket.store, 'named', named);
    expect(failure).toMatchObject({ name: 'RunConflictError', code: 'other-names' });
    expect(failure!.message).toContain(runId);
  });

  it('reads the table, the datasets and the draws once for many batches', async () => {
    const { store, s3 } = bucket;
    const second = await planRun({ execution: 'cache', input: await upload('cache', smallTable({ seed: 5 })) });
    await fitModel(second);
    const [first, ...others] = JSON.parse(textOf(await store.get(second.manifest.key)));
    await assessBatch(first);
    s3.requests.length = 0;
    for (const task of others) await assessBatch(task);
    const reads = s3.requests.filter(({ method }) => method === 'GET').map(({ key }) => key);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((key) => /\/(draws|synthesis|table)\//.test(key))).toEqual([]);
  });
});

describe('batches for which no function is free', () => {
  it('are left over, and assessed once more before anything is put together', async () => {
    const table = smallTable({ seed: 20 });
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(SMALL_SETTINGS), table });
    let throttled = 3;
    const steps: string[] = [];
    const end = await runWorkflow(bucket.store, 'throttled', await upload('throttled', table), (step, work) => {
      steps.push(step);
      if (step === 'assess-batch' && throttled-- > 0) {
        return Promise.reject(Object.assign(new Error('Rate exceeded'), { name: 'Lambda.TooManyRequestsException' }));
      }
      return work();
    });
    expect(end.outcome).toBe('planned');
    const left = JSON.parse(textOf(await bucket.store.get(runKeys(end.runId!).tasks.assess(1))));
    expect(left).toHaveLength(3);
    expect(steps.filter((step) => step === 'aggregate-run')).toHaveLength(2);
    expect(steps.filter((step) => step === 'assess-batch')).toHaveLength(end.batches![0]! + 3);
    expect(await resultHashes(bucket.store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
  });
});

describe('a run of several rounds', () => {
  const settings = { ...SMALL_SETTINGS, mcmc: { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 } };
  const table = smallTable({ seed: 18 });

  it('adds the chains that a laptop adds, and leaves its bytes', async () => {
    const { store, plan } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(settings), table });
    const end = await runWorkflow(bucket.store, 'r', await upload('rounds', table, settings));
    expect(end.outcome).toBe('planned');
    expect(end.batches!.length).toBeGreaterThan(1);
    expect(await resultHashes(bucket.store, plan)).toEqual(await resultHashes(store, plan));
  });

  it('goes on in the round in which it was', async () => {
    const input = await upload('rounds-2', table, { ...settings, seed: 2 });
    const planned = await planRun({ execution: 'r2', input });
    const { runId } = planned;
    await fitModel(planned);
    for (const task of JSON.parse(textOf(await bucket.store.get(planned.manifest.key)))) await assessBatch(task);
    const next = await aggregateRun({ runId, round: 1 });
    expect(next.outcome).toBe('next-round');
    const resumed = await planRun({ execution: 'r3', input: { runId, resume: true } });
    expect(resumed).toMatchObject({ outcome: 'planned', round: 2, manifest: { key: runKeys(runId).tasks.assess(2) } });
  });
});

describe('the run lock', () => {
  it('makes one run of an event that is delivered five times at once', async () => {
    const event = await upload('five', smallTable({ seed: 11 }));
    const ends = await Promise.all([1, 2, 3, 4, 5].map((delivery) => planRun({ execution: `delivery-${delivery}`, input: event })));
    expect(ends.map(({ outcome }) => outcome).sort()).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate', 'planned']);
    expect(new Set(ends.map(({ runId }) => runId)).size).toBe(1);
  });

  it('is taken again by the execution that has it', async () => {
    const event = await upload('twice', smallTable({ seed: 12 }));
    const first = await planRun({ execution: 'one', input: event });
    expect(first.outcome).toBe('planned');
    expect(await planRun({ execution: 'one', input: event })).toEqual(first);
    expect((await planRun({ execution: 'two', input: event })).outcome).toBe('duplicate');
  });
});
