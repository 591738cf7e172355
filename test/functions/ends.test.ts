import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { handler as raiseFailure } from '../../functions/raise-failure/handler.ts';
import { handler as recordFailure } from '../../functions/record-failure/handler.ts';
import { readRunState, timePhase } from '../../shared/pipeline/life/run-state.ts';
import { smallTable, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { BUCKET, fakeBucket } from './fake-bucket.ts';
import { runWorkflow, uploadEvent } from './run-workflow.ts';

const bucket = fakeBucket();

async function upload(name: string, seed: number): Promise<object> {
  await bucket.store.put(`incoming/${name}/run.yaml`, Buffer.from(stringify(WITHOUT_UTILITY)));
  await bucket.store.put(`incoming/${name}/table.csv`, smallTable({ seed }));
  return uploadEvent(BUCKET, `incoming/${name}/table.csv`);
}

/** What EventBridge delivers when an execution was ended from outside, with fields that nobody reads. */
const endEvent = (executionArn: string, status: string, input: object) => ({
  version: '0',
  id: '315c1398-40ff-a850-213b-158f73e60175',
  'detail-type': 'Step Functions Execution Status Change',
  source: 'aws.states',
  detail: {
    executionArn,
    stateMachineArn: 'arn:aws:states:us-east-1:111122223333:stateMachine:synthrisk-test',
    name: executionArn,
    status,
    startDate: 1_763_000_000_000,
    stopDate: 1_763_000_100_000,
    input: JSON.stringify(input),
    output: null,
    inputDetails: { included: true },
  },
});

describe('an execution that is ended from outside', () => {
  const ends = [
    ['ABORTED', 61, { status: 'interrupted' }],
    ['TIMED_OUT', 62, { status: 'failed', error: { name: 'States.Timeout', code: 'out-of-time' } }],
  ] as const;

  it.each(ends)('is noted as %s in the state of its run, with what the run has used', async (status, seed, state) => {
    const input = await upload(status, seed);
    const { runId } = await planRun({ execution: status, input });
    expect(await recordFailure(endEvent(status, status, input))).toEqual({ runId });
    const recorded = (await readRunState(bucket.store, runId))!;
    expect(recorded).toMatchObject(state);
    expect(recorded.used!.lambdaCalls).toBe(2);
    // What went on with it is found by the id that it was started with.
    const resume = { runId, resume: true };
    await planRun({ execution: `${status}-2`, input: resume });
    expect((await readRunState(bucket.store, runId))!.status).toBe('running');
    expect(await recordFailure(endEvent(`${status}-2`, status, resume))).toEqual({ runId });
    expect(await readRunState(bucket.store, runId)).toMatchObject(state);
  });

  it('changes nothing about a run that another execution holds, or that has ended', async () => {
    const input = await upload('held', 63);
    const { runId } = await planRun({ execution: 'holder', input });
    expect(await recordFailure(endEvent('other', 'ABORTED', input))).toEqual({ runId: null });
    expect((await readRunState(bucket.store, runId))!.status).toBe('running');
    await runWorkflow(bucket.store, 'holder', input);
    expect(await recordFailure(endEvent('holder', 'ABORTED', input))).toEqual({ runId: null });
    expect((await readRunState(bucket.store, runId))!.status).toBe('finished');
  });

  it.each(['ABORTED', 'TIMED_OUT'])('%s before there was a run is noted beside the upload, once', async (status) => {
    const input = uploadEvent(BUCKET, `incoming/${status}-early/table.csv`, 'v1', '0A');
    const outcome = async () => JSON.parse(Buffer.from(await bucket.store.get(`incoming/${status}-early/outcome.json`)).toString());
    expect(await recordFailure(endEvent('none', status, input))).toEqual({ runId: null });
    const noted = await outcome();
    expect(noted.error).toMatchObject({ code: 'ended-before-its-run' });
    expect(await recordFailure(endEvent('none', 'ABORTED', input))).toEqual({ runId: null });
    expect(await outcome()).toEqual(noted);
  });

  it('meanwhile loses nothing of what a step notes, and a step nothing of the end', async () => {
    const input = await upload('race', 64);
    const { runId } = await planRun({ execution: 'race', input });
    const phases = Array.from({ length: 12 }, () => timePhase(bucket.store, runId, 'fit', () => setTimeout(30)));
    await Promise.all([...phases, recordFailure(endEvent('race', 'ABORTED', input))]);
    const state = (await readRunState(bucket.store, runId))!;
    expect(state.status).toBe('interrupted');
    expect(state.used).toBeDefined();
    expect(state.seconds.fit).toBeGreaterThan(12 * 0.029);
  });
});

describe('raise-failure', () => {
  const runId = '0123456789abcdef';
  const failure = { runId, redrives: 1, name: 'StorageError', code: 'SlowDown', message: 'S3 put a: SlowDown' };
  const execution = { Id: 'arn:aws:states:us-east-1:111122223333:execution:a:b', Name: 'b' };

  it('ends the execution with the recorded error by its name', async () => {
    await expect(raiseFailure({ failure, execution: { ...execution, RedriveCount: 1 } })).rejects.toMatchObject({
      name: 'StorageError',
      message: 'SlowDown: S3 put a: SlowDown',
      stack: '',
    });
  });

  it('takes an execution that says nothing of redrives for one that has not been redriven', async () => {
    const first = { ...failure, redrives: 0 };
    await expect(raiseFailure({ failure: first, execution })).rejects.toMatchObject({ name: 'StorageError' });
  });

  it('lets an execution go on that was redriven since', async () => {
    expect(await raiseFailure({ failure, execution: { ...execution, RedriveCount: 2 } })).toEqual({});
  });

  it('uses none of the names that Step Functions keeps to itself', async () => {
    const timeout = { ...failure, name: 'States.Timeout' };
    await expect(raiseFailure({ failure: timeout, execution })).rejects.toMatchObject({ name: 'Timeout' });
  });
});
