import type { Column, ResultTable } from '../contracts/column.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Store } from '../storage/store.ts';
import { encodeCsv } from '../table/files/write-csv.ts';
import { encodeParquet, type ParquetColumn } from '../table/files/write-parquet.ts';

/** Rows that are in memory at a time as values rather than as bytes: a row group of the Parquet file. */
export const GROUP_ROWS = 16_384;

/** Rows of a table, numbered from 0, and what each is of. */
export interface Rows<Of> {
  readonly rows: number;
  readonly of: (row: number) => Of;
}

/** Rows that have an object each. */
export const listed = <Of>(list: readonly Of[]): Rows<Of> => ({ rows: list.length, of: (row) => list[row]! });

/** Rows that share an object. */
export const rowsOf = <Of>(rows: number, of: Of): Rows<Of> => ({ rows, of: () => of });

/** A column with its name; those of the table's own variables one by one. */
type Named<Of> = Omit<Column<Of>, 'when'> & { readonly name: string };

function namedColumns<Of>({ columns }: ResultTable<Of>, parts: readonly Rows<Of>[]): Named<Of>[] {
  const first = () => parts[0]!.of(0);
  return Object.entries(columns).flatMap(([name, column]): Named<Of>[] => {
    if (column.type !== 'variables') return column.when?.(first()) === false ? [] : [{ name, ...column }];
    const { meaning, names, value } = column;
    return names(first()).map((own, v) => ({
      name: own,
      type: 'string',
      meaning,
      maybeMissing: true,
      value: (of, row) => value(of, row, v),
    }));
  });
}

/** Values of a column in rows `from` up to but without `to` of parts that are put one below the other. */
function valuesOf<Of>({ value, isEmpty }: Named<Of>, parts: readonly Rows<Of>[], from: number, to: number) {
  const values: ReturnType<typeof value>[] = [];
  let start = 0;
  for (const { rows, of } of parts) {
    const end = Math.min(rows, to - start);
    for (let row = Math.max(0, from - start); row < end; row++) values.push(isEmpty?.(of(row)) ? null : value(of(row), row));
    start += rows;
  }
  return values;
}

function* groupsOf<Of>(columns: readonly Named<Of>[], parts: readonly Rows<Of>[]) {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  for (let from = 0; from < rows; from += GROUP_ROWS) {
    yield columns.map((column) => valuesOf(column, parts, from, Math.min(rows, from + GROUP_ROWS)));
  }
}

/** A table as CSV. */
export function tableCsv<Of>(table: ResultTable<Of>, ...parts: readonly Rows<Of>[]): Uint8Array {
  const columns = namedColumns(table, parts);
  const rows = function* () {
    for (const values of groupsOf(columns, parts)) {
      for (let row = 0; row < values[0]!.length; row++) yield values.map((column) => column[row]!);
    }
  };
  return encodeCsv(
    columns.map(({ name }) => name),
    rows(),
  );
}

/**
 * Stores a table as CSV and as Parquet, group of rows after group. The Parquet file says what a row and each column is, in
 * its key-value metadata: `synthrisk.row`, and `synthrisk.columns`, JSON with the meaning of each column by its name.
 *
 * @param parts one below the other; they have the columns of the first
 */
export async function writeTable<Of>(store: Store, runId: string, table: ResultTable<Of>, ...parts: readonly Rows<Of>[]): Promise<void> {
  const { csv, parquet } = runKeys(runId).confidential.table(table.file);
  await store.put(csv, tableCsv(table, ...parts));
  const columns = namedColumns(table, parts);
  const meanings = Object.fromEntries(columns.map(({ name, meaning }) => [name, meaning]));
  const groups = function* () {
    for (const values of groupsOf(columns, parts)) {
      yield columns.map(({ name, type }, c) => ({ name, type, values: values[c] }) as ParquetColumn);
    }
  };
  const metadata = { 'synthrisk.row': table.row, 'synthrisk.columns': JSON.stringify(meanings) };
  await store.put(parquet, encodeParquet(groups(), metadata));
}
