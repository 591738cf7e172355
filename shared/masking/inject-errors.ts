import type { RandomSource } from '../random/random-source.ts';
import type { Column } from '../table/table.ts';

/** How many variables of each record are wrong: the share of them, rounded to the nearest number. */
export const variablesInError = (variables: number, share: number): number => Math.round(share * variables);

/**
 * Columns in which some variables of every record are in severe error, as in a file of another source: they hold the
 * values of another record, drawn by chance for each of them. Which variables these are is drawn for every record.
 *
 * @param columns at least two records; those that are subject to error
 * @param share of the variables of a record that are wrong
 */
export function withErrors(random: RandomSource, columns: readonly Column[], share: number): Column[] {
  const wrong = variablesInError(columns.length, share);
  const copies = columns.map(copyOf);
  const order = Uint32Array.from(columns, (_, v) => v);
  const records = valuesOf(columns[0]!).length;
  for (let record = 0; record < records; record++) {
    for (let place = 0; place < wrong; place++) {
      const other = place + random.below(order.length - place);
      [order[place], order[other]] = [order[other]!, order[place]!];
      const donor = (record + 1 + random.below(records - 1)) % records;
      const v = order[place]!;
      valuesOf(copies[v]!)[record] = valuesOf(columns[v]!)[donor]!;
    }
  }
  return copies;
}

const valuesOf = (column: Column) => (column.type === 'continuous' ? column.values : column.codes);

const copyOf = (column: Column): Column =>
  column.type === 'continuous'
    ? { type: 'continuous', values: column.values.slice() }
    : { type: 'categorical', codes: column.codes.slice() };
