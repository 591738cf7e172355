import type { TableSchema } from '../contracts/schema.ts';
import type { Combinations } from './combinations.ts';
import { uniqueCombinations } from './distinct-rows.ts';
import { type Column, chosenElements, type Table } from './table.ts';

/**
 * Rows of a table, each with how many records have it: distinct rows where all variables are categorical, or every record
 * by itself. `columns[v]` and `counts` have `rows` elements, and `counts` sums to `records`.
 */
export interface CountedRows {
  readonly schema: TableSchema;
  readonly rows: number;
  readonly records: number;
  readonly columns: readonly Column[];
  readonly counts: Float64Array;
}

/** Every record of a table as a row of its own. */
export function rowsOfRecords({ schema, records, columns }: Table): CountedRows {
  return { schema, rows: records, records, columns, counts: new Float64Array(records).fill(1) };
}

/** The combinations of a table as rows. */
export function rowsOfCombinations(schema: TableSchema, { variables, count, codes, counts }: Combinations): CountedRows {
  const columns = Array.from({ length: variables }, (_, v): Column => {
    const column = new Uint16Array(count);
    for (let row = 0; row < count; row++) column[row] = codes[row * variables + v]!;
    return { type: 'categorical', codes: column };
  });
  const records = counts.reduce((sum, one) => sum + one, 0);
  return { schema, rows: count, records, columns, counts: Float64Array.from(counts) };
}

/** The distinct rows of a table where all of its variables are categorical, or else its records. */
export function countedRows(table: Table): CountedRows {
  return table.columns.every(({ type }) => type === 'categorical')
    ? rowsOfCombinations(table.schema, uniqueCombinations(table).combinations)
    : rowsOfRecords(table);
}

/** Every record by itself, in the order of the rows. */
export function recordsOfRows(rows: CountedRows): Table {
  const places = placesOfRecords(rows);
  const columns = rows.columns.map((column) => chosenElements(column, places));
  return { schema: rows.schema, records: rows.records, columns };
}

/** For each record, in the order of the rows, the row that it has. */
function placesOfRecords({ rows, records, counts }: CountedRows): Uint32Array {
  const places = new Uint32Array(records);
  let to = 0;
  for (let row = 0; row < rows; row++) {
    const from = to;
    to += counts[row]!;
    places.fill(row, from, to);
  }
  return places;
}

/** The same rows with other counts; those without a record are left out. */
export function withCounts(rows: CountedRows, counts: Float64Array): CountedRows {
  const kept = new Uint32Array(counts.length);
  let length = 0;
  let records = 0;
  for (let row = 0; row < counts.length; row++) {
    if (counts[row] === 0) continue;
    kept[length++] = row;
    records += counts[row]!;
  }
  if (length === rows.rows) return { ...rows, records, counts };
  const places = kept.subarray(0, length);
  return {
    schema: rows.schema,
    rows: length,
    records,
    columns: rows.columns.map((column) => chosenElements(column, places)),
    counts: Float64Array.from(places, (row) => counts[row]!),
  };
}
