import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runKeys } from '../../shared/contracts/keys.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { ended, executionOf, runOf, start, store, upload } from './emulated-stack.ts';
import { withFault } from './faulty-function.ts';

/** Where faults count how often they happened: a function may run in several processes. */
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'synthrisk-faults-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Source of a module with a function `happens()`, which is true for the first `times` calls. */
const counted = (times: number) => `
import { appendFileSync, readFileSync } from 'node:fs';
const file = ${JSON.stringify(join(directory, `count-${times}`))};
const happens = () => {
  appendFileSync(file, 'x');
  return readFileSync(file).length <= ${times};
};
`;

describe('a batch that fails', () => {
  it('is tried again, and the run leaves the bytes of a laptop', async () => {
    const table = smallTable({ seed: 31 });
    const fault = `${counted(2)}
      import { handler as original } from './original.mjs';
      export const handler = (task) => {
        if (task.batch === 2 && happens()) throw new Error('out of order');
        return original(task);
      };`;
    await withFault('AssessBatch', fault, async () => {
      await upload('twice', table, SMALL_SETTINGS);
      succeeded(await executionOf('twice'));
    });
    expect(await bucketHashes(await runOf('twice'))).toEqual(await laptopHashes(table, SMALL_SETTINGS));
  });

  it('for good fails the run by name, and is the only one that is redone when it is resumed', async () => {
    const table = smallTable({ seed: 32 });
    // Its part is sent to a bucket that is not there.
    const fault = `
      import http from 'node:http';
      import { syncBuiltinESMExports } from 'node:module';
      const { request } = http;
      http.request = (options, ...rest) => {
        const ofBatch = options.method === 'PUT' && options.path.includes('/parts/1/2/');
        const path = ofBatch ? options.path.replace(/^\\/[^/]+/, '/no-such-bucket') : options.path;
        return request({ ...options, path }, ...rest);
      };
      syncBuiltinESMExports();
      const { handler: original } = await import('./original.mjs');
      export const handler = original;`;
    const error = {
      name: 'StorageError',
      code: 'NoSuchBucket',
      message: expect.stringMatching(/^S3 put runs\/[0-9a-f]+\/parts\/1\/2\/.*: NoSuchBucket \(404\)$/),
    };
    const failed = await withFault('AssessBatch', fault, async () => {
      await upload('always', table, SMALL_SETTINGS);
      return executionOf('always');
    });
    const runId = await runOf('always');
    expect(await readRunState(store, runId)).toMatchObject({ status: 'failed', error });
    expect(failed).toMatchObject({ status: 'FAILED', error: error.name });
    expect(JSON.parse(failed.cause!).errorMessage).toMatch(/^NoSuchBucket: S3 put /);

    const keys = runKeys(runId);
    const before = new Set(await store.list(keys.parts));
    const resumed = await ended(await start({ runId, resume: true }));
    succeeded(resumed);
    const tasks = JSON.parse(Buffer.from(await store.get(keys.tasks.assess(1))).toString());
    const redone = tasks.map(({ batch }: { batch: number }) => batch);
    expect(redone).toContain(2);
    expect(redone.filter((batch: number) => before.has(keys.part(1, batch).columns))).toEqual([]);
    expect(await bucketHashes(runId)).toEqual(await laptopHashes(table, SMALL_SETTINGS));
  });
});

describe('chains that are killed half way', () => {
  it('go on when the step is tried again', async () => {
    const table = smallTable({ seed: 33 });
    const fault = `${counted(1)}
      import http from 'node:http';
      import { syncBuiltinESMExports } from 'node:module';
      const { request } = http;
      let puts = 0;
      http.request = (options, ...rest) => {
        if (options.method === 'PUT' && ++puts === 30 && happens()) process.kill(process.pid, 'SIGKILL');
        return request(options, ...rest);
      };
      syncBuiltinESMExports();
      const { handler: original } = await import('./original.mjs');
      export const handler = original;`;
    await withFault('FitModel', fault, async () => {
      await upload('killed', table, SMALL_SETTINGS);
      succeeded(await executionOf('killed'));
    });
    expect(await bucketHashes(await runOf('killed'))).toEqual(await laptopHashes(table, SMALL_SETTINGS));
  });
});
