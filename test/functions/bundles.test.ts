import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runKeys } from '../../shared/contracts/keys.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { BUCKET, fakeBucket } from './fake-bucket.ts';
import { runWorkflow } from './run-workflow.ts';

const BUNDLES = fileURLToPath(new URL('../../dist/functions/', import.meta.url));
const NAMES = readdirSync(BUNDLES).filter((name) => name !== 'fit-model');

const bucket = fakeBucket();
/** Far from the project, where no package is found. */
let directory: string;

type Handler = (event: unknown) => Promise<unknown>;

async function load(name: string): Promise<Handler> {
  const copy = join(directory, `${name}.mjs`);
  copyFileSync(join(BUNDLES, name, 'index.mjs'), copy);
  return (await import(/* @vite-ignore */ pathToFileURL(copy).href)).handler;
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'synthrisk-bundles-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the bundles of the functions', () => {
  it('are there for every function', () => {
    const functions = readdirSync(new URL('../../functions/', import.meta.url));
    // The two containers have one image.
    expect([...NAMES, 'fit-model', 'close-run', 'runtime'].sort()).toEqual(functions.sort());
  });

  it.each(NAMES)('hold all that %s needs, and keep the names of errors', async (name) => {
    const handler = await load(name);
    await expect(handler({ nothing: 'of use' })).rejects.toMatchObject({
      name: 'InvalidConfigError',
      message: expect.stringMatching(/^malformed-input: /),
    });
  });

  it('draw the charts of the report as the sources do', async () => {
    await bucket.store.put('incoming/a/run.yaml', Buffer.from(stringify(SMALL_SETTINGS)));
    await bucket.store.put('incoming/a/table.csv', smallTable());
    const { runId } = await runWorkflow(bucket.store, 'a', { bucket: BUCKET, key: 'incoming/a/table.csv' });
    const { report } = runKeys(runId!).confidential;
    const expected = await bucket.store.get(report);
    await bucket.store.put(report, new Uint8Array(0));
    const handler = await load('report-run');
    expect(await handler({ runId })).toEqual({ runId });
    expect(await bucket.store.get(report)).toEqual(expected);
  });
});
