import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { PLACE_KEY, runKeys, uploadKeys } from '../../shared/contracts/keys.ts';
import { encodeKey, newKey } from '../../shared/contracts/secret-key.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { BUCKET, environmentSize, fakeBucket } from '../functions/fake-bucket.ts';
import { type AsStep, runWorkflow, uploadEvent } from '../functions/run-workflow.ts';
import { csvRows, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { testKey } from '../test-keys.ts';
import { comparable, differences, openArtifacts, type Seen } from './open-artifacts.ts';

const SETTINGS = {
  ...SMALL_SETTINGS,
  mcmc: { chains: 2, burnIn: 4, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1 },
  synthesis: { datasets: 1 },
};

// As many batches for every candidate: they tell combinations to within a batch, which docs/explanation/threat-model.md says.
const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 40 }) });

/** The record that the intruder does not know, and the variable that is unknown of it. */
const UNKNOWN = [3, 11, 29, 47, 58].map((record, i) => ({ record, variable: [2, 3, 2, 0, 3][i]! }));

const [header, ...rows] = csvRows(smallTable({ seed: 6 }));
// A value that no other record has, longer than the others.
rows[11]![3] = 'looks after the household and the family of a relative';

/** The table for a guess: everything else as the intruder knows it. */
function tableWith(record: number, variable: number, value: string): Uint8Array {
  return encodeCsv(
    header!,
    rows.map((row, i) => (i === record ? row.map((known, v) => (v === variable ? value : known)) : row)),
  );
}

let uploads = 0;

/**
 * A run of a table as somebody sees it who may watch: every open object, and what its execution was handed and gave back
 * in each step. The place has a key of its own each time, and so has the release unless one is given.
 */
async function watch(table: Uint8Array, releaseKey?: Uint8Array): Promise<{ runId: string; seen: Seen }> {
  const upload = uploadKeys(`incoming/watched-${String(++uploads).padStart(3, '0')}/table.csv`)!;
  await bucket.store.put(PLACE_KEY, encodeKey(newKey()));
  await bucket.store.put(upload.config, Buffer.from(stringify(SETTINGS)));
  if (releaseKey) await bucket.store.put(upload.releaseKey, encodeKey(releaseKey));
  await bucket.store.put(upload.table, table);
  const outputs: unknown[] = [];
  const noting: AsStep = async (step, work) => {
    const output = await work();
    outputs.push([step, output]);
    return output;
  };
  const event = uploadEvent(BUCKET, upload.table);
  const end = await runWorkflow(bucket.store, 'execution', event, noting);
  expect(end).toMatchObject({ outcome: 'planned' });
  const runId = end.runId!;
  const artifacts = await openArtifacts(bucket.store, runId, upload.outcome);
  const named = { ...artifacts, execution: comparable([event, outputs, end], runId) };
  const text = JSON.stringify(named).replaceAll(/watched-\d+/g, 'UPLOAD');
  return { runId, seen: JSON.parse(text) };
}

beforeAll(async () => {
  // The functions begin to count what they use: the last note of a run is counted to the next.
  await watch(smallTable());
});

describe.each([
  ['with keys of their own', undefined],
  ['even where the release key were known, and that of the place alone is not', testKey(4)],
])('what is open of a run in AWS is the same for every guess at a record, %s', (_how, releaseKey) => {
  let truth: Awaited<ReturnType<typeof watch>>;

  beforeAll(async () => {
    truth = await watch(encodeCsv(header!, rows), releaseKey);
  });

  it.each(UNKNOWN)('record $record, variable $variable', async ({ record, variable }) => {
    const candidates = [...new Set(rows.map((row) => row[variable]!))];
    expect(candidates.length).toBeGreaterThan(2);
    for (const value of candidates) {
      const rebuilt = await watch(tableWith(record, variable, value), releaseKey);
      expect(differences(truth.seen, rebuilt.seen), value).toEqual([]);
      expect(rebuilt.runId).not.toBe(truth.runId);
    }
  });

  it('is what a watcher may read, and there is some', () => {
    expect(Object.keys(truth.seen).filter((place) => !place.includes('/used/'))).toEqual([
      ...['lock', 'manifest', 'manifest.signature', 'plan', 'run'].map((name) => `runs/RUN/${name}.json`),
      ...['assess-1', 'progress', 'uploads/UPLOAD'].map((name) => `runs/RUN/tasks/${name}.json`),
      'incoming/UPLOAD/outcome.json',
      'execution',
    ]);
  });
});

describe('the comparison', () => {
  it('finds what told of a record: the digests and the figures of a plan, the digits of a round, a size', async () => {
    const { record, variable } = UNKNOWN[0]!;
    const value = rows.map((row) => row[variable]!).find((other) => other !== rows[record]![variable])!;
    const tables = [encodeCsv(header!, rows), tableWith(record, variable, value)];
    const told = [];
    for (const table of tables) {
      const { runId, seen } = await watch(table, testKey(4));
      const keys = runKeys(runId);
      const read = async (key: string) => JSON.parse(new TextDecoder().decode(await bucket.store.get(key)));
      const plan = await read(keys.plan);
      const artifacts = (await read(keys.confidential.manifest)).artifacts;
      const secrets = {
        sha256: plan.table.sha256,
        round: await read(keys.round(1)),
        digests: artifacts['table/counts.npy'],
        size: [table.length],
      };
      const places = Object.entries(secrets).map(([name, secret]) => [name, comparable(secret, runId)]);
      told.push({ ...seen, ...Object.fromEntries(places) });
    }
    expect(differences(told[0]!, told[1]!)).toEqual(['digests', 'round', 'sha256', 'size']);
  });
});
