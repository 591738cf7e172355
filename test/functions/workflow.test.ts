import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { handler as aggregateRun } from '../../functions/aggregate-run/handler.ts';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { handler as fitModel } from '../../functions/fit-model-lambda/handler.ts';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { handler as recordFailure } from '../../functions/record-failure/handler.ts';
import { encodeCheckedJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { manifestSchema } from '../../shared/contracts/run/run-state.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { readRunState, writeRunState } from '../../shared/pipeline/life/run-state.ts';
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
import { BUCKET, environmentSize, fakeBucket } from './fake-bucket.ts';
import { FILE_SETTINGS, FILES_BESIDE } from './file-settings.ts';
import { plantKeys } from './plant-keys.ts';
import { resultHashes } from './result-hashes.ts';
import { runWorkflow, uploadEvent } from './run-workflow.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 7 }), DRAWS_CACHE_MIB: '64' });

/** Uploads keys, a config and then a table, and gives the event. */
async function upload(name: string, table: Uint8Array, config = stringify(SMALL_SETTINGS)): Promise<object> {
  await plantKeys(bucket.store, name);
  await bucket.store.put(`incoming/${name}/run.yaml`, bytesOf(config));
  await bucket.store.put(`incoming/${name}/table.csv`, table);
  return uploadEvent(BUCKET, `incoming/${name}/table.csv`);
}

const outcomeOf = async (name: string) =>
  JSON.parse(textOf(await bucket.store.get(`incoming/${name}/outcome.json`)));

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
    const laptop = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse(settings),
      table,
    });
    const event = await upload(name.replaceAll(' ', '-'), table, stringify(settings));
    const { runId } = laptop.plan;
    expect(await runWorkflow(bucket.store, name, event)).toEqual({
      outcome: 'planned',
      runId,
      batches: [batches],
    });
    const expected = await resultHashes(laptop.store, laptop.plan);
    expect(Object.keys(expected)).toContain('confidential/identification-risk.csv');
    expect(await resultHashes(bucket.store, { runId })).toEqual(expected);
  });

  it('tells beside the upload why a scenario is refused', async () => {
    const settings = { ...TREE_SETTINGS, identification: [{ known: ['city'] }] };
    const event = await upload('refused-scenario', mixedTable(), stringify(settings));
    const end = await runWorkflow(bucket.store, 'refused-scenario', event);
    expect(end).toMatchObject({ outcome: 'failed', failure: { code: 'unknown-variable' } });
    expect(await outcomeOf('refused-scenario')).toMatchObject({ error: { code: 'unknown-variable' } });
  });
});

describe('the workflow of an upload that is synthesized from counts', () => {
  it('leaves the bytes of the run on a laptop', async () => {
    const table = smallTable();
    const laptop = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse(COUNT_SETTINGS),
      table,
    });
    const event = await upload('counts', table, stringify(COUNT_SETTINGS));
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
    const laptop = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse(SMALL_SETTINGS),
      table,
    });
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
    const listed = async (key: string) =>
      Object.keys((await readJson(bucket.store, key, manifestSchema)).artifacts);
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
    expect(await outcomeOf('household')).toEqual({ runId });
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

  it('reads the draws of the chains once for many batches', async () => {
    const { store, s3 } = bucket;
    const second = await planRun({
      execution: 'cache',
      input: await upload('cache', smallTable({ seed: 5 })),
    });
    await fitModel(second);
    const [first, ...others] = JSON.parse(textOf(await store.get(second.manifest.key)));
    await assessBatch(first);
    s3.requests.length = 0;
    for (const task of others) await assessBatch(task);
    const reads = s3.requests.filter(({ method }) => method === 'GET').map(({ key }) => key);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((key) => key.includes('/draws/'))).toEqual([]);
  });
});

