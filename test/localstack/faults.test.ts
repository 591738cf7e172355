import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeNpy } from '../../shared/arrays/npy.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { bucketHashes, laptopHashes, succeeded } from './compare-runs.ts';
import { ended, executionOf, runOf, start, store, tellEnd, upload } from './emulated-stack.ts';
import { withFault } from './faulty-function.ts';
import { redefine } from './published-function.ts';

/** Where faults count how often they happened: a function may run in several processes. */
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'synthrisk-faults-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

let faults = 0;

/** Source of a module with a function `happens()`, which is true for the first `times` calls. */
const counted = (times: number) => `
import { appendFileSync, readFileSync } from 'node:fs';
const file = ${JSON.stringify(join(directory, `count-${++faults}`))};
const happens = () => {
  appendFileSync(file, 'x');
  return readFileSync(file).length <= ${times};
};
`;

/** Uploads a table while a function has a fault: its run ends well, and leaves the bytes of a laptop. */
async function survives(name: string, table: Uint8Array, part: 'FitModel' | 'AssessBatch', fault: string): Promise<void> {
  await withFault(part, fault, async () => {
    await upload(name, table, SMALL_SETTINGS);
    succeeded(await executionOf(name));
  });
  expect(await bucketHashes(await runOf(name))).toEqual(await laptopHashes(table, SMALL_SETTINGS));
}

describe('a batch that fails', () => {
  it('is tried again, and the run leaves the bytes of a laptop', async () => {
    const table = smallTable({ seed: 31 });
    const fault = `${counted(2)}
      import { handler as original } from './original.mjs';
      export const handler = (task) => {
        if (task.batch === 2 && happens()) throw new Error('out of order');
        return original(task);
      };`;
    await survives('twice', table, 'AssessBatch', fault);
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
    // Meanwhile one part is lost a bit of, and another program's array takes its place.
    const part = [...before].find((key) => key.endsWith('columns.npy'))!;
    const whole = await store.get(part);
    let redone: number[] | undefined;
    for (const bytes of [whole.with(-3, whole.at(-3)! ^ 1), encodeNpy(new Float64Array(8), [8])]) {
      await store.put(part, bytes);
      const refused = await ended(await start({ runId, resume: true }));
      expect(refused).toMatchObject({ status: 'FAILED', error: 'ArtifactError' });
      expect((await readRunState(store, runId))!.error!.message).toContain(part.split('/').slice(2).join('/'));
      const tasks = JSON.parse(Buffer.from(await store.get(keys.tasks.assess(1))).toString());
      redone ??= tasks.map(({ batch }: { batch: number }) => batch);
    }
    await store.put(part, whole);
    // The end of the first execution is told of once more, long after.
    await tellEnd(failed.executionArn!, 'TIMED_OUT', failed.input!);
    const resumed = await ended(await start({ runId, resume: true }));
    succeeded(resumed);
    expect(redone).toContain(2);
    expect(redone!.filter((batch) => before.has(keys.part(1, batch).columns))).toEqual([]);
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
    await survives('killed', table, 'FitModel', fault);
  });
});

describe('a batch that is killed, and an answer that is lost', () => {
  it('lose nothing', async () => {
    const table = smallTable({ seed: 34 });
    const fault = `${counted(3)}
      const { handler: original } = await import('./original.mjs');
      const first = (name) => {
        appendFileSync(file + name, 'x');
        return readFileSync(file + name).length === 1;
      };
      export const handler = async (task) => {
        if (task.batch === 1 && first('killed')) process.kill(process.pid, 'SIGKILL');
        const answer = await original(task);
        // The part is there, and nobody hears of it: the batch is assessed once more.
        if (task.batch === 3 && first('lost')) throw new Error('the answer was lost');
        return answer;
      };`;
    await survives('breaking', table, 'AssessBatch', fault);
  });
});

describe('batches for which no function was free', () => {
  it('are left over, found by the step that puts parts together, and mapped over again', async () => {
    const table = smallTable({ seed: 35 });
    // As an Express child does that was throttled to its end: it ends well, and there is no part.
    const fault = `${counted(4)}
      import { handler as original } from './original.mjs';
      export const handler = async (task) =>
        happens() ? { runId: task.runId, round: task.round, batch: task.batch } : original(task);`;
    await redefine((definition) => definition.replace(/"Seconds":60\b/, '"Seconds":1'));
    try {
      await survives('left-over', table, 'AssessBatch', fault);
    } finally {
      await redefine((definition) => definition.replace(/"Seconds":1\b/, '"Seconds":60'));
    }
    const { tasks } = runKeys(await runOf('left-over'));
    expect(JSON.parse(Buffer.from(await store.get(tasks.assess(1))).toString())).toHaveLength(4);
  });
});

describe('one of several functions that share chains', () => {
  it('is killed half way, and goes on when it is tried again while the others go on', async () => {
    const table = smallTable({ seed: 36 });
    const fault = `${counted(2)}
      import http from 'node:http';
      import { syncBuiltinESMExports } from 'node:module';
      const { request } = http;
      let puts = 0;
      http.request = (options, ...rest) => {
        if (options.method === 'PUT' && options.path.includes('/draws/') && ++puts === 2 && happens())
          process.kill(process.pid, 'SIGKILL');
        return request(options, ...rest);
      };
      syncBuiltinESMExports();
      const { handler: original } = await import('./original.mjs');
      export const handler = original;`;
    await store.put('incoming/share-killed/budget.json', new TextEncoder().encode('{"fitTasks":3}'));
    await survives('share-killed', table, 'FitModel', fault);
  });
});
