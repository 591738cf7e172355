import { bandOf } from '../contracts/config/bands.ts';
import type { TableSchema } from '../contracts/schema.ts';
import type { Combinations } from './combinations.ts';
import { uniqueCombinations } from './distinct-rows.ts';
import { type Column, chosenElements, repeated, type Table } from './table.ts';

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
export function recordsOfRows({ schema, records, columns, counts }: CountedRows): Table {
  const places = repeated(counts, records);
  return { schema, records, columns: columns.map((column) => chosenElements(column, places)) };
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

/**
 * Rows of a table and of its datasets with at most so many bands in place of continuous variables: bands of about equal
 * numbers of the table's records, ends among its values. Equal values share a band, so that there may be fewer.
 */
export function bandedRows(
  table: CountedRows,
  datasets: readonly CountedRows[],
  bands: number,
): { table: CountedRows; datasets: CountedRows[] } {
  const cuts = table.columns.map((column) => (column.type === 'continuous' ? quantileCuts(column.values, table.counts, bands) : null));
  const schema = {
    variables: table.schema.variables.map((variable, v) =>
      cuts[v] === null ? variable : { name: variable.name, type: 'categorical' as const, categories: bandNames(cuts[v]!.length + 1) },
    ),
  };
  const banded = (rows: CountedRows): CountedRows => ({
    ...rows,
    schema,
    columns: rows.columns.map((column, v): Column => {
      const own = cuts[v];
      if (!own || column.type === 'categorical') return column;
      return { type: 'categorical', codes: Uint16Array.from(column.values, (value) => bandOf(own, value) + 1) };
    }),
  });
  return { table: banded(table), datasets: datasets.map(banded) };
}

const bandNames = (bands: number) => Array.from({ length: bands }, (_, band) => `band ${band + 1}`);

/** Values from which a new band begins, ascending. */
function quantileCuts(values: Float64Array, counts: Float64Array, bands: number): number[] {
  const order = Uint32Array.from(values, (_, row) => row).sort((a, b) => values[a]! - values[b]!);
  const records = counts.reduce((sum, count) => sum + count, 0);
  const cuts: number[] = [];
  let below = 0;
  let band = 0;
  for (let place = 0; place < order.length; place++) {
    const value = values[order[place]!]!;
    if (place === 0 || value !== values[order[place - 1]!]) {
      const own = Math.floor((bands * below) / records);
      if (own > band) {
        cuts.push(value);
        band = own;
      }
    }
    below += counts[order[place]!]!;
  }
  return cuts;
}
