import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { handler as checkBudget } from '../../functions/check-budget/handler.ts';
import { handler as fitModel } from '../../functions/fit-model-lambda/handler.ts';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { handler as recordFailure } from '../../functions/record-failure/handler.ts';
import { encodeCheckedJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { PUT_BACK } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { readRunState, writeRunState } from '../../shared/pipeline/life/run-state.ts';
import { runInMemory, smallTable, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { BUCKET, environmentSize, fakeBucket } from './fake-bucket.ts';
import { FILE_SETTINGS, FILES_BESIDE } from './file-settings.ts';
import { resultHashes } from './result-hashes.ts';
import { runWorkflow, uploadEvent } from './run-workflow.ts';
import { outcomeOf, uploadTable } from './upload-table.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 7 }) });

/** Uploads a table with a config. */
const upload = (name: string, table: Uint8Array, settings: object | string = WITHOUT_UTILITY) =>
  uploadTable(bucket.store, name, table, settings);

afterEach(() => vi.restoreAllMocks());

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
    const failure = await recordFailure({ runId, error: { Error: 'States.Timeout', Cause: 'a long story' }, execution: { Id: 'failing' } });
    expect(failure).toEqual({
      runId,
      redrives: 0,
      name: 'States.Timeout',
      code: 'step-failed',
      message: expect.stringContaining('States.Timeout'),
    });
    expect(await readRunState(store, runId)).toMatchObject({ status: 'failed', error: { name: 'States.Timeout', code: 'step-failed' } });
    expect((await planRun({ execution: 'uploaded again', input: event })).outcome).toBe('duplicate');

    const end = await runWorkflow(store, 'resumed', { runId, resume: true });
    expect(end).toEqual({ outcome: 'planned', runId, batches: [tasks.length - 2] });
    const state = (await readRunState(store, runId))!;
    expect(state.status).toBe('finished');
    expect(state.error).toBeUndefined();
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(WITHOUT_UTILITY), table });
    expect(await resultHashes(store, laptop.plan)).toEqual(await resultHashes(laptop.store, laptop.plan));
    expect(await runWorkflow(store, 'resumed again', { runId, resume: true })).toEqual({ outcome: 'finished', runId });
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
    const { runId } = await planRun({ execution: 'c', input: await upload('container', smallTable({ seed: 15 })) });
    const state = (await readRunState(store, runId))!;
    const error = { name: 'NumericalError', code: 'not-a-number', message: 'Chain base/3, iteration 7.' };
    await writeRunState(store, { ...state, status: 'failed', error });
    const caught = { Error: 'States.TaskFailed', Cause: '{"Attachments":[]}' };
    expect(await recordFailure({ runId, error: caught, execution: { Id: 'c' } })).toEqual({ runId, redrives: 0, ...error });
  });
});

describe('a run that two go on with at once', () => {
  it('is carried out by one, and the other ends before it pays for chains or batches', async () => {
    const { store } = bucket;
    const { runId } = await planRun({ execution: 'first', input: await upload('two', smallTable({ seed: 73 })) });
    const input = { runId, resume: true, after: 'first' };
    const ends = await Promise.allSettled(['a', 'b', 'c'].map((execution) => planRun({ execution, input })));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends.filter((one) => one.status === 'rejected')) {
      expect(end.reason.message).toMatch(/^resumed-meanwhile: /);
    }
    // By hand, saying nothing of an execution before: what is under way hears of it before its next phase.
    expect((await planRun({ execution: 'by hand', input: { runId, resume: true } })).outcome).toBe('planned');
    const late = { runId, round: 1, before: 'chains', execution: 'a' };
    const refused = await checkBudget(late).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: 'RunConflictError', message: expect.stringMatching(/^other-execution: /) });
    const caught = { Error: 'RunConflictError', Cause: JSON.stringify({ errorMessage: (refused as Error).message }) };
    await recordFailure({ runId, error: caught, execution: { Id: 'a' } });
    expect((await readRunState(store, runId))!.status).toBe('running');
    expect((await checkBudget({ ...late, execution: 'by hand' })).runId).toBe(runId);
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
    await expect(assessBatch(first)).rejects.toMatchObject({ name: 'ArtifactError' });
    const caught = { Error: 'States.ExceedToleratedFailureThreshold', Cause: 'too many' };
    const error = { name: 'ArtifactError', code: 'npz-malformed', message: expect.stringContaining('draws/base/1.npz') };
    expect(await recordFailure({ runId, error: caught, execution: { Id: 'b' } })).toEqual({ runId, redrives: 0, ...error });
    expect(await readRunState(store, runId)).toMatchObject({ status: 'failed', error });
    // Once it has been assessed, its failure is history: by a function that has seen the draws as they were.
    await store.put(draws, whole);
    await planRun({ execution: 'again', input: { runId, resume: true } });
    await assessBatch(first);
    expect(await recordFailure({ runId, error: caught, execution: { Id: 'again' } })).toMatchObject({ name: caught.Error });
  });
});

