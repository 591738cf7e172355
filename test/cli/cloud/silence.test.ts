import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AwsEnvironment } from '../../../cli/cloud/aws-environment.ts';
import { checkExistingBucket } from '../../../cli/cloud/bucket-checks.ts';
import { BucketObjects } from '../../../cli/cloud/bucket-objects.ts';
import { readDeployedStack } from '../../../cli/cloud/deployed-stack.ts';
import { manifestSigner } from '../../../functions/report-run/manifest-signer.ts';
import { S3Store } from '../../../shared/storage/s3-store.ts';

// As in the program, where it is a minute and more.
vi.mock('../../../shared/storage/client-timeouts.ts', () => {
  const timeouts = { connectionTimeout: 200, socketTimeout: 50 };
  return { CLIENT_TIMEOUTS: timeouts, CALL_TIMEOUTS: timeouts };
});

/** A service that takes connections, and says nothing; or begins an answer and breaks off in silence. */
const sockets = new Set<Socket>();
let connections = 0;
let beginning = '';
const server = createServer((socket) => {
  connections++;
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.once('data', () => socket.write(beginning));
});
let endpoint: string;
const place = () => ({ endpoint, region: 'us-east-1' });

// Clients wait a random part of up to 20 s before they try again: none of it.
vi.spyOn(Math, 'random').mockReturnValue(0);

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  connections = 0;
  beginning = '';
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const version = { key: 'a', version: '1', isLatest: true, isMarker: false };
const CLIENTS: Record<string, readonly [error: string, ask: () => Promise<unknown>]> = {
  'the store': ['StorageError', () => new S3Store({ bucket: 'evaluations', ...place() }).get('runs/a/plan.json')],
  'versions and locks': ['StorageError', () => new BucketObjects({ bucket: 'evaluations', ...place() }).lockedUntil(version)],
  'the environment': ['ServiceError', async () => (await AwsEnvironment.open({ environment: 'test', ...place() } as never)).uploads()],
  'the key that signs': ['ServiceError', () => manifestSigner('alias/key', endpoint)(new Uint8Array(1))],
  'the stack': ['ServiceError', () => readDeployedStack('synthrisk', place())],
};

it.each(Object.entries(CLIENTS))(
  'a service that takes a request and never answers is tried again, and then an error by its name: %s',
  async (_, [name, ask]) => {
    await expect(ask()).rejects.toMatchObject({ name, code: 'TimeoutError' });
    expect(connections).toBeGreaterThan(1);
  },
  120_000,
);

it('so is an object that breaks off in silence', async () => {
  beginning = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n0123456789';
  await expect(CLIENTS['the store']![1]()).rejects.toMatchObject({ name: 'StorageError' });
  expect(connections).toBeGreaterThan(1);
}, 120_000);

it('and the checks of a bucket that was there before say that there is no answer', async () => {
  const checks = await checkExistingBucket('evaluations', 'arn:aws:kms:us-east-1:111122223333:key/a', place());
  expect(checks.map(({ message }) => message)).toEqual(checks.map(() => 'S3 does not say: TimeoutError'));
}, 120_000);
