import { runKeys } from '../contracts/keys.ts';
import type { DatasetSource, Plan } from '../contracts/run/plan.ts';
import type { Store } from '../storage/store.ts';
import { recordTexts } from '../table/category-text.ts';
import { encodeCsv } from '../table/files/write-csv.ts';
import type { Column, Table } from '../table/table.ts';
import { encodeColumns } from './stored-columns.ts';
import { encodeCheckedJson } from './stored-json.ts';

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
