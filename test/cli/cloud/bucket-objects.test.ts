import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { BucketObjects } from '../../../cli/cloud/bucket-objects.ts';

/** What S3 answers when it is asked for the lock of an object whose key is the code. */
const server = createServer(({ url }, response) => {
  const code = new URL(url!, 'http://s3').pathname.split('/')[2]!;
  response.writeHead(code.startsWith('No') || code.startsWith('Object') ? 404 : 400, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
});
let objects: BucketObjects;

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  objects = new BucketObjects({ bucket: 'evaluations', endpoint, region: 'us-east-1' });
});
afterAll(() => server.close());

const lockOf = (key: string) => objects.lockedUntil({ key, version: '1', isLatest: true, isMarker: false });

it.each(['InvalidRequest', 'NoSuchObjectLockConfiguration', 'ObjectLockConfigurationNotFoundError'])(
  'an object has no lock where S3 says %s',
  async (code) => {
    expect(await lockOf(code)).toBeNull();
  },
);

it('what else S3 says of a lock is an error by its name', async () => {
  await expect(lockOf('MalformedXML')).rejects.toMatchObject({ name: 'StorageError', code: 'MalformedXML' });
});
