import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { handler as planRun } from '../../functions/plan-run/handler.ts';
import { readCheckedJson } from '../../shared/artifacts/stored-json.ts';
import { readStreams, storeReleaseKey } from '../../shared/artifacts/stored-keys.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { PLACE_KEY, runKeys, uploadKeys } from '../../shared/contracts/keys.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { startRun } from '../../shared/pipeline/life/start-run.ts';
import { planRun as decideRun } from '../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { smallTable, WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { testKey } from '../test-keys.ts';
import { BUCKET, fakeBucket } from './fake-bucket.ts';
import { resultHashes } from './result-hashes.ts';
import { runWorkflow, uploadEvent } from './run-workflow.ts';

const bucket = fakeBucket();
const table = smallTable({ seed: 71 });

/** Uploads the table, with a release key if one is given. */
async function upload(name: string, releaseKey?: Uint8Array, settings: object = WITHOUT_UTILITY): Promise<object> {
  const keys = uploadKeys(`incoming/${name}/table.csv`)!;
  await bucket.store.put(keys.config, Buffer.from(stringify(settings)));
  if (releaseKey) await bucket.store.put(keys.releaseKey, encodeKey(releaseKey));
  await bucket.store.put(keys.table, table);
  return uploadEvent(BUCKET, keys.table);
}

const textOf = async (key: string) => new TextDecoder().decode(await bucket.store.get(key));

describe('keys that nobody gave', () => {
  it('are made once for a place and for a run, whoever comes first of five', async () => {
    const events = await Promise.all([1, 2, 3, 4, 5].map((number) => upload(`five-${number}`)));
    const ends = await Promise.all(events.map((input, i) => planRun({ execution: `delivery-${i}`, input })));
    const { runId } = ends[0]!;
    expect(new Set(ends.map((end) => end.runId))).toEqual(new Set([runId]));
    expect(ends.filter(({ outcome }) => outcome === 'planned')).toHaveLength(1);
    const key = await textOf(runKeys(runId).confidential.releaseKey);
    expect(key).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await textOf(PLACE_KEY)).toMatch(/^[0-9a-f]{64}\n$/);
    // Two uploads of one table are one run, also when nobody knows its key.
    expect(await planRun({ execution: 'later', input: await upload('later') })).toMatchObject({ runId, outcome: 'duplicate' });
    expect(await textOf(runKeys(runId).confidential.releaseKey)).toBe(key);
  });

  it('are all one where another execution stores its own while this one plans', async () => {
    const keys = uploadKeys('incoming/meanwhile/table.csv')!;
    const store = new MemoryStore();
    // An intruder who knows a share of the records, which are drawn with the key when the run is planned.
    const settings = { ...WITHOUT_UTILITY, attributeRisk: { scenarios: [{ name: 'half', knows: { share: 0.5 } }] } };
    await store.put(keys.config, Buffer.from(stringify(settings)));
    await store.put(PLACE_KEY, encodeKey(testKey(1)));
    const planWith = (releaseKey: Uint8Array) =>
      decideRun({
        ...{ purpose: 'evaluate', config: configSchema.parse(settings), table, placeKey: testKey(1), releaseKey: async () => releaseKey },
      });
    const other = await planWith(testKey(2));
    const { runId } = other.plan;
    const started = await startRun(
      store,
      keys,
      { id: 'own', code: 'code' },
      {
        table: { bytes: table, assertItsFiles: () => storeReleaseKey(store, runId, testKey(2)).then(() => undefined) },
        prepare: (run) => ({ run, fitTasks: 1, closesInTask: false }),
        found: async () => undefined,
      },
    );
    expect(started).toMatchObject({ runId, outcome: 'planned' });
    const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
    expect(plan.keyCheck).toBe(other.plan.keyCheck);
    await readStreams(store, plan);
    const theirs = new MemoryStore();
    await storePlannedRun(theirs, other);
    for (const key of (await theirs.list(runKeys(runId).root)).filter((one) => one.endsWith('.npy'))) {
      expect(await store.get(key), key).toEqual(await theirs.get(key));
    }
  });

  it('are others for other runs', async () => {
    const keyOf = async (seed: number) => {
      const input = await upload(`seed-${seed}`, undefined, { ...WITHOUT_UTILITY, seed });
      const { runId } = await planRun({ execution: `seed-${seed}`, input });
      return textOf(runKeys(runId).confidential.releaseKey);
    };
    expect(await keyOf(2)).not.toBe(await keyOf(3));
  });
});

