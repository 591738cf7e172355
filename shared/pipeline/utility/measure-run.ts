import { type RecordRelease, readDatasets, readRecordRelease } from '../../artifacts/stored-dataset.ts';
import { encodeCheckedJson, encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { readStreams } from '../../artifacts/stored-keys.ts';
import { readStoredTable } from '../../artifacts/stored-table.ts';
import { listed, writeTable } from '../../artifacts/write-table.ts';
import type { ResultTable } from '../../contracts/column.ts';
import { type FigureRow, figureColumns } from '../../contracts/column.ts';
import { keepsRecords } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import { type MeasuredUtility, measuredUtilitySchema } from '../../contracts/results/utility.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { tableSchema } from '../../contracts/schema.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderUtility } from '../../report/render-utility.ts';
import { openRelease } from '../../risk/bounds/open-bounds.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';
import { countedRows, rowsOfCombinations, rowsOfRecords } from '../../table/counted-rows.ts';
import { MOST_DEFAULT_COEFFICIENTS, MOST_REGRESSIONS } from '../../utility/default-regressions.ts';
import { measureUtility, utilityUnits } from '../../utility/measure-utility.ts';
import { openUtility } from '../../utility/open-utility.ts';
import type { prepareUtility } from '../../utility/prepare-utility.ts';
import type { UtilityInput } from '../../utility/utility-input.ts';
import { utilityRows } from '../../utility/utility-rows.ts';
import { utilityWork } from '../../utility/utility-work.ts';
import { withoutMissing } from '../../utility/without-missing.ts';

/** `utility.csv`. */
export const UTILITY: ResultTable<FigureRow> = {
  file: 'utility',
  row: 'a figure',
  columns: figureColumns(
    '`table`, `propensity`, `regression`, `prediction`, `patterns`, `association` or `distribution`.',
    'Variables of a table, kind of score, or formula with coefficient.',
  ),
};

/** Stores `utility.csv` and `.parquet`: one row a figure. */
async function writeUtilityTable(store: Store, runId: string, measured: MeasuredUtility): Promise<void> {
  await writeTable(store, runId, UTILITY, listed([...utilityRows(measured)]));
}

/** Stands in keys for the id of a run: what `utility` stores is of none. */
export const UTILITY_ID = 'utility';

/** Stores what `utility` found: every figure as a table, the document, and its page. */
export async function storeUtility(store: Store, measured: MeasuredUtility): Promise<void> {
  const { confidential } = runKeys(UTILITY_ID);
  const page = await renderUtility(measured.summary, { version: VERSION });
  await writeUtilityTable(store, UTILITY_ID, measured);
  await store.put(confidential.utility, encodeJson(measured.summary));
  await store.put(confidential.utilityReport, new TextEncoder().encode(page));
}

/** Measures what is prepared of a table and its datasets, somewhere; null where it was ended before. */
export type MeasureUtility = (...what: Parameters<typeof prepareUtility>) => Promise<MeasuredUtility | null>;

/** Measures in this thread. `onUnits` hears of {@link utilityRunUnits} at most. */
export function inThisThread(plan: Plan, onUnits: OnUnits = () => undefined): MeasureUtility {
  return async (input, opened, open) => {
    const steps = measureUtility(input, opened, open);
    // What is planned is as much as is known without the categories: of all of it the same share is done.
    const scale = utilityRunUnits(plan) / utilityUnits(input, opened);
    let [next, done] = [steps.next(), 0];
    for (; !next.done; next = steps.next()) {
      const units = Math.floor(scale * next.value) - done;
      if (units > 0) onUnits(units);
      done += units;
    }
    return next.value;
  };
}

/**
 * Measures how well a run's datasets serve for what its table does, and keeps what was found with a checksum. What is there already
 * is not measured again.
 *
 * @param release of partially synthetic datasets, where it has been read
 * @returns what was measured, or why nothing was
 */
export async function measureRun(
  store: Store,
  plan: Plan,
  release: RecordRelease | null = null,
  measure: MeasureUtility = inThisThread(plan),
): Promise<MeasuredUtility | string> {
  const { utility, variables } = plan.config;
  if (utility === 'off') return 'It was not asked for (utility: off).';
  const { confidential, table } = runKeys(plan.runId);
  const key = confidential.measuredUtility;
  if ((await store.head(key)) !== null) return readCheckedJson(store, key, measuredUtilitySchema);
  const schema = await readCheckedJson(store, table.schema, tableSchema);
  const { synthesized } = openRelease(plan.config, schema);
  const opened = openUtility(utility, variables, schema, synthesized, factsOf(plan.config.model).offers.includes('densities'));
  const input = withoutMissing(await readInput(store, plan, release), opened.kind);
  if (input === null) return 'Every record of the table lacks some value.';
  const streams = await readStreams(store, plan);
  const found = await measure(input, opened, (name) => streams.open(name));
  if (found === null) return 'It was ended before.';
  // In the order of its schema, in which it is read again.
  const measured = measuredUtilitySchema.parse(found);
  await store.put(key, encodeCheckedJson(measured));
  return measured;
}

/** Stores the utility of a run, every figure as a table and the document, and gives what its summary says of it. */
export async function writeUtility(
  store: Store,
  plan: Plan,
  release: RecordRelease | null,
): Promise<Pick<Summary, 'utility' | 'utilityReason'>> {
  const measured = await measureRun(store, plan, release);
  if (typeof measured === 'string') return { utility: null, utilityReason: measured };
  await writeUtilityTable(store, plan.runId, measured);
  await store.put(runKeys(plan.runId).confidential.utility, encodeJson(measured.summary));
  return { utility: measured.summary };
}

/** Categories that variables have on average, where the plan says nothing of them. */
const USUAL_CATEGORIES = 5;

/** Units of work of measuring the utility of a run, about microseconds, of variables of {@link USUAL_CATEGORIES}. */
export function utilityRunUnits({ config, datasets, table }: Plan): number {
  const { utility: settings, synthesis } = config;
  if (settings === 'off') return 1;
  const all = [...Array(table.variables).keys()];
  const synthesized = synthesis.synthesized === 'all' ? all : all.slice(0, synthesis.synthesized.length);
  const categories = Array.from({ length: USUAL_CATEGORIES }, String);
  const schema = { variables: all.map((v) => ({ name: `${v}`, type: 'categorical' as const, categories })) };
  const rows = { schema, rows: keepsRecords(config) ? table.records : table.combinations, records: table.records };
  const terms = all.slice(1, 1 + MOST_DEFAULT_COEFFICIENTS / (USUAL_CATEGORIES - 1)).map((v) => [v]);
  const regressions = (settings.regressions ?? synthesized.slice(0, MOST_REGRESSIONS)).map(() => ({ terms }));
  return Math.ceil(utilityWork(rows, datasets.count, { settings, synthesized, patterns: null }, regressions).total);
}

/** The table and the datasets of a run: as combinations, or record by record. */
async function readInput(store: Store, plan: Plan, release: RecordRelease | null): Promise<UtilityInput> {
  const records = release ?? (await readRecordRelease(store, plan));
  if (records) {
    const rows = plan.config.synthesis.synthesized === 'all' ? countedRows : rowsOfRecords;
    return { table: rows(records.table), datasets: records.datasets.map(rows) };
  }
  const { schema, combinations } = await readStoredTable(store, plan.runId);
  const rowsOf = (of: Combinations) => rowsOfCombinations(schema, of);
  return { table: rowsOf(combinations), datasets: (await readDatasets(store, plan)).map(rowsOf) };
}
