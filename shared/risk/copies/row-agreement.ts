import { lgamma } from '../../numeric/gamma-function.ts';
import { log } from '../../numeric/portable-math.ts';
import type { Column } from '../../table/table.ts';

/** How far a column of a dataset is that of the table, row by row. */
export interface RowAgreement {
  /** Rows. */
  readonly records: number;
  /** Rows whose value is that of the record in the same place. */
  readonly equal: number;
  /** The same of records a few places away: the most over these distances. What an order of the files explains. */
  readonly beside: number;
  /** Log of the probability that independent draws from the table's own distribution have its counts, whatever their order. */
  readonly logSameCounts: number;
}

/** Distances at which rows are compared beside their own place; so near, sorted files agree as well as in place. */
const DISTANCES = [1, 2, 3, 5, 8];

/** What is found by chance less often than once in a million comparisons is no chance: log(1e-6). */
const LOG_RARE = -13.815510557964274;

/** Standard errors by which rows in their own place must agree better than those beside it. */
const STANDARD_ERRORS = 6;

/** Of the rows that would not agree anyway, the share that must: less hardly changes the risk. */
const LEAST_SHARE = 0.1;

/**
 * Compares two columns of one variable, row by row. Rows beside each other tell what an order explains: of two sorted
 * files rows a few places apart agree as often as those in the same place.
 *
 * @throws RangeError for columns of other lengths or types
 */
export function rowAgreement(column: Column, tableColumn: Column): RowAgreement {
  const [given, table] = [valuesOf(column), valuesOf(tableColumn)];
  const records = table.length;
  if (given.length !== records || column.type !== tableColumn.type) {
    throw new RangeError(`expected ${records} values of a column that is ${tableColumn.type}`);
  }
  const equalAt = (distance: number) => {
    let equal = 0;
    for (let record = 0; record < records; record++) {
      const other = record + distance;
      if (given[record] === table[other < records ? other : other - records]) equal++;
    }
    return equal;
  };
  const distances = DISTANCES.filter((distance) => 2 * distance < records);
  const beside = distances.flatMap((distance) => [equalAt(distance), equalAt(records - distance)]);
  return { records, equal: equalAt(0), beside: Math.max(0, ...beside), logSameCounts: logOwnCounts(table) };
}

const valuesOf = (column: Column) => (column.type === 'categorical' ? column.codes : column.values);

/** Log of the multinomial probability of counts, each value having its own share. */
function logOwnCounts(values: ArrayLike<number>): number {
  const counts = new Map<number, number>();
  for (let record = 0; record < values.length; record++) {
    counts.set(values[record]!, (counts.get(values[record]!) ?? 0) + 1);
  }
  const { length } = values;
  let sum = lgamma(length + 1);
  for (const count of counts.values()) sum += count * log(count / length) - lgamma(count + 1);
  return sum;
}

/** Whether rows agree with the records in their places beyond what order and chance explain. */
export function agreesInPlace({ records, equal, beside }: RowAgreement): boolean {
  const chance = (beside + 1) / (records + 2);
  const error = Math.sqrt(2 * records * chance * (1 - chance));
  const excess = equal - beside;
  return excess > STANDARD_ERRORS * error && excess >= LEAST_SHARE * (records - beside);
}

/**
 * Whether a variable was kept: all rows of all datasets have the value of the record in the same place, and that is no
 * coincidence, as it is of a variable with one value, or of a few that are sorted in all files.
 *
 * @param agreements of the variable, one a dataset
 */
export function isKept(agreements: readonly RowAgreement[]): boolean {
  if (agreements.some(({ equal, records }) => equal < records)) return false;
  const logChance = agreements.reduce((sum, { logSameCounts }) => sum + logSameCounts, 0);
  return logChance < LOG_RARE || agreements.some(agreesInPlace);
}
