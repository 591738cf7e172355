import { rowOf } from '../../contracts/column.ts';
import type { VariableDensities } from '../../contracts/results/record-details.ts';
import { CONTINUOUS_RISK, type ContinuousRows } from '../../contracts/results/tables/continuous-risk-table.ts';
import { type DensityOfRows, SHAPE_LEVELS } from './browser/record-data.ts';
import { column, columnsOf } from './record-columns.ts';
import { rounded, roundedToError } from './rounded.ts';

/** Numbers of a value that stand by themselves, by their columns in `continuous-risk.csv`. */
const PLAIN = [
  ...(['value', 'within_before', 'median_before', 'median_after', 'interval_low_before', 'interval_high_before'] as const),
  ...(['interval_low_after', 'interval_high_after', 'gain_bits', 'claimed_bits'] as const),
];

/** Of each record (from 1) the rows of its continuous variables. */
type RowsOfRecords = ReadonlyMap<number, readonly number[]>;

/** The rows of `continuous-risk.csv` by their records. */
export function rowsOfRecords({ rows, recordOf }: ContinuousRows): RowsOfRecords {
  const found = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    const own = found.get(recordOf(row));
    if (own) own.push(row);
    else found.set(recordOf(row), [row]);
  }
  return found;
}

/** The largest rise of the probability near the true value of a record's continuous variables; null where it has no value. */
export function nearRise(rows: ContinuousRows, ofRecords: RowsOfRecords, record: number): number | null {
  const own = ofRecords.get(record);
  return own === undefined ? null : Math.max(...own.map((row) => rows.figure(row, 'withinAfter') - rows.figure(row, 'withinBefore')));
}

/** What an intruder believes of the continuous variables of records (from 1). */
export function densityColumns(
  rows: ContinuousRows,
  ofRecords: RowsOfRecords,
  densities: readonly VariableDensities[],
  records: readonly number[],
): DensityOfRows[] {
  return densities.map(({ variable, near, masses, bounds, of }) => {
    const believed = records.map((record) => of(record - 1));
    const largest = believed.map((own) => (own === null ? null : Math.max(...cellsOf(own.before), ...cellsOf(own.after))));
    const figuresOf = (record: number, place: number) => {
      const row = ofRecords.get(record)?.find((one) => rows.variableOf(one) === variable);
      const cells = row === undefined ? null : rowOf(CONTINUOUS_RISK.columns, rows, row);
      const [after, error] = cells === null ? [null, null] : roundedToError(cells.within_after, cells.within_se);
      return {
        ...Object.fromEntries(PLAIN.map((name) => [name, cells && rounded(cells[name])])),
        within_after: after,
        within_se: error,
        largest: largest[place] ? rounded(largest[place]) : null,
      };
    };
    const shapes = (when: 'before' | 'after') =>
      believed.map((own, place) => (own === null ? '' : shapeOf(cellsOf(own[when]), largest[place]!)));
    return {
      variable,
      near,
      bounds,
      masses: masses.map((value, m) => ({
        value,
        before: column(believed.map((own) => own && rounded(own.before[m]!))),
        after: column(believed.map((own) => own && rounded(own.after[m]!))),
      })),
      columns: columnsOf(records, figuresOf),
      before: shapes('before'),
      after: shapes('after'),
    };

    function cellsOf(probabilities: Float32Array): Float32Array {
      return probabilities.subarray(masses.length);
    }
  });
}

/** Probabilities of cells as shares of the largest, a character each. */
function shapeOf(probabilities: Float32Array, largest: number): string {
  const most = SHAPE_LEVELS.length - 1;
  return Array.from(probabilities, (probability) => SHAPE_LEVELS[Math.round((most * probability) / largest)]).join('');
}
