import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { StorageError } from '../../shared/contracts/errors.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { FakeS3, type Fault } from './fake-s3.ts';
import { storeSuite } from './store-suite.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

let fake: FakeS3;
let buckets = 0;

/** A store in a bucket of its own. */
function open(): { store: S3Store; bucket: string } {
  const bucket = `bucket-${++buckets}`;
  return { bucket, store: new S3Store({ bucket, region: 'us-east-1', endpoint: fake.endpoint }) };
}

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  fake = await FakeS3.start();
});
afterEach(() => {
  fake.requests.length = 0;
  fake.pageSize = 1000;
});
afterAll(() => fake.stop());

storeSuite('S3Store', () => open().store);
storeSuite('S3Store that heads by lists', () => {
  const location = { bucket: `bucket-${++buckets}`, region: 'us-east-1', endpoint: fake.endpoint };
  return new S3Store({ ...location, headsByList: true });
});

describe('S3Store', () => {
  const times = (count: number, fault: Fault) => Array.from({ length: count }, () => fault);

  it('asks for a range of the object, not for all of it', async () => {
    const { store } = open();
    await store.put('runs/r1/plan.json', bytesOf('0123456789'));
    await store.get('runs/r1/plan.json', { start: 3, end: 6 });
    expect(fake.requests.at(-1)!.headers.range).toBe('bytes=3-5');
  });

  it('asks for no object and for no other key to hear whether one is there, where it may list some alone', async () => {
    const { bucket } = open();
    const store = new S3Store({ bucket, region: 'us-east-1', endpoint: fake.endpoint, headsByList: true });
    await store.put('runs/r1/run.json.old', bytesOf('0123456789'));
    fake.requests.length = 0;
    expect(await store.head('runs/r1/run.json')).toBeNull();
    expect(fake.requests.map(({ method, prefix }) => [method, prefix])).toEqual([['GET', 'runs/r1/run.json']]);
  });

  it('lists page by page, in the order of the port', async () => {
    const { store } = open();
    fake.pageSize = 2;
    // UTF-8 puts U+FF5E before U+1F600; UTF-16 the other way round.
    const keys = ['runs/r1/1', 'runs/r1/2', 'runs/r1/a&b', 'runs/r1/\u{1f600}', 'runs/r1/\uff5e'];
    for (const key of keys) await store.put(key, bytesOf('x'));
    fake.requests.length = 0;
    expect(await store.list('runs/r1/')).toEqual(keys);
    expect(fake.requests).toHaveLength(3);
  });

  it.each([
    { method: 'PUT', status: 503, code: 'SlowDown' },
    { method: 'PUT', status: 500, code: 'InternalError' },
    { method: 'GET', status: 503, code: 'SlowDown' },
    { method: 'GET', breaksOff: true },
    { method: 'GET', losesBit: true },
  ] as const)('tries again when a request fails: %o', async (fault) => {
    const { store } = open();
    fake.fail(...times(2, fault));
    expect(await store.put('runs/r1/run.json', bytesOf('0123456789'))).toBe('written');
    expect(await store.get('runs/r1/run.json')).toEqual(bytesOf('0123456789'));
    expect(fake.requests.filter(({ method }) => method === fault.method)).toHaveLength(3);
  });

  it('sends a checksum with every object, so that S3 keeps none that lost a bit on the way', async () => {
    const { store } = open();
    fake.fail({ method: 'PUT', losesBit: true });
    await expect(store.put('runs/r1/run.json', bytesOf('0123456789'))).rejects.toMatchObject({ name: 'StorageError', code: 'BadDigest' });
    expect(await store.head('runs/r1/run.json')).toBeNull();
    expect(fake.requests[0]!.headers).toHaveProperty('x-amz-checksum-crc32');
  });

  it('tries a conditional write again when another one is under way, and then finds that one', async () => {
    const { store } = open();
    const conflict = { method: 'PUT', status: 409, code: 'ConditionalRequestConflict' };
    fake.fail(...times(2, conflict));
    expect(await store.put('runs/r1/part', bytesOf('first'), { ifAbsent: true })).toBe('written');
    fake.fail(conflict);
    expect(await store.put('runs/r1/part', bytesOf('second'), { ifAbsent: true })).toBe('present');
    expect(await store.get('runs/r1/part')).toEqual(bytesOf('first'));
  });

  it('takes a conditional write whose answer was lost for present', async () => {
    const { store } = open();
    fake.fail({ method: 'PUT', status: 500, code: 'InternalError', stored: true });
    expect(await store.put('runs/r1/part', bytesOf('mine'), { ifAbsent: true })).toBe('present');
    expect(await store.get('runs/r1/part')).toEqual(bytesOf('mine'));
  });

  it('makes a change whose answer was lost once', async () => {
    const { store } = open();
    const longer = (bytes: Uint8Array | null) => bytesOf('x'.repeat((bytes?.length ?? 0) + 1));
    for (const length of [1, 2]) {
      fake.fail({ method: 'PUT', status: 500, code: 'InternalError', stored: true });
      await store.change('runs/r1/run.json', longer);
      expect((await store.get('runs/r1/run.json')).length).toBe(length);
    }
  });

  it('gives a version that another has taken the place of, with when it was put', async () => {
    const { bucket, store } = open();
    const key = 'incoming/a/table.csv';
    await store.put(key, bytesOf('first'));
    const version = fake.versionOf(bucket, key)!;
    await store.put(key, bytesOf('second'));
    const { bytes, put } = await store.getVersion(key, version);
    expect(bytes).toEqual(bytesOf('first'));
    expect((await store.listPut('incoming/a/')).get(key)!.getTime()).toBeGreaterThanOrEqual(put.getTime());
    await expect(store.getVersion(key, 'another')).rejects.toMatchObject({ code: 'artifact-not-found' });
  });

  it.each([
    { method: 'GET', status: 403, code: 'AccessDenied' },
    { method: 'GET', status: 404, code: 'NoSuchBucket' },
  ])('names what the service refuses, and what it said in a word: %o', async (fault) => {
    const { store } = open();
    fake.fail(fault);
    const refused = store.get('runs/r1/plan.json');
    await expect(refused).rejects.toThrow(StorageError);
    await expect(refused).rejects.toMatchObject({ code: fault.code, message: `S3 get runs/r1/plan.json: ${fault.code} (${fault.status})` });
    expect(fake.requests).toHaveLength(1);
  });

  it('does not call an object absent that it may not see', async () => {
    const { store } = open();
    fake.fail({ method: 'HEAD', status: 403, code: 'AccessDenied' });
    await expect(store.head('runs/r1/plan.json')).rejects.toThrow(StorageError);
  });

  it('tags what can go when a run has finished, the table by itself, and nothing else', async () => {
    const { store, bucket } = open();
    const intermediate = ['draws/base/1.npz', 'parts/1/columns.npy', 'synthesis/1/source.json'];
    const kept = ['release/synthetic-1.csv', 'confidential/summary.json', 'plan.json'];
    const paths = [...intermediate, 'table/counts.npy', ...kept];
    for (const path of paths) await store.put(`runs/r1/${path}`, bytesOf('x'));
    for (const path of intermediate) expect(fake.tagging(bucket, `runs/r1/${path}`)).toBe('lifecycle=intermediate');
    expect(fake.tagging(bucket, 'runs/r1/table/counts.npy')).toBe('lifecycle=table');
    for (const path of kept) expect(fake.tagging(bucket, `runs/r1/${path}`)).toBeUndefined();
    const inParts = [new Uint8Array(9_000_000), new Uint8Array(9_000_000)];
    await store.putPieces('runs/r1/draws/large.npz', inParts);
    expect(fake.requests.slice(-4).map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT', 'POST']);
    expect(fake.tagging(bucket, 'runs/r1/draws/large.npz')).toBe('lifecycle=intermediate');
  });

  it('leaves encryption to the bucket', async () => {
    const { store } = open();
    await store.put('runs/r1/run.json', bytesOf('x'));
    expect(Object.keys(fake.requests[0]!.headers).filter((name) => /encryption/.test(name))).toEqual([]);
  });

  it('gives every read a buffer of its own', async () => {
    const { store } = open();
    await store.put('runs/r1/small', bytesOf('0123456789'));
    const bytes = await store.get('runs/r1/small');
    expect(bytes.byteOffset).toBe(0);
    expect(bytes.buffer.byteLength).toBe(10);
  });
});
