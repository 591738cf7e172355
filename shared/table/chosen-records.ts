import type { Column, Table } from './table.ts';

/** The elements of a column at some places, in their order. */
export function chosenElements(column: Column, places: Uint32Array): Column {
  if (column.type === 'continuous') {
    return { type: 'continuous', values: Float64Array.from(places, (row) => column.values[row]!) };
  }
  const codes = new Uint16Array(places.length);
  for (let i = 0; i < places.length; i++) codes[i] = column.codes[places[i]!]!;
  return { type: 'categorical', codes };
}

/** Some of a table's records, in the order of their places. */
export function chosenRecords({ schema, columns }: Table, places: Uint32Array): Table {
  return { schema, records: places.length, columns: columns.map((column) => chosenElements(column, places)) };
}

/** Some of a table's variables, in the order in which they are named by their indices. */
export function chosenVariables({ schema, records, columns }: Table, variables: readonly number[]): Table {
  return {
    schema: { variables: variables.map((v) => schema.variables[v]!) },
    records,
    columns: variables.map((v) => columns[v]!),
  };
}
