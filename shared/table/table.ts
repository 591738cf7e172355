import type { TableSchema } from '../contracts/schema.ts';

/**
 * One column, one element a record. Categorical: `codes[record]` is an index into the variable's categories,
 * the missing category included, in bytes where these suffice; under `missing: impute` the code of a missing value is
 * the number of categories. Continuous: `values[record]` is finite, in the units of the file, or NaN for a missing value that the model
 * is to impute.
 */
export type Column = { type: 'categorical'; codes: Uint8Array | Uint16Array } | { type: 'continuous'; values: Float64Array };

/** A table in memory: `columns[v]` belongs to `schema.variables[v]`, and each column has `records` elements. */
export type Table = { schema: TableSchema; records: number; columns: Column[] };

/**
 * Most categories of a variable, the missing one included: codes are 16 bits wide, and the last of the 65,536
 * codes marks a missing value while a column is read.
 */
export const MAX_CATEGORIES = 65_535;

/** True where a record has a missing value that is no category. */
export function isMissing(
  { schema, columns }: Pick<Table, 'schema'> & { readonly columns: readonly Column[] },
  v: number,
  record: number,
): boolean {
  const [variable, column] = [schema.variables[v]!, columns[v]!];
  if (column.type === 'continuous') return Number.isNaN(column.values[record]);
  return variable.type === 'categorical' && column.codes[record] === variable.categories.length;
}

/** Indices of the columns that have missing values which are no category. */
export function incompleteColumns({ schema, columns }: Table): number[] {
  return [...columns.keys()].filter((v) => {
    const [variable, column] = [schema.variables[v]!, columns[v]!];
    if (column.type === 'continuous') return column.values.some(Number.isNaN);
    return variable.type === 'categorical' && column.codes.includes(variable.categories.length);
  });
}

/** For each of so many records its row, where each row stands for a number of them, one after the other. */
export function repeated(counts: Float64Array, records: number): Uint32Array {
  const rows = new Uint32Array(records);
  let from = 0;
  for (const [row, count] of counts.entries()) {
    rows.fill(row, from, from + count);
    from += count;
  }
  return rows;
}

/** The elements of a column at some places, in their order. */
export function chosenElements(column: Column, places: Uint32Array): Column {
  if (column.type === 'continuous') {
    return { type: 'continuous', values: Float64Array.from(places, (row) => column.values[row]!) };
  }
  const codes = column.codes instanceof Uint8Array ? new Uint8Array(places.length) : new Uint16Array(places.length);
  for (let i = 0; i < places.length; i++) codes[i] = column.codes[places[i]!]!;
  return { type: 'categorical', codes };
}

/** Some of a table's records, in the order of their places. */
export function chosenRecords({ schema, columns }: Table, places: Uint32Array): Table {
  return { schema, records: places.length, columns: columns.map((column) => chosenElements(column, places)) };
}

/** The records of tables of one schema (at least one table), one table after the other. */
export function stackedTables(tables: readonly Table[]): Table {
  const { schema, columns } = tables[0]!;
  const records = tables.reduce((sum, table) => sum + table.records, 0);
  const stacked = columns.map((first, v): Column => {
    const values = first.type === 'continuous' ? new Float64Array(records) : new Uint16Array(records);
    let from = 0;
    for (const { columns: own } of tables) {
      const column = own[v]!;
      if (column.type !== first.type) throw new RangeError('columns differ in type');
      const added = column.type === 'continuous' ? column.values : column.codes;
      values.set(added, from);
      from += added.length;
    }
    return values instanceof Float64Array ? { type: 'continuous', values } : { type: 'categorical', codes: values };
  });
  return { schema, records, columns: stacked };
}

/** Some of a table's variables, in the order in which they are named by their indices. */
export function chosenVariables({ schema, records, columns }: Table, variables: readonly number[]): Table {
  return { schema: { variables: variables.map((v) => schema.variables[v]!) }, records, columns: variables.map((v) => columns[v]!) };
}