describe('an upload that cannot be evaluated', () => {
  it('ends with the named error, which is found beside it as well', async () => {
    const event = await upload('ragged', bytesOf('a,b\n1,2\n1\n'));
    const end = await runWorkflow(bucket.store, 'ragged', event);
    expect(end).toEqual({
      outcome: 'failed',
      runId: null,
      failure: { name: 'InvalidTableError', code: 'ragged-row', message: expect.stringContaining('2') },
    });
    expect(await outcomeOf(bucket.store, 'ragged')).toEqual({ error: end.failure });
  });

  it('says in which line of run.yaml the mistake is', async () => {
    const end = await runWorkflow(bucket.store, 'x', await upload('yaml', smallTable(), 'seed: 1\n  model: ]'));
    expect(end.failure).toMatchObject({ name: 'InvalidConfigError', code: 'malformed-config' });
    expect(end.failure!.message).toContain('incoming/yaml/run.yaml, line');
  });

  it('is evaluated with the files that its config names, as on a laptop', async () => {
    const table = smallTable({ seed: 18 });
    for (const [file, text] of Object.entries(FILES_BESIDE)) {
      await bucket.store.put(`incoming/files/${file}`, bytesOf(text));
    }
    const event = await upload('files', table, FILE_SETTINGS);
    const { outcome, runId } = await runWorkflow(bucket.store, 'files', event);
    expect(outcome).toBe('planned');
    const own = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: completeConfig(FILE_SETTINGS),
      table,
      priorFiles: [bytesOf(FILES_BESIDE['prior-1.csv'])],
      control: bytesOf(FILES_BESIDE['control.csv']),
      knownFiles: new Map([['/else/where.csv', bytesOf(FILES_BESIDE['known-1.csv'])]]),
    });
    expect(runId).toBe(own.plan.runId);
    const { csv } = own.keys.confidential.table('attribute-risk');
    expect(textOf(await bucket.store.get(csv))).toBe(textOf(await own.store.get(csv)));
    // Their names are in no key, and in nothing that is open.
    for (const key of await bucket.store.list(`runs/${runId}/`)) {
      expect(key).not.toMatch(/beliefs|where|strangers/);
      if (key.includes('/confidential/')) continue;
      expect(new TextDecoder('latin1').decode(await bucket.store.get(key))).not.toMatch(/beliefs|else.where|strangers/);
    }
  });

  it('is refused without the files that its config names', async () => {
    const event = await upload('without', smallTable({ seed: 18 }), FILE_SETTINGS);
    const { failure } = await runWorkflow(bucket.store, 'without', event);
    expect(failure).toMatchObject({ name: 'UnsupportedOptionError', code: 'known-records-unread' });
    await bucket.store.put('incoming/without/known-1.csv', bytesOf(FILES_BESIDE['known-1.csv']));
    const again = await runWorkflow(bucket.store, 'again', event);
    expect(again.failure).toMatchObject({ name: 'UnsupportedOptionError', code: 'prior-unread' });
    await bucket.store.put('incoming/without/prior-1.csv', bytesOf(FILES_BESIDE['prior-1.csv']));
    const third = await runWorkflow(bucket.store, 'third', event);
    expect(third.failure).toMatchObject({ name: 'UnsupportedOptionError', code: 'control-unread' });
  });

  it('is evaluated when it comes again, mended', async () => {
    await upload('mended', bytesOf('a,b\n1,2\n1\n'));
    const refused = await runWorkflow(bucket.store, 'a', uploadEvent(BUCKET, 'incoming/mended/table.csv'));
    expect(refused.outcome).toBe('failed');
    const planned = await planRun({ execution: 'b', input: await upload('mended', smallTable({ seed: 16 })) });
    expect(planned.outcome).toBe('planned');
    expect(await outcomeOf(bucket.store, 'mended')).toEqual({ runId: planned.runId });
  });

  it.each([
    { bucket: 'another', key: 'incoming/a/table.csv' },
    { bucket: BUCKET, key: 'runs/0123456789abcdef/table.csv' },
    { bucket: BUCKET, key: 'incoming/a/b/table.csv' },
    { bucket: BUCKET, key: 'incoming/a/table.xlsx' },
    { bucket: BUCKET, key: 'incoming/.a/table.csv' },
    { bucket: BUCKET, key: 'incoming//table.csv' },
    { bucket: BUCKET, key: 'incoming/a\\b/table.csv' },
    { bucket: BUCKET, key: 'incoming/a/b\nc/table.csv' },
  ])('is refused where none is expected: %o', async (input) => {
    await expect(planRun({ execution: 'x', input })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: expect.stringMatching(/^not-an-upload: /),
    });
  });

  it('is refused beside the table where it was put too deep', async () => {
    const end = await runWorkflow(bucket.store, 'deep', uploadEvent(BUCKET, 'incoming/survey/2026/table.csv', 'v', '0A'));
    expect(end.failure).toMatchObject({ code: 'not-an-upload', message: expect.stringContaining('in none below') });
    expect(await outcomeOf(bucket.store, 'survey/2026')).toMatchObject({ error: end.failure });
  });
});

