import type { Column, Table } from './table.ts';

/** The variable of each of the {@link stackedColumns} of a table whose variables have so many categories. */
export function stackedVariables(sizes: readonly number[], synthesized: readonly number[]): number[] {
  return [...sizes.keys(), ...synthesized];
}

/** The columns of a table, and beside them those that a partially synthetic dataset has in the place of some. */
export function stackedColumns(table: Table, dataset: Table, synthesized: readonly number[]): Column[] {
  return [...table.columns, ...synthesized.map((k) => dataset.columns[k]!)];
}
