import type { Store } from '../storage/store.ts';
import { encodeCsv } from '../table/write-csv.ts';
import { encodeParquet, type ParquetColumn } from '../table/write-parquet.ts';

/** Stores a table of columns as CSV and as Parquet. */
export async function writeColumns(
  store: Store,
  csvKey: string,
  parquetKey: string,
  columns: readonly ParquetColumn[],
): Promise<void> {
  const rows = function* () {
    for (let row = 0; row < columns[0]!.values.length; row++) yield columns.map(({ values }) => values[row]!);
  };
  const header = columns.map(({ name }) => name);
  await store.put(csvKey, encodeCsv(header, rows()));
  await store.put(parquetKey, encodeParquet(columns));
}