describe('a release key that is uploaded', () => {
  const settings = { ...WITHOUT_UTILITY, seed: 4 };

  it('repeats the run that had it, in another place under another id', async () => {
    const input = await upload('repeat', testKey(5), settings);
    const first = await runWorkflow(bucket.store, 'repeat', input);
    const hashes = await resultHashes(bucket.store, { runId: first.runId! });
    const place = await bucket.store.get(PLACE_KEY);
    await bucket.store.put(PLACE_KEY, encodeKey(testKey(6)));
    const second = await runWorkflow(bucket.store, 'repeat-elsewhere', input);
    await bucket.store.put(PLACE_KEY, place);
    expect(second.outcome).toBe('planned');
    expect(second.runId).not.toBe(first.runId);
    const repeated = await resultHashes(bucket.store, { runId: second.runId! });
    const released = Object.keys(hashes).filter((path) => /^release\/|\.csv$/.test(path));
    expect(released.length).toBeGreaterThan(2);
    for (const path of released) expect(repeated[path], path).toBe(hashes[path]);
  });

  it('makes a run that was purged anew, of which functions that are still there remember nothing', async () => {
    const fresh = { ...WITHOUT_UTILITY, seed: 11 };
    const place = await bucket.store.get(PLACE_KEY);
    const { runId } = await runWorkflow(bucket.store, 'purged', await upload('purged', testKey(5), fresh));
    const objects = (await bucket.store.list(runKeys(runId!).root)).map((Key) => ({ Key }));
    await new S3Client({ forcePathStyle: true }).send(new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects: objects } }));
    const input = await upload('anew', testKey(10), fresh);
    expect(await runWorkflow(bucket.store, 'anew', input)).toMatchObject({ outcome: 'planned', runId });
    const figures = await bucket.store.get(runKeys(runId!).confidential.table('attribute-risk').csv);
    await bucket.store.put(PLACE_KEY, encodeKey(testKey(6)));
    const elsewhere = await runWorkflow(bucket.store, 'never-seen', input);
    await bucket.store.put(PLACE_KEY, place);
    expect(elsewhere.runId).not.toBe(runId);
    expect(await bucket.store.get(runKeys(elsewhere.runId!).confidential.table('attribute-risk').csv)).toEqual(figures);
  });

  it('is refused when the run has another, and none is kept of several at once', async () => {
    const other = { name: 'RunConflictError', code: 'other-release-key' };
    const end = await runWorkflow(bucket.store, 'other', await upload('other', testKey(7), settings));
    expect(end).toMatchObject({ outcome: 'failed', failure: other });
    const outcome = JSON.parse(await textOf('incoming/other/outcome.json'));
    expect(outcome.error).toMatchObject(other);

    const fresh = { ...WITHOUT_UTILITY, seed: 8 };
    const events = await Promise.all([8, 9].map((number) => upload(`race-${number}`, testKey(number), fresh)));
    const ends = await Promise.allSettled(events.map((input, i) => planRun({ execution: `race-${i}`, input })));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = ends.find((one) => one.status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ name: other.name, message: expect.stringMatching(/^other-release-key: /) });
  });

  it.each([
    ['is short', 'abc'],
    ['is all equal', '0'.repeat(64)],
  ])('is refused when it %s, without a word of it', async (name, text) => {
    const input = await upload(name.replaceAll(' ', '-'), undefined, { ...WITHOUT_UTILITY, seed: 9 });
    await bucket.store.put(`incoming/${name.replaceAll(' ', '-')}/release-key`, Buffer.from(text));
    const { failure } = await runWorkflow(bucket.store, name, input);
    expect(failure).toMatchObject({ name: 'InvalidConfigError', code: 'weak-key' });
    expect(failure!.message).not.toContain(text.slice(0, 8));
  });
});