describe('a run of several rounds', () => {
  const settings = {
    ...SMALL_SETTINGS,
    mcmc: { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 },
  };
  const table = smallTable({ seed: 18 });

  it('adds the chains that a laptop adds, and leaves its bytes', async () => {
    const { store, plan } = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse(settings),
      table,
    });
    const end = await runWorkflow(bucket.store, 'r', await upload('rounds', table, stringify(settings)));
    expect(end.outcome).toBe('planned');
    expect(end.batches!.length).toBeGreaterThan(1);
    expect(await resultHashes(bucket.store, plan)).toEqual(await resultHashes(store, plan));
  });

  it('goes on in the round in which it was', async () => {
    const input = await upload('rounds-2', table, stringify({ ...settings, seed: 2 }));
    const planned = await planRun({ execution: 'r2', input });
    const { runId } = planned;
    await fitModel(planned);
    for (const task of JSON.parse(textOf(await bucket.store.get(planned.manifest.key))))
      await assessBatch(task);
    const next = await aggregateRun({ runId, round: 1 });
    expect(next.outcome).toBe('next-round');
    const resumed = await planRun({ execution: 'r3', input: { runId, resume: true } });
    expect(resumed).toMatchObject({
      outcome: 'planned',
      round: 2,
      manifest: { key: runKeys(runId).tasks.assess(2) },
    });
  });
});

