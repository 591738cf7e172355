import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { newKey } from '../../shared/contracts/secret-key.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, mixedTable, runFigures, smallConfig, smallTable, TREE_SETTINGS } from '../pipeline/small-run.ts';
import { TEST_KEYS, testKey } from '../test-keys.ts';

/** A run that an intruder would repeat: who knows all records but one, and everything of the run but its keys. */
interface Attacked {
  readonly name: string;
  readonly table: Uint8Array;
  readonly config: Config;
  /** The variable of which he lacks one record's value. */
  readonly unknown: string;
}

/** Records that are attacked, one after the other, and how often each is. */
const TARGETS = 3;
const REPLAYS = 6;

/** Nothing of what is released hangs on utility. */
const ofRelease = (sections: object) => smallConfig({ ...sections, utility: 'off' });

const partial = { datasets: 2, synthesized: ['education'] };
const areal = { name: 'dp-areal', clusters: 6 };
const runs: Attacked[] = [50, 500].flatMap((records) => [
  {
    name: `DPMPM, fully synthetic, ${records} records`,
    table: smallTable({ records }),
    config: ofRelease({ attributeRisk: { candidates: { unknown: ['education'] } } }),
    unknown: 'education',
  },
  {
    name: `DPMPM, partially synthetic, ${records} records`,
    table: smallTable({ records }),
    config: ofRelease({ synthesis: partial }),
    unknown: 'education',
  },
  {
    name: `DP-areal, ${records} records`,
    table: smallTable({ records }),
    config: ofRelease({ model: areal, synthesis: partial }),
    unknown: 'education',
  },
  { name: `trees, ${records} records`, table: mixedTable({ records }), config: ofRelease(TREE_SETTINGS), unknown: 'employment' },
]);

/** The released files of a run on a table under a release key, each as lines. */
async function released({ config }: Attacked, table: Uint8Array, releaseKey: Uint8Array): Promise<string[][]> {
  const { store, plan } = await runFigures({
    purpose: 'synthesize',
    config,
    table,
    placeKey: newKey(),
    releaseKey: async () => releaseKey,
  });
  const keys = runKeys(plan.runId).release;
  const files = Array.from({ length: plan.datasets.count }, (_, l) => store.get(keys.dataset(l + 1)));
  return (await Promise.all(files)).map((bytes) => new TextDecoder().decode(bytes).split('\n'));
}

/** Rows of two releases that are the same, place by place. */
const agreement = (a: string[][], b: string[][]) =>
  a.reduce((sum, file, l) => sum + file.filter((line, row) => line === b[l]![row]).length, 0);

const equal = (a: string[][], b: string[][]) => JSON.stringify(a) === JSON.stringify(b);

/** The tables that agree with what the intruder knows: one for each value that the record may have. */
function candidateTables({ table, unknown }: Attacked, record: number): { value: string; table: Uint8Array }[] {
  const [header, ...rows] = csvRows(table);
  const column = header!.indexOf(unknown);
  return [...new Set(rows.map((row) => row[column]!))].sort().map((value) => ({
    value,
    table: encodeCsv(
      header!,
      rows.map((row, i) => (i === record ? row.with(column, value) : row)),
    ),
  }));
}

/** Records spread over the table whose value others share, so that no candidate changes the categories. */
function targets({ table, unknown }: Attacked): { record: number; truth: string }[] {
  const [header, ...rows] = csvRows(table);
  const column = header!.indexOf(unknown);
  const shared = rows
    .map((row, record) => ({ record, truth: row[column]! }))
    .filter(({ record, truth }) => rows.some((row, i) => i !== record && row[column] === truth));
  return Array.from({ length: TARGETS }, (_, t) => shared[Math.floor((t * shared.length) / TARGETS)]!);
}

/** Probability of the most probable value, as the run reports it; null where the model has no attribute risk. */
async function reported({ table, config }: Attacked, record: number): Promise<number | null> {
  const { store, plan, keys } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table });
  if (plan.batches.length === 0) return null;
  const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
  const [names, ...records] = csvRows(table);
  const at = (name: string) => header!.indexOf(name);
  const row = header!.includes('record')
    ? rows[record]!
    : rows.find((one) => names!.every((name) => one[at(name)] === records[record]![names!.indexOf(name)]))!;
  return Math.max(Number(row[at('probability')]), Number(row[at('first_guess_probability')]));
}

describe.each(runs)('a release that somebody tries to replay ($name)', (run) => {
  it('comes again under its key, and then from the truth alone', async () => {
    const [{ record, truth }] = targets(run) as [{ record: number; truth: string }];
    const release = await released(run, run.table, testKey(2));
    for (const { value, table } of candidateTables(run, record)) {
      expect(equal(await released(run, table, testKey(2)), release), String(value === truth)).toBe(value === truth);
    }
  });

  it('comes from no candidate under a key that can be guessed, nor does the truth look nearer', async () => {
    const release = await released(run, run.table, testKey(2));
    const guessed = await guessedKeys(run);
    let hits = 0;
    let expected = 0;
    let variance = 0;
    for (const { record, truth } of targets(run)) {
      const tables = candidateTables(run, record);
      const chance = await reported(run, record);
      for (let replay = 0; replay < REPLAYS; replay++) {
        const key = guessed[replay] ?? newKey();
        let best = { value: '', rows: -1 };
        for (const { value, table } of tables) {
          const replayed = await released(run, table, key);
          expect(equal(replayed, release)).toBe(false);
          const rows = agreement(replayed, release);
          if (rows > best.rows) best = { value, rows };
        }
        hits += best.value === truth ? 1 : 0;
        const p = chance ?? mostFrequentShare(run);
        expected += p;
        variance += p * (1 - p);
      }
    }
    // No better than the intruder who is reported does with the same release, as far as so many attempts can tell.
    expect(hits).toBeLessThanOrEqual(expected + 4 * Math.sqrt(variance));
  });
});

/** Keys that can be made of what stands in the open: of the seed, of the id of the run, and of each open file. */
async function guessedKeys({ table, config }: Attacked): Promise<Uint8Array[]> {
  const { store, plan, keys } = await runFigures({ ...TEST_KEYS, purpose: 'synthesize', config, table });
  const files = [keys.openPlan, keys.manifest, keys.release.dataset(1)].map((key) => store.get(key));
  const known = [String(config.seed), plan.runId, ...(await Promise.all(files))];
  return known.map((bytes) => createHash('sha256').update(bytes).digest());
}

/** What guessing the most frequent value gets right, where no attribute risk is reported. */
function mostFrequentShare({ table, unknown }: Attacked): number {
  const [header, ...rows] = csvRows(table);
  const column = header!.indexOf(unknown);
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row[column]!, (counts.get(row[column]!) ?? 0) + 1);
  return Math.max(...counts.values()) / rows.length;
}
