import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { type StepName, type UsageNote, usageNoteSchema } from '../../shared/contracts/run/usage.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { smallTable, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { startContainer } from './container/run-container.ts';
import { BUCKET, environmentSize, fakeBucket } from './fake-bucket.ts';
import { type AsStep, runWorkflow, uploadEvent } from './run-workflow.ts';

const bucket = fakeBucket({
  ENVIRONMENT_SIZE: environmentSize({ batchSize: 7 }),
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
});

async function upload(name: string, seed: number): Promise<object> {
  await bucket.store.put(`incoming/${name}/run.yaml`, Buffer.from(stringify(WITHOUT_UTILITY)));
  await bucket.store.put(`incoming/${name}/table.csv`, smallTable({ seed }));
  return uploadEvent(BUCKET, `incoming/${name}/table.csv`);
}

async function notesOf(runId: string): Promise<UsageNote[]> {
  const keys = await bucket.store.list(runKeys(runId).tasks.allUsed);
  return Promise.all(keys.map((key) => readJson(bucket.store, key, usageNoteSchema)));
}

describe('what a run has used', () => {
  it('is counted call by call and request by request, and told in run.json with its price', async () => {
    const calls: Partial<Record<StepName, number>> = {};
    const seen: Partial<Record<StepName, { reads: number; writes: number }>> = {};
    const counted: AsStep = async (step, work) => {
      bucket.s3.requests.length = 0;
      const result = await work();
      const sum = seen[step] ?? { reads: 0, writes: 0 };
      seen[step] = sum;
      // S3 counts a list as it counts writes. The note of a call, its last write, is in the note of the next.
      for (const { method, prefix } of bucket.s3.requests) {
        if (method === 'PUT' || prefix !== null) sum.writes++;
        else sum.reads++;
      }
      calls[step] = (calls[step] ?? 0) + 1;
      return result;
    };
    const event = await upload('whole', 41);
    const { batches, runId } = await runWorkflow(bucket.store, 'whole', event, counted);
    expect(calls).toMatchObject({ 'plan-run': 1, 'check-budget': 2, 'assess-batch': batches![0] });

    const notes = await notesOf(runId!);
    const noteOf = (step: StepName) => notes.find((note) => note.step === step)!;
    expect(Object.fromEntries(notes.map(({ step, calls: count }) => [step, count]))).toEqual(calls);
    for (const step of ['plan-run', 'fit-model', 'assess-batch'] as const) {
      const { reads, writes, seconds, memoryMiB } = noteOf(step);
      expect({ reads, writes: writes + 1 }, step).toEqual(seen[step]);
      expect(seconds, step).toBeGreaterThan(0);
      expect(memoryMiB).toBe(2048);
    }

    const { used } = (await readRunState(bucket.store, runId!))!;
    const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
    expect(used).toMatchObject({ lambdaCalls: total, containerVcpuSeconds: 0, expressChildren: batches![0] });
    const all = (field: 'reads' | 'writes') => notes.reduce((sum, note) => sum + note[field], 0);
    expect([used!.s3Reads, used!.s3Writes]).toEqual([all('reads'), all('writes')]);
    expect(used!.lambdaGiBSeconds).toBeCloseTo(2 * notes.reduce((sum, { seconds }) => sum + seconds, 0), 9);
    expect(used!.dollars).toBeGreaterThan(0);
    expect(used!.dollars).toBeLessThan(0.05);
  });

  it('of the container is its vCPU, its memory and the requests of all its threads', async () => {
    await upload('container', 42);
    const input = { bucket: BUCKET, key: 'incoming/container/table.csv' };
    const { runId } = await planRun({ execution: 'container', input });
    bucket.s3.requests.length = 0;
    const variables = { ...bucket.environment, RUN_ID: runId, ROUND: '1', THREADS: '2' };
    const started = performance.now();
    expect(await startContainer(variables).ended).toMatchObject({ code: 0, stderr: '' });
    const seconds = (performance.now() - started) / 1000;
    const requests = [...bucket.s3.requests];
    const note = (await notesOf(runId)).find(({ step }) => step === 'fit-model')!;
    expect(note).toMatchObject({ vcpus: 4, memoryMiB: 8192, calls: 1 });
    expect(note.seconds).toBeGreaterThan(0);
    expect(note.seconds).toBeLessThan(seconds);
    const writes = requests.filter(({ method, prefix }) => method === 'PUT' || prefix !== null);
    expect(note.writes + 1).toBe(writes.length);
    expect(note.reads + writes.length).toBe(requests.length);
  });
});