describe('the run lock', () => {
  it('makes one run of an event that is delivered five times at once', async () => {
    const event = await upload('five', smallTable({ seed: 11 }));
    const ends = await Promise.all(
      [1, 2, 3, 4, 5].map((delivery) => planRun({ execution: `delivery-${delivery}`, input: event })),
    );
    expect(ends.map(({ outcome }) => outcome).sort()).toEqual([
      'duplicate',
      'duplicate',
      'duplicate',
      'duplicate',
      'planned',
    ]);
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

describe('a run that failed', () => {
  it('goes on when it is resumed, with the batches that are missing', async () => {
    const { store } = bucket;
    const table = smallTable({ seed: 13 });
    const event = await upload('failing', table);
    const planned = await planRun({ execution: 'failing', input: event });
    const { runId } = planned;
    await fitModel(planned);
    const tasks = JSON.parse(textOf(await store.get(planned.manifest.key)));
    await assessBatch(tasks[0]);
    await assessBatch(tasks[1]);
    const failure = await recordFailure({
      runId,
      error: { Error: 'States.Timeout', Cause: 'a long story' },
      execution: {},
    });
    expect(failure).toEqual({
      runId,
      redrives: 0,
      name: 'States.Timeout',
      code: 'step-failed',
      message: expect.stringContaining('States.Timeout'),
    });
    expect(await readRunState(store, runId)).toMatchObject({
      status: 'failed',
      error: { name: 'States.Timeout', code: 'step-failed' },
    });
    expect((await planRun({ execution: 'uploaded again', input: event })).outcome).toBe('duplicate');

    const end = await runWorkflow(store, 'resumed', { runId, resume: true });
    expect(end).toEqual({ outcome: 'planned', runId, batches: [tasks.length - 2] });
    const state = (await readRunState(store, runId))!;
    expect(state.status).toBe('finished');
    expect(state.error).toBeUndefined();
    const laptop = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse(SMALL_SETTINGS),
      table,
    });
    expect(await resultHashes(store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
    expect(await runWorkflow(store, 'resumed again', { runId, resume: true })).toEqual({
      outcome: 'finished',
      runId,
    });
  });

  it('is not resumed by another version, whose bytes may be others', async () => {
    const { store } = bucket;
    const planned = await planRun({ execution: 'old', input: await upload('old', smallTable({ seed: 14 })) });
    const key = runKeys(planned.runId).plan;
    const plan = await readJson(store, key, planSchema);
    await store.put(key, encodeCheckedJson({ ...plan, version: '0.0.1' }));
    const resumed = planRun({ execution: 'new', input: { runId: planned.runId, resume: true } });
    await expect(resumed).rejects.toMatchObject({
      name: 'RunConflictError',
      message: expect.stringMatching(/^other-version: Version 0\.0\.1 /),
    });
  });

  it('keeps the error that the container noted, which Step Functions knows nothing of', async () => {
    const { store } = bucket;
    const { runId } = await planRun({
      execution: 'c',
      input: await upload('container', smallTable({ seed: 15 })),
    });
    const state = (await readRunState(store, runId))!;
    const error = { name: 'NumericalError', code: 'not-a-number', message: 'Chain base/3, iteration 7.' };
    await writeRunState(store, { ...state, status: 'failed', error });
    expect(
      await recordFailure({
        runId,
        error: { Error: 'States.TaskFailed', Cause: '{"Attachments":[]}' },
        execution: {},
      }),
    ).toEqual({ runId, redrives: 0, ...error });
  });
});

describe('a batch that fails', () => {
  it('is the error of the run, whatever the map and the steps after it say', async () => {
    const { store } = bucket;
    const planned = await planRun({ execution: 'b', input: await upload('batch', smallTable({ seed: 19 })) });
    const { runId } = planned;
    await fitModel(planned);
    const [first] = JSON.parse(textOf(await store.get(planned.manifest.key)));
    const draws = runKeys(runId).draws('base/1');
    const whole = await store.get(draws);
    await store.put(draws, bytesOf('no draws'));
    vi.stubEnv('DRAWS_CACHE_MIB', '0');
    await expect(assessBatch(first)).rejects.toMatchObject({ name: 'ArtifactError' });
    const caught = { Error: 'States.ExceedToleratedFailureThreshold', Cause: 'too many' };
    const error = {
      name: 'ArtifactError',
      code: 'npz-malformed',
      message: expect.stringContaining('draws/base/1.npz'),
    };
    expect(await recordFailure({ runId, error: caught, execution: {} })).toEqual({
      runId,
      redrives: 0,
      ...error,
    });
    expect(await readRunState(store, runId)).toMatchObject({ status: 'failed', error });
    // Once it has been assessed, its failure is history.
    await store.put(draws, whole);
    vi.resetModules();
    const { handler: restarted } = await import('../../functions/assess-batch/handler.ts');
    await planRun({ execution: 'again', input: { runId, resume: true } });
    await restarted(first);
    expect(await recordFailure({ runId, error: caught, execution: {} })).toMatchObject({
      name: caught.Error,
    });
  });
});

describe('an upload that cannot be evaluated', () => {
  it('ends with the named error, which is found beside it as well', async () => {
    const event = await upload('ragged', bytesOf('a,b\n1,2\n1\n'));
    const end = await runWorkflow(bucket.store, 'ragged', event);
    expect(end).toEqual({
      outcome: 'failed',
      runId: null,
      failure: {
        name: 'InvalidTableError',
        code: 'ragged-row',
        message: expect.stringContaining('2'),
      },
    });
    expect(await outcomeOf('ragged')).toEqual({ error: end.failure });
  });

  it('says in which line of run.yaml the mistake is', async () => {
    const end = await runWorkflow(
      bucket.store,
      'x',
      await upload('yaml', smallTable(), 'seed: 1\n  model: ]'),
    );
    expect(end.failure).toMatchObject({ name: 'InvalidConfigError', code: 'malformed-config' });
    expect(end.failure!.message).toContain('incoming/yaml/run.yaml, line');
  });

  it('is evaluated with the files that its config names, as on a laptop', async () => {
    const table = smallTable({ seed: 18 });
    for (const [file, text] of Object.entries(FILES_BESIDE)) {
      await bucket.store.put(`incoming/files/${file}`, bytesOf(text));
    }
    const event = await upload('files', table, stringify(FILE_SETTINGS));
    const { outcome, runId } = await runWorkflow(bucket.store, 'files', event);
    expect(outcome).toBe('planned');
    const own = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: completeConfig(FILE_SETTINGS),
      table,
      priorFiles: [bytesOf(FILES_BESIDE['prior-1.csv'])],
      knownFiles: new Map([['/else/where.csv', bytesOf(FILES_BESIDE['known-1.csv'])]]),
    });
    expect(runId).toBe(own.plan.runId);
    const { attributeRiskCsv } = own.keys.confidential;
    expect(textOf(await bucket.store.get(attributeRiskCsv))).toBe(
      textOf(await own.store.get(attributeRiskCsv)),
    );
    // Their names are in no key, and in nothing that is open.
    for (const key of await bucket.store.list(`runs/${runId}/`)) {
      expect(key).not.toMatch(/beliefs|where/);
      if (key.includes('/confidential/')) continue;
      expect(new TextDecoder('latin1').decode(await bucket.store.get(key))).not.toMatch(/beliefs|else.where/);
    }
  });

  it('is refused without the files that its config names', async () => {
    const event = await upload('without', smallTable({ seed: 18 }), stringify(FILE_SETTINGS));
    const { failure } = await runWorkflow(bucket.store, 'without', event);
    expect(failure).toMatchObject({ name: 'UnsupportedOptionError', code: 'known-records-unread' });
    await bucket.store.put('incoming/without/known-1.csv', bytesOf(FILES_BESIDE['known-1.csv']));
    const again = await runWorkflow(bucket.store, 'again', event);
    expect(again.failure).toMatchObject({ name: 'UnsupportedOptionError', code: 'prior-unread' });
  });

  it('is evaluated when it comes again, mended', async () => {
    await upload('mended', bytesOf('a,b\n1,2\n1\n'));
    const refused = await runWorkflow(bucket.store, 'a', uploadEvent(BUCKET, 'incoming/mended/table.csv'));
    expect(refused.outcome).toBe('failed');
    const planned = await planRun({
      execution: 'b',
      input: await upload('mended', smallTable({ seed: 16 })),
    });
    expect(planned.outcome).toBe('planned');
    expect(await outcomeOf('mended')).toEqual({ runId: planned.runId });
  });

  it.each([
    { bucket: 'another', key: 'incoming/a/table.csv' },
    { bucket: BUCKET, key: 'runs/0123456789abcdef/table.csv' },
    { bucket: BUCKET, key: 'incoming/a/b/table.csv' },
    { bucket: BUCKET, key: 'incoming/a/table.xlsx' },
  ])('is refused where none is expected: %o', async (input) => {
    await expect(planRun({ execution: 'x', input })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: expect.stringMatching(/^not-an-upload: /),
    });
  });
});

describe('a function', () => {
  it('refuses a payload that does not fit its contract', async () => {
    await expect(assessBatch({ step: 'assess', runId: '../x', round: 1, batch: 1 })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: 'malformed-input: The input does not fit its contract at runId.',
    });
  });

  it('passes on the name and the code of a named error, without a stack', async () => {
    const error: Error = await assessBatch({
      step: 'assess',
      runId: '0'.repeat(16),
      round: 1,
      batch: 1,
    }).catch((e) => e);
    expect(error).toMatchObject({
      name: 'ArtifactError',
      message: `artifact-not-found: No artifact at runs/${'0'.repeat(16)}/lock.json`,
      stack: '',
    });
  });

  it('tells of a mistake in the program its name and where, not what it says', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(planSchema, 'safeParse').mockImplementation(() => {
      throw new TypeError('cannot read CANARY-7Q');
    });
    const { runId } = await planRun({
      execution: 'm',
      input: await upload('m', smallTable({ seed: 17 })),
    }).catch(() => ({ runId: '' }));
    expect(runId).toBe('');
    const outcome = await outcomeOf('m');
    expect(outcome.error).toEqual({
      name: 'ProgramError',
      code: 'mistake',
      message: 'A mistake in synthrisk itself (TypeError).',
    });
    const log = JSON.stringify(logged.mock.calls);
    expect(log).toContain('stored-json');
    expect(log).not.toContain('CANARY');
  });

  it('names the variables that its environment lacks', async () => {
    vi.resetModules();
    vi.stubEnv('BUCKET', '');
    const { handler } = await import('../../functions/report-run/handler.ts');
    await expect(handler({ runId: '0'.repeat(16) })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: 'malformed-environment: Missing or malformed variables: BUCKET.',
    });
    vi.stubEnv('BUCKET', BUCKET);
  });
});
