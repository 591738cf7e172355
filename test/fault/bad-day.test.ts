import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { BUCKET, environmentSize, fakeBucket } from '../functions/fake-bucket.ts';
import { resultHashes } from '../functions/result-hashes.ts';
import { type AsStep, runWorkflow } from '../functions/run-workflow.ts';
import { uploadTable } from '../functions/upload-table.ts';
import { runInMemory, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import type { Fault } from '../storage/fake-s3.ts';
import { TEST_KEYS } from '../test-keys.ts';

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 16 }) });

const FAULTS: readonly Fault[] = [
  { method: 'PUT', status: 503, code: 'SlowDown' },
  { method: 'PUT', status: 500, code: 'InternalError' },
  { method: 'PUT', status: 500, code: 'InternalError', stored: true },
  { method: 'GET', status: 503, code: 'ServiceUnavailable' },
  { method: 'GET', breaksOff: true },
  { method: 'GET', losesBit: true },
];

/** With these a step fails, and Step Functions tries it again. */
const ENDS: readonly Fault[] = [
  { method: 'PUT', status: 400, code: 'ExpiredToken' },
  { method: 'PUT', losesBit: true },
];

/** Steps as Step Functions has them carried out on a bad day: with faults of the store, again after a failure, and again after an answer that was lost. */
function badDay(seed: number): { readonly as: AsStep; readonly failed: string[] } {
  const failed: string[] = [];
  const random = new RandomStream(seed, 'faults');
  const oneOf = <T>(list: readonly T[]) => list[random.below(list.length)]!;
  const tried: AsStep = async (step, work) => {
    try {
      return await work();
    } catch (error) {
      if ((error as Error).name !== 'StorageError') throw error;
      failed.push((error as Error).message.split(':')[0]!);
      return tried(step, work);
    }
  };
  const as: AsStep = async (step, work) => {
    bucket.s3.fail(oneOf(FAULTS), oneOf(FAULTS), oneOf(ENDS));
    const answer = await tried(step, work);
    return step !== 'plan-run' && random.below(2) === 0 ? tried(step, work) : answer;
  };
  return { as, failed };
}

// What waits between tries is a share of a time that doubles.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

describe('a workflow on a bad day', () => {
  const table = smallTable({ seed: 91 });
  let expected: Record<string, string>;
  let runId: string;

  beforeAll(async () => {
    const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config: configSchema.parse(SMALL_SETTINGS), table });
    expected = await resultHashes(laptop.store, laptop.plan);
    ({ runId } = laptop.plan);
  });

  it('leaves the bytes of a laptop, and every batch once', async () => {
    const event = await uploadTable(bucket.store, 'bad', table, SMALL_SETTINGS);
    const { as, failed } = badDay(1);
    const end = await runWorkflow(bucket.store, 'bad', event, as);
    expect(end).toMatchObject({ outcome: 'planned', runId });
    expect(await resultHashes(bucket.store, { runId })).toEqual(expected);
    expect(new Set(failed)).toEqual(new Set(['ExpiredToken', 'BadDigest']));
    const { batches } = await readJson(bucket.store, runKeys(runId).plan, planSchema);
    const parts = (await bucket.store.list(runKeys(runId).parts)).map((key) => key.split('/').slice(3, 5).join('/'));
    expect([...new Set(parts)]).toHaveLength(batches.length);
  });

  it('ends by name when its run is purged meanwhile, and leaves nothing of it but that', async () => {
    const other = smallTable({ seed: 92 });
    const event = await uploadTable(bucket.store, 'purged', other, SMALL_SETTINGS);
    const purge = async () => {
      const runs = (await bucket.store.list('runs/')).filter((key) => !key.startsWith(`runs/${runId}/`));
      const body = runs.map((key) => `<Object><Key>${key}</Key></Object>`).join('');
      await fetch(`${bucket.s3.endpoint}/${BUCKET}?delete`, { method: 'POST', body: `<Delete>${body}</Delete>` });
      return runs[0]!.split('/')[1]!;
    };
    let purged = '';
    const ended = runWorkflow(bucket.store, 'purged', event, async (step, work) => {
      if (step === 'aggregate-run') purged = await purge();
      return work();
    });
    // There is no run any more in whose state a failure could be noted.
    await expect(ended).rejects.toMatchObject({ name: 'ArtifactError', message: expect.stringMatching(/^artifact-not-found/) });
    const left = (await bucket.store.list(`runs/${purged}/`)).filter((key) => !key.includes('/tasks/'));
    expect(left).toEqual([]);
  });
});
