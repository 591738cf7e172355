import { CreateBucketCommand, GetObjectTaggingCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { clientEnvironment, endpoint } from '../../localstack/emulator.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { storeSuite } from '../storage/store-suite.ts';

let client: S3Client;
let buckets = 0;

/** A store in a new bucket. */
async function open(): Promise<{ store: S3Store; bucket: string }> {
  const bucket = `store-suite-${++buckets}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return { bucket, store: new S3Store({ bucket, endpoint }) };
}

beforeAll(() => {
  for (const [name, value] of Object.entries(clientEnvironment)) vi.stubEnv(name, value);
  client = new S3Client({ endpoint, forcePathStyle: true });
});

storeSuite('S3Store over LocalStack', async () => (await open()).store);

describe('S3Store over LocalStack', () => {
  it('tags what can go when a run has finished', async () => {
    const { store, bucket } = await open();
    const tagsOf = async (path: string) => {
      const key = `runs/r1/${path}`;
      await store.put(key, new Uint8Array(1));
      return (await client.send(new GetObjectTaggingCommand({ Bucket: bucket, Key: key }))).TagSet;
    };
    expect(await tagsOf('parts/1/1/columns.npy')).toEqual([{ Key: 'lifecycle', Value: 'intermediate' }]);
    expect(await tagsOf('plan.json')).toEqual([]);
  });
});