describe('planning that dies without a word', () => {
  const died = { Error: 'Runtime.OutOfMemory', Cause: '{"errorMessage":"RequestId: 1 Error: Runtime exited"}' };
  const planningEnded = { name: died.Error, code: 'planning-ended', message: expect.stringContaining('stepMemoryMiB') };

  it('is found beside the upload, which came to no run', async () => {
    const key = 'incoming/heavy/table.csv';
    const input = uploadEvent(BUCKET, key, 'v1', '0A');
    const recorded = await recordFailure({ input, error: died, execution: { Id: 'heavy' } });
    expect(recorded).toEqual({ runId: null, redrives: 0, ...planningEnded });
    expect(await outcomeOf(bucket.store, 'heavy')).toMatchObject({ error: planningEnded, table: { version: 'v1' } });
    // Of the next table of that name it says nothing.
    await recordFailure({
      input: uploadEvent(BUCKET, key, 'v2', '0B'),
      error: { Error: 'Sandbox.Timedout' },
      execution: { Id: 'heavy-2' },
    });
    expect(await outcomeOf(bucket.store, 'heavy')).toMatchObject({
      error: { name: 'Sandbox.Timedout' },
      earlier: [{ error: { name: 'Runtime.OutOfMemory' } }],
    });
  });

  it('is found in the state of the run, where it came so far, and the run can be resumed', async () => {
    const input = await upload('half', smallTable({ seed: 71 }));
    const { store } = bucket;
    const { runId } = await planRun({ execution: 'half', input });
    // As if it had ended between taking the run and its last word.
    for (const key of [runKeys(runId).openPlan, runKeys(runId).tasks.assess(1)]) await store.put(key, bytesOf('{}'));
    const recorded = await recordFailure({ input, error: died, execution: { Id: 'half' } });
    expect(recorded).toMatchObject({ runId, name: died.Error });
    expect(await readRunState(store, runId)).toMatchObject({ status: 'failed', error: { name: died.Error } });
    expect(await outcomeOf(store, 'half')).toEqual({ runId });
    expect((await runWorkflow(store, 'half-2', { runId, resume: true })).outcome).toBe('planned');
  });

  it('of an event that came twice says nothing of the run that the first has', async () => {
    await upload('twice', smallTable({ seed: 72 }));
    const key = 'incoming/twice/table.csv';
    const input = uploadEvent(BUCKET, key, bucket.s3.versionOf(BUCKET, key));
    const { runId } = await planRun({ execution: 'first', input });
    await recordFailure({ input, error: died, execution: { Id: 'second' } });
    expect((await readRunState(bucket.store, runId))!.status).toBe('running');
    expect(await outcomeOf(bucket.store, 'twice')).toMatchObject({ runId });
  });

  it('is recorded with the error of an input that is none', async () => {
    const error = { Error: 'InvalidConfigError', Cause: JSON.stringify({ errorMessage: 'malformed-input: The input does not fit.' }) };
    const recorded = await recordFailure({ input: { some: 'thing' }, error, execution: { Id: 'odd' } });
    expect(recorded).toMatchObject({ runId: null, code: 'malformed-input' });
  });
});

describe('a function', () => {
  it('refuses a payload that does not fit its contract', async () => {
    await expect(assessBatch({ step: 'assess', runId: '../x', round: 1, batch: 1 })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: 'malformed-input: The input does not fit its contract at runId.',
    });
    await expect(assessBatch('a text')).rejects.toHaveProperty(
      'message',
      'malformed-input: The input does not fit its contract at (root).',
    );
  });

  it('passes on the name and the code of a named error, without a stack', async () => {
    const error: Error = await assessBatch({ step: 'assess', runId: '0'.repeat(16), round: 1, batch: 1 }).catch((e) => e);
    expect(error).toMatchObject({
      name: 'ArtifactError',
      message: `artifact-not-found: runs/${'0'.repeat(16)}/lock.json is missing. ${PUT_BACK}`,
      stack: '',
    });
  });

  it('tells of a mistake in the program its name and where, not what it says', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(planSchema, 'safeParse').mockImplementation(() => {
      throw new TypeError('cannot read CANARY-7Q');
    });
    const { runId } = await planRun({ execution: 'm', input: await upload('m', smallTable({ seed: 17 })) }).catch(() => ({ runId: '' }));
    expect(runId).toBe('');
    const outcome = await outcomeOf(bucket.store, 'm');
    expect(outcome.error).toEqual({ name: 'ProgramError', code: 'mistake', message: 'A mistake in synthrisk itself (TypeError).' });
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
