import type { Column, Table } from '../../table/table.ts';
import { isSameValue } from '../matching/radius-grid.ts';

/** In how many rows two columns of one variable differ, those left out where the first one lacks a value. */
function rowsThatDiffer(a: Column, b: Column, missingCode: number): number {
  let differing = 0;
  if (a.type === 'categorical' && b.type === 'categorical') {
    for (let row = 0; row < a.codes.length; row++) {
      const code = a.codes[row]!;
      if (code !== b.codes[row] && code !== missingCode) differing++;
    }
  } else if (a.type === 'continuous' && b.type === 'continuous') {
    for (let row = 0; row < a.values.length; row++) {
      if (!isSameValue(a.values[row]!, b.values[row]!)) differing++;
    }
  } else {
    throw new RangeError('columns of one variable have two types');
  }
  return differing;
}

/**
 * In how many rows each variable of a dataset has another value than the record of the table in the same row. A value
 * that the table lacks and a model imputes is not changed.
 */
export function changedRows(table: Table, dataset: Table): Uint32Array {
  return Uint32Array.from(table.columns, (column, variable) => {
    const own = table.schema.variables[variable]!;
    // That of a missing value: see `Column`.
    const missingCode = own.type === 'categorical' ? own.categories.length : -1;
    return rowsThatDiffer(column, dataset.columns[variable]!, missingCode);
  });
}

/** Values of a column that can be compared one by one, in ascending order. */
function sortedValues(column: Column): ArrayLike<number> {
  return column.type === 'categorical' ? column.codes.slice().sort() : column.values.slice().sort();
}

/**
 * True when each of some variables holds the same values in a dataset as in the table, in whatever order: what kept
 * variables do whose rows were put into another order.
 */
export function holdSameValues(table: Table, dataset: Table, variables: readonly number[]): boolean {
  return variables.every((variable) => {
    const [a, b] = [table, dataset].map(({ columns }) => sortedValues(columns[variable]!));
    for (let i = 0; i < a!.length; i++) if (!isSameValue(a![i]!, b![i]!)) return false;
    return true;
  });
}
