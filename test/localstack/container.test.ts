import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { clientEnvironment, endpoint, root } from '../../localstack/emulator.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { CODE, environmentSize } from '../functions/fake-bucket.ts';
import { plantKeys } from '../functions/plant-keys.ts';
import { hashesBelow, runInMemory, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { type DockerDaemon, importNode, startDocker } from './docker-daemon.ts';

/** A bucket of its own: an upload to that of the stack would start the workflow. */
const BUCKET = 'container';
const BASE = 'synthrisk-base';
const IMAGE = 'synthrisk-fit-model';
const DRAWN = ['draws/', 'synthesis/', 'release/'];

const LOCATION = { ...clientEnvironment, BUCKET, ENVIRONMENT_SIZE: environmentSize(), CODE };
Object.assign(process.env, LOCATION, { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048' });

let daemon: DockerDaemon | undefined;
try {
  daemon = await startDocker();
} catch (error) {
  console.warn(`The container is not built: ${(error as Error).message}`);
}
afterAll(() => daemon?.stop());

it.skipIf(daemon === undefined)('the image of the container leaves the bytes of a laptop', async () => {
  const { docker } = daemon!;
  importNode(daemon!, BASE);
  docker('build', '--build-arg', `BASE_IMAGE=${BASE}`, '--tag', IMAGE, `${root}dist/functions/fit-model`);

  await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: BUCKET }));
  const store = new S3Store({ bucket: BUCKET, endpoint });
  await plantKeys(store, 'a');
  await store.put('incoming/a/run.yaml', Buffer.from(stringify(SMALL_SETTINGS)));
  await store.put('incoming/a/table.csv', smallTable());
  // It reads its environment when it is loaded.
  const { handler: planRun } = await import('../../functions/plan-run/handler.ts');
  const input = { bucket: BUCKET, key: 'incoming/a/table.csv' };
  const { runId } = await planRun({ execution: 'container', input });

  const variables = { ...LOCATION, RUN_ID: runId, ROUND: '1', THREADS: '2' };
  const environment = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  // As the task definition has it.
  const confined = ['--read-only', '--cap-drop', 'ALL', '--init'];
  docker('run', '--rm', '--network', 'host', ...confined, ...environment, IMAGE);

  const config = configSchema.parse(SMALL_SETTINGS);
  const laptop = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() });
  expect(laptop.plan.runId).toBe(runId);
  const expected = await hashesBelow(laptop.store, laptop.plan, ...DRAWN);
  expect(await hashesBelow(store, { runId }, ...DRAWN)).toEqual(expected);
  expect((await readRunState(store, runId))!.status).toBe('running');
  const user = docker('run', '--rm', ...confined, '--network', 'none', '--entrypoint', 'node', IMAGE, '-p', 'process.getuid()');
  expect(user.trim()).toBe('65534');
});
