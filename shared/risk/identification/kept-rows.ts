import { InvalidTableError } from '../../contracts/errors.ts';
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
 * In how many rows each variable of a dataset has another value than the table. One that the table lacks and a model
 * imputes is not changed.
 */
export function changedRows(table: Table, dataset: Table): Uint32Array {
  return Uint32Array.from(table.columns, (column, variable) => {
    const described = table.schema.variables[variable]!;
    // That of a missing value: see `Column`.
    const missingCode = described.type === 'categorical' ? described.categories.length : -1;
    return rowsThatDiffer(column, dataset.columns[variable]!, missingCode);
  });
}

/** Values of a column that can be compared one by one, in ascending order. */
function sortedValues(column: Column): ArrayLike<number> {
  return column.type === 'categorical' ? column.codes.slice().sort() : column.values.slice().sort();
}

/** True when each of some variables holds the same values in a dataset as in the table, in whatever order: rows were reordered. */
export function holdSameValues(table: Table, dataset: Table, variables: readonly number[]): boolean {
  return variables.every((variable) => {
    const [a, b] = [table, dataset].map(({ columns }) => sortedValues(columns[variable]!));
    for (let i = 0; i < a!.length; i++) if (!isSameValue(a![i]!, b![i]!)) return false;
    return true;
  });
}

/** Refuses dataset `number` (from 1) that has another number of rows than the table: InvalidTableError `other-record-count`. */
export function requireSameRecords(table: Table, dataset: Table, number: number): void {
  if (dataset.records === table.records) return;
  throw new InvalidTableError(
    'other-record-count',
    `dataset ${number} has ${dataset.records} ${dataset.records === 1 ? 'row' : 'rows'} and the table ${table.records}: expected one for each record, in the same order`,
  );
}

/** The refusal of dataset `number` that has the table's values of some variables in other rows. */
export const reorderedRows = (number: number, names: string) =>
  new InvalidTableError(
    'rows-in-another-order',
    `dataset ${number} holds the same values of ${names} as the table, but in other rows: expected row i to be record i`,
  );
