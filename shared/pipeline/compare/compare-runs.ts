import { readJson } from '../../artifacts/stored-json.ts';
import { readRecordTable, readStoredTable } from '../../artifacts/stored-table.ts';
import { type AskedMap, compareSummaries, type RunToCompare } from '../../compare/compare-summaries.ts';
import { keepsRecords } from '../../contracts/config/config.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Comparison } from '../../contracts/results/comparison.ts';
import { summarySchema } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { VERSION } from '../../contracts/version.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText, recordTexts } from '../../table/category-text.ts';

/** A finished run as the one who may read all of it has it. */
export interface StoredRun {
  readonly plan: Plan;
  readonly store: Store;
}

/**
 * Whether two runs are of the same table: of the same file, or else of the same variables and records, in whatever order and
 * format. Their confidential artifacts tell, since nothing in the open does.
 */
export async function sameTable(a: StoredRun, b: StoredRun): Promise<boolean> {
  if (a.plan.table.sha256 === b.plan.table.sha256) return true;
  if (a.plan.table.records !== b.plan.table.records || a.plan.table.variables !== b.plan.table.variables) {
    return false;
  }
  const [own, other] = [await countRecords(a), await countRecords(b)];
  return own.size === other.size && [...own].every(([record, count]) => other.get(record) === count);
}

/** How many records of a run's table have each row of values, by name of the variable. */
async function countRecords({ plan, store }: StoredRun): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (names: readonly string[], texts: readonly (string | number | null)[], count: number) => {
    const pairs = texts.map((text, v) => [names[v]!, text === null ? null : String(text)] as const);
    const key = JSON.stringify(pairs.toSorted(([first], [second]) => (first < second ? -1 : 1)));
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  if (keepsRecords(plan.config)) {
    const table = await readRecordTable(store, plan);
    const names = table.schema.variables.map(({ name }) => name);
    for (const texts of recordTexts(table)) add(names, texts, 1);
    return counts;
  }
  const { schema, combinations } = await readStoredTable(store, plan.runId);
  const names = schema.variables.map(({ name }) => name);
  for (let row = 0; row < combinations.count; row++) {
    const from = row * combinations.variables;
    const texts = names.map((_, v) => categoryText(schema, v, combinations.codes[from + v]!));
    add(names, texts, combinations.counts[row]!);
  }
  return counts;
}

/** A finished run with what it is called. */
export interface NamedRun extends StoredRun {
  readonly name: string;
}

/**
 * Holds finished runs of one table against each other: `compare`.
 *
 * @throws InvalidConfigError `too-few-runs`, `repeated-run`, `no-summary`, `not-assessable`, `other-table`, `unknown-measure`
 */
export async function compareRuns(runs: readonly NamedRun[], asked: AskedMap): Promise<Comparison> {
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0) {
    throw new InvalidConfigError('too-few-runs', 'Name two runs at least.');
  }
  if (new Set(runs.map(({ plan }) => plan.runId)).size < runs.length) {
    throw new InvalidConfigError('repeated-run', 'A run is named twice.');
  }
  for (const { name, plan } of runs) {
    if (plan.purpose !== 'calibrate') continue;
    throw new InvalidConfigError('no-summary', `${name} is a calibration, which has no release to compare.`);
  }
  for (const other of others) {
    if (await sameTable(first, other)) continue;
    throw new InvalidConfigError('other-table', `${other.name} is of another table than ${first.name}.`);
  }
  const read: RunToCompare[] = [];
  for (const { name, plan, store } of runs) {
    const summary = await readJson(store, runKeys(plan.runId).confidential.summary, summarySchema);
    if (!summary.assessable) {
      throw new InvalidConfigError(
        'not-assessable',
        `${name} is not assessable, and no figure of it can be compared: ${summary.assessableReason}`,
      );
    }
    read.push({ name, summary, randomness: await randomnessOf({ plan, store }) });
  }
  return compareSummaries(read, asked, VERSION);
}

/** What the random numbers of a run are from; null where its release key has been deleted. */
async function randomnessOf({ plan, store }: StoredRun): Promise<string | null> {
  const key = runKeys(plan.runId).confidential.releaseKey;
  if ((await store.head(key)) === null) return null;
  return JSON.stringify([new TextDecoder().decode(await store.get(key)), plan.config.seed]);
}
