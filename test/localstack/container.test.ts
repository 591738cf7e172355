import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { clientEnvironment, endpoint, root } from '../../localstack/emulator.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { run } from '../debian-packages.ts';
import { CODE, environmentSize } from '../functions/fake-bucket.ts';
import { plantKeys } from '../functions/plant-keys.ts';
import { hashesBelow, runInMemory, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { SMALL_FLAGS } from '../run-command.ts';
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

it.skipIf(daemon === undefined)(
  'the image of the program evaluates a table in a folder that is mounted, and needs nothing else',
  async () => {
    const { docker } = daemon!;
    importNode(daemon!, BASE);
    const base = docker('image', 'inspect', '--format', '{{.Id}}', BASE).trim();
    const out = mkdtempSync(join(tmpdir(), 'synthrisk-image-test-'));
    try {
      const builder = join(out, 'builder');
      writeFileSync(builder, `#!/bin/sh\nexec ${daemon!.command.map((word) => `'${word}'`).join(' ')} "$@"\n`, { mode: 0o755 });
      const build = [
        'run',
        '--silent',
        'packages',
        '--',
        'image',
        '--base-image',
        base,
        '--builder',
        builder,
        '--out',
        join(out, 'packages'),
      ];
      const printed = run('npm', build, root);
      const digest = docker('image', 'inspect', '--format', '{{.Id}}', `synthrisk:${VERSION}`).trim();
      expect(printed.split('\n')[0]).toBe(`synthrisk:${VERSION} ${digest}`);
      expect(() => run('npm', [...build.slice(0, 5), '--base-image', 'node:22', ...build.slice(7)], root)).toThrow();

      const data = join(out, 'data');
      mkdirSync(data, { mode: 0o777 });
      writeFileSync(join(data, 'table.csv'), smallTable());
      chownSync(data, 1234, 1234);
      const confined = [
        '--rm',
        '--read-only',
        '--network',
        'none',
        '--cap-drop',
        'ALL',
        '--user',
        '1234:1234',
        '--volume',
        `${data}:/work`,
      ];
      docker('run', ...confined, `synthrisk:${VERSION}`, 'evaluate', 'table.csv', ...SMALL_FLAGS, '--out', 'run', '--quiet');
      expect(readdirSync(join(data, 'run', 'release'))).toEqual([
        'synthetic-1.csv',
        'synthetic-2.csv',
        'synthetic-3.csv',
        'synthetic-4.csv',
        'synthetic-5.csv',
      ]);
      expect(statSync(join(data, 'run', 'confidential', 'report.html')).uid).toBe(1234);
      // Without a user nobody runs it, who may not write here.
      expect(() => docker('run', '--rm', '--volume', `${data}:/work`, `synthrisk:${VERSION}`, 'synthesize', 'table.csv')).toThrow(
        /Choose another folder/,
      );
    } finally {
      rmSync(out, { recursive: true });
    }
  },
);
