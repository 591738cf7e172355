import { describedColumns } from '../contracts/fields/columns.ts';
import type { Store } from '../storage/store.ts';
import { encodeCsv } from '../table/files/write-csv.ts';
import { encodeParquet, type ParquetColumn } from '../table/files/write-parquet.ts';

/** Rows that are in memory at a time as values rather than as bytes: a row group of the Parquet file. */
export const GROUP_ROWS = 16_384;

/**
 * Stores a table as CSV and as Parquet, group of rows after group. The Parquet file says what a row and each column is, in
 * its key-value metadata: `synthrisk.row`, and `synthrisk.columns`, JSON with the meaning of each column by its name.
 *
 * @param csvKey its file is called as in the reference of fields
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
  const { row, columns } = describedColumns(
    csvKey.slice(csvKey.lastIndexOf('/') + 1, -'.csv'.length),
    header,
  );
  const metadata = { 'synthrisk.row': row, 'synthrisk.columns': JSON.stringify(columns) };
  await store.put(parquetKey, encodeParquet(groups(), metadata));
}

/** What {@link writeColumns} takes of tables that are put one below the other, each with the same columns. */
export function oneBelowTheOther<Table extends { readonly rows: number }>(
  tables: readonly Table[],
  columnsOf: (table: Table, from: number, to: number) => ParquetColumn[],
): [rows: number, columnsOf: (from: number, to: number) => readonly ParquetColumn[]] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    rows,
    (from, to) => {
      let start = 0;
      const parts: ParquetColumn[][] = [];
      for (const table of tables) {
        const [first, end] = [Math.max(0, from - start), Math.min(table.rows, to - start)];
        if (first < end) parts.push(columnsOf(table, first, end));
        start += table.rows;
      }
      if (parts.length <= 1) return parts[0] ?? columnsOf(tables[0]!, 0, 0);
      return parts[0]!.map(
        (column, c) =>
          ({ ...column, values: parts.flatMap((part) => [...part[c]!.values]) }) as ParquetColumn,
      );
    },
  ];
}
