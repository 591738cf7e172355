import { InvalidTableError } from '../contracts/errors.ts';
import { variableNames } from './names-in-text.ts';
import type { Column, Table } from './table.ts';

/** Value of a record in a column: a code, or a number. */
const valueAt = (column: Column, record: number) => (column.type === 'categorical' ? column.codes[record] : column.values[record]);

/**
 * The columns that a partially synthetic dataset (from 1) made elsewhere has in the place of those of the table, by index of
 * their variable. Row i must belong to record i: the kept variables show where it does not, but two rows that are alike in
 * these and stand in each other's place cannot be seen.
 *
 * @throws InvalidTableError `other-records` when it has not as many rows; `kept-values-differ`
 */
export function replacedColumns(
  dataset: number,
  { records, columns }: Table,
  table: Table,
  synthesized: readonly number[],
): Map<number, Column> {
  if (records !== table.records) {
    throw new InvalidTableError(
      'other-records',
      `dataset ${dataset} has ${records} rows, expected ${table.records}, one for each record: it is to keep variables, so that its row i belongs to record i`,
    );
  }
  for (const k of table.schema.variables.keys()) {
    if (synthesized.includes(k)) continue;
    for (let record = 0; record < records; record++) {
      if (valueAt(columns[k]!, record) === valueAt(table.columns[k]!, record)) continue;
      throw new InvalidTableError(
        'kept-values-differ',
        `dataset ${dataset}, row ${record + 1}: the value of ${variableNames(table.schema, [k])} of the table is not that of the record, though the variable is kept; expected the rows in the order of the table`,
        { row: record + 1 },
      );
    }
  }
  return new Map(synthesized.map((k) => [k, columns[k]!]));
}

/** The variable of each of the {@link stackedColumns} of a table whose variables have so many categories. */
export const stackedVariables = (sizes: readonly number[], synthesized: readonly number[]): number[] => [...sizes.keys(), ...synthesized];

/** The columns of a table, and beside them those that a partially synthetic dataset has in the place of some. */
export function stackedColumns(table: Table, dataset: Table, synthesized: readonly number[]): Column[] {
  return [...table.columns, ...synthesized.map((k) => dataset.columns[k]!)];
}
