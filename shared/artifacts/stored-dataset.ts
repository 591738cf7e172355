import { keepsRecords } from '../contracts/config/config.ts';
import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import { type DatasetSource, datasetSourceSchema, type Plan } from '../contracts/run/plan.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { sha256 } from '../contracts/sha256.ts';
import type { ChainState } from '../model/chains/chain-sampler.ts';
import { stateOfDraw } from '../model/chains/sample-chain.ts';
import type { Store } from '../storage/store.ts';
import { categoryText, recordTexts } from '../table/category-text.ts';
import type { Combinations, CombinationsOfRecords } from '../table/combinations.ts';
import { encodeCsv, encodeRepeatedCsv } from '../table/files/write-csv.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import type { Column, Table } from '../table/table.ts';
import { readDraws } from './stored-draws.ts';
import { encodeCheckedJson, readCheckedJson } from './stored-json.ts';
import { encodeColumns, encodeCombinations, readCombinations, readRecordDataset, readRecordTable } from './stored-table.ts';

/**
 * What a dataset holds: its combinations, or, where records are kept as they are, its own columns by index of their variable: where
 * variables are kept, of the others, in the order of the table's records.
 */
export type DatasetRows = Combinations | ReadonlyMap<number, Column>;

/** The files of a dataset but its source. */
export function encodeDataset(keys: ReturnType<ReturnType<typeof runKeys>['dataset']>, rows: DatasetRows): Map<string, Uint8Array> {
  return 'codes' in rows ? encodeCombinations(keys, rows) : encodeColumns(keys.records, rows);
}

/** Reads where a synthetic dataset (numbered from 1) came from, without the dataset. */
export function readDatasetSource(store: Store, runId: string, dataset: number): Promise<DatasetSource> {
  return readCheckedJson(store, runKeys(runId).dataset(dataset).source, datasetSourceSchema);
}

/** Reads one synthetic dataset (numbered from 1). */
export async function readDataset(store: Store, runId: string, dataset: number) {
  return {
    source: await readDatasetSource(store, runId, dataset),
    combinations: await readCombinations(store, runKeys(runId).dataset(dataset)),
  };
}

/** Reads all datasets of a run none of whose variables are kept. */
export async function readDatasets(store: Store, { runId, datasets: { count } }: Plan): Promise<Combinations[]> {
  const datasets: Combinations[] = [];
  for (let l = 1; l <= count; l++) datasets.push((await readDataset(store, runId, l)).combinations);
  return datasets;
}

/** Reads what a synthetic dataset (numbered from 1) holds, as it is stored. */
export async function readDatasetRows(store: Store, plan: Plan, dataset: number): Promise<DatasetRows> {
  const { synthesized } = plan.config.synthesis;
  if (!keepsRecords(plan.config)) return (await readDataset(store, plan.runId, dataset)).combinations;
  const { schema, columns } = await readRecordDataset(store, plan, dataset);
  return new Map(synthesizedVariables(synthesized, schema).map((k) => [k, columns[k]!]));
}

/** The draw that generated a dataset, or null for a dataset made elsewhere. */
export async function readGeneratingState(store: Store, runId: string, { chain, draw }: DatasetSource): Promise<ChainState | null> {
  if (chain === null || draw === null) return null;
  return stateOfDraw(await readDraws(store, runId, chain), draw);
}

/** The draw that generated a dataset (numbered from 1). Throws ArtifactError `no-generating-draw` when it is not known. */
export async function readGeneratingDraw(store: Store, { runId }: Plan, dataset: number): Promise<ChainState> {
  const state = await readGeneratingState(store, runId, await readDatasetSource(store, runId, dataset));
  if (state !== null) return state;
  throw new ArtifactError('no-generating-draw', `Dataset ${dataset} has no generating draw.`);
}

/** A table and its datasets, record by record; where variables are kept, all in the order of the table's records. */
export interface RecordRelease {
  readonly table: Table;
  readonly datasets: readonly Table[];
}

/** Reads a run's table and all its datasets where they are kept record by record; null where they are combinations. */
export async function readRecordRelease(store: Store, plan: Plan): Promise<RecordRelease | null> {
  if (!keepsRecords(plan.config)) return null;
  const table = await readRecordTable(store, plan);
  const datasets: Table[] = [];
  for (let l = 1; l <= plan.datasets.count; l++) datasets.push(await readRecordDataset(store, plan, l, table));
  return { table, datasets };
}

/** Combinations as text, one at a time. */
function* combinationTexts(schema: TableSchema, { codes, count, variables }: Combinations) {
  for (let row = 0; row < count; row++) {
    yield schema.variables.map((_, k) => categoryText(schema, k, codes[row * variables + k]!));
  }
}

const namesOf = ({ variables }: TableSchema) => variables.map(({ name }) => name);

/** A dataset that a run has made. */
interface MadeDataset<Rows> {
  /** From 1. */
  readonly dataset: number;
  readonly rows: Rows;
  readonly source: DatasetSource;
}

/**
 * Stores a dataset: the file to release, what the pipeline reads, and last where it came from, which says that it is whole. What is there
 * already stays.
 */
async function storeDataset(
  store: Store,
  { runId, purpose }: Plan,
  { dataset, rows, source }: MadeDataset<DatasetRows>,
  csv: () => Uint8Array,
) {
  const keys = runKeys(runId);
  const once = { ifAbsent: true };
  // What a replicate synthesizes comes from an altered table: it is nothing to release.
  const file = purpose === 'replicate' ? null : csv();
  if (file !== null) await store.put(keys.release.dataset(dataset), file, once);
  for (const [key, bytes] of encodeDataset(keys.dataset(dataset), rows)) await store.put(key, bytes, once);
  const stored: DatasetSource = file === null ? source : { ...source, released: await sha256(file) };
  await store.put(keys.dataset(dataset).source, encodeCheckedJson(stored), once);
}

/** Stores a fully synthetic dataset. */
export async function storeFullDataset(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  { rows: { combinations, combinationOfRecord }, ...made }: MadeDataset<CombinationsOfRecords>,
): Promise<void> {
  await storeDataset(store, plan, { ...made, rows: combinations }, () =>
    encodeRepeatedCsv(namesOf(schema), combinationTexts(schema, combinations), combinationOfRecord),
  );
}

/**
 * Stores a dataset of as many records as the table; where variables are kept, in the order of its records.
 *
 * @param table the confidential one, whose other columns are kept
 */
export async function storeRecordDataset(
  store: Store,
  plan: Plan,
  table: Table,
  made: MadeDataset<ReadonlyMap<number, Column>>,
): Promise<void> {
  const columns = table.columns.map((column, v) => made.rows.get(v) ?? column);
  await storeDataset(store, plan, made, () => encodeCsv(namesOf(table.schema), recordTexts({ ...table, columns })));
}
