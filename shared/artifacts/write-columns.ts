import type { Store } from '../storage/store.ts';
import { encodeCsv } from '../table/files/write-csv.ts';
import { encodeParquet, type ParquetColumn } from '../table/files/write-parquet.ts';

/** Rows that are in memory at a time as values rather than as bytes: a row group of the Parquet file. */
export const GROUP_ROWS = 16_384;

/**
 * Stores a table as CSV and as Parquet, group of rows after group.
 *
 * @param rows of the table
 * @param columnsOf the columns of rows `from` up to but without `to`; of none, their names and types
 */
export async function writeColumns(
  store: Store,
  csvKey: string,
  parquetKey: string,
  rows: number,
  columnsOf: (from: number, to: number) => readonly ParquetColumn[],
): Promise<void> {
  const groups = function* () {
    for (let from = 0; from < rows; from += GROUP_ROWS)
      yield columnsOf(from, Math.min(rows, from + GROUP_ROWS));
  };
  const fields = function* () {
    for (const columns of groups()) {
      const length = columns[0]!.values.length;
      for (let row = 0; row < length; row++) yield columns.map(({ values }) => values[row]!);
    }
  };
  const header = columnsOf(0, 0).map(({ name }) => name);
  await store.put(csvKey, encodeCsv(header, fields()));
  await store.put(parquetKey, encodeParquet(groups()));
}
