import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import { type DatasetSource, datasetSourceSchema, type Plan } from '../contracts/run/plan.ts';
import type { TableSchema } from '../contracts/schema.ts';
import type { ChainState } from '../model/chains/chain-sampler.ts';
import { stateOfDraw } from '../model/chains/sample-chain.ts';
import type { Store } from '../storage/store.ts';
import { categoryText } from '../table/category-text.ts';
import type { Combinations, CombinationsOfRecords } from '../table/combinations.ts';
import { encodeCsv, encodeRepeatedCsv } from '../table/files/write-csv.ts';
import { recordTexts } from '../table/record-texts.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import type { Column, Table } from '../table/table.ts';
import { readDraws } from './stored-draws.ts';
import { encodeCheckedJson, readCheckedJson } from './stored-json.ts';
import { encodeColumns, encodeCombinations, readCombinations, readPartialDataset, readRecordTable } from './stored-table.ts';

/**
 * What a dataset holds: its combinations, or, where variables are kept, the columns of the others in the order of the
 * table's records, by index of their variable.
 */
export type DatasetRows = Combinations | ReadonlyMap<number, Column>;

/** The files of a dataset but its source. */
export function encodeDataset(keys: ReturnType<ReturnType<typeof runKeys>['dataset']>, rows: DatasetRows): Map<string, Uint8Array> {
  return 'codes' in rows ? encodeCombinations(keys, rows) : encodeColumns(keys.records, rows);
}

/** A synthetic dataset of a run and where it came from. */
export interface StoredDataset {
  readonly combinations: Combinations;
  readonly source: DatasetSource;
}

/** Reads where a synthetic dataset (numbered from 1) came from, without the dataset. */
export function readDatasetSource(store: Store, runId: string, dataset: number): Promise<DatasetSource> {
  return readCheckedJson(store, runKeys(runId).dataset(dataset).source, datasetSourceSchema);
}

/** Reads one synthetic dataset (numbered from 1). */
export async function readDataset(store: Store, runId: string, dataset: number): Promise<StoredDataset> {
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
  if (synthesized === 'all') return (await readDataset(store, plan.runId, dataset)).combinations;
  const { schema, columns } = await readPartialDataset(store, plan, dataset);
  return new Map(synthesizedVariables(synthesized, schema).map((k) => [k, columns[k]!]));
}

/** The draw that generated a dataset, or null for a dataset made elsewhere. */
export async function readGeneratingState(store: Store, runId: string, { chain, draw }: DatasetSource): Promise<ChainState | null> {
  if (chain === null || draw === null) return null;
  return stateOfDraw(await readDraws(store, runId, chain), draw);
}

/**
 * The draw that generated a dataset (numbered from 1).
 *
 * @throws ArtifactError `no-generating-draw` when it is not known
 */
export async function readGeneratingDraw(store: Store, { runId }: Plan, dataset: number): Promise<ChainState> {
  const state = await readGeneratingState(store, runId, await readDatasetSource(store, runId, dataset));
  if (state !== null) return state;
  throw new ArtifactError('no-generating-draw', `Dataset ${dataset} has no generating draw.`);
}

/** A table and its partially synthetic datasets, all in the order of the records. */
export interface PartialRelease {
  readonly table: Table;
  readonly datasets: readonly Table[];
}

/** Reads a run's table and all its datasets where variables are kept; null where none is. */
export async function readPartialRelease(store: Store, plan: Plan): Promise<PartialRelease | null> {
  if (plan.config.synthesis.synthesized === 'all') return null;
  const table = await readRecordTable(store, plan);
  const datasets: Table[] = [];
  for (let l = 1; l <= plan.datasets.count; l++) datasets.push(await readPartialDataset(store, plan, l, table));
  return { table, datasets };
}

/** Combinations as text, one at a time. */
function* combinationTexts(schema: TableSchema, { codes, count, variables }: Combinations) {
  for (let row = 0; row < count; row++) {
    yield schema.variables.map((_, k) => categoryText(schema, k, codes[row * variables + k]!));
  }
}

/**
 * Stores a fully synthetic dataset (numbered from 1): the file to release, what the pipeline reads, and last where it came
 * from, which says that it is whole. What is there already stays.
 */
export async function storeFullDataset(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  {
    dataset,
    rows: { combinations, combinationOfRecord },
    source,
  }: { readonly dataset: number; readonly rows: CombinationsOfRecords; readonly source: DatasetSource },
): Promise<void> {
  const keys = runKeys(plan.runId);
  const once = { ifAbsent: true };
  // What a replicate synthesizes comes from an altered table: it is nothing to release.
  if (plan.purpose !== 'replicate') {
    const header = schema.variables.map(({ name }) => name);
    const texts = combinationTexts(schema, combinations);
    const csv = encodeRepeatedCsv(header, texts, combinationOfRecord);
    await store.put(keys.release.dataset(dataset), csv, once);
  }
  for (const [key, bytes] of encodeCombinations(keys.dataset(dataset), combinations)) {
    await store.put(key, bytes, once);
  }
  await store.put(keys.dataset(dataset).source, encodeCheckedJson(source), once);
}

/** A partially synthetic dataset that a run has made. */
interface PartialDataset {
  /** From 1. */
  readonly dataset: number;
  /** Columns that were synthesized, by index of their variable in the schema (from 0). */
  readonly synthesized: ReadonlyMap<number, Column>;
  readonly source: DatasetSource;
}

/**
 * Stores a partially synthetic dataset: the file to release, in the order of the table's records; the synthesized
 * columns as the pipeline reads them; and which draw made it, which comes last and says that the dataset is whole.
 *
 * @param table the confidential one, whose other columns are kept
 */
export async function storePartialDataset(
  store: Store,
  { runId, purpose }: Plan,
  table: Table,
  { dataset, synthesized, source }: PartialDataset,
): Promise<void> {
  const keys = runKeys(runId);
  const once = { ifAbsent: true };
  // What a replicate synthesizes comes from an altered table: it is nothing to release.
  if (purpose !== 'replicate') {
    const header = table.schema.variables.map(({ name }) => name);
    const columns = table.columns.map((column, v) => synthesized.get(v) ?? column);
    const csv = encodeCsv(header, recordTexts({ ...table, columns }));
    await store.put(keys.release.dataset(dataset), csv, once);
  }
  for (const [key, bytes] of encodeColumns(keys.dataset(dataset).records, synthesized)) {
    await store.put(key, bytes, once);
  }
  await store.put(keys.dataset(dataset).source, encodeCheckedJson(source), once);
}
