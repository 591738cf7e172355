import type { UtilityRegression } from '../../contracts/results/utility.ts';
import { quantile } from '../../numeric/quantile.ts';
import type { CountedRows } from '../../table/counted-rows.ts';
import type { FittedRegression, PreparedRegression } from './fit-regression.ts';

type Predicted = UtilityRegression['heldOut'];

/** Shares of the predictions below the quantiles that are stated. */
const PREDICTED_QUANTILES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Rows of a source that a regression is fitted to, and those that it predicts. */
export interface SplitRows {
  readonly training: CountedRows;
  readonly heldOut: CountedRows;
}

/**
 * What regressions fitted to the training records of a table and of its datasets predict (Hu & Savitsky 2018, section 3.2).
 *
 * @param alike the regression fitted to all records of the table
 * @returns the table's, and one a dataset; null where nothing could be fitted
 */
export function predictHeldOut(
  prepared: PreparedRegression,
  alike: FittedRegression,
  table: SplitRows,
  datasets: readonly SplitRows[],
): Omit<Predicted, 'records'> {
  const reference = prepared.fit(table.training, alike);
  const referenceOf = reference.predict?.(table.heldOut) ?? null;
  const truth = prepared.responseOf(table.heldOut);
  const predictionOf = (fitted: FittedRegression, own: CountedRows): Predicted['original'] => {
    if (fitted.predict === null || referenceOf === null) return null;
    const ofTable = fitted.predict(table.heldOut);
    return {
      quantiles: quantilesOf(fitted.predict(own), own.counts),
      meanSquaredError: meanSquare(table.heldOut, ofTable, truth),
      distance: Math.sqrt(meanSquare(table.heldOut, ofTable, referenceOf)),
    };
  };
  const original = predictionOf(reference, table.heldOut);
  const others = datasets.map((dataset) => predictionOf(prepared.fit(dataset.training, alike), dataset.heldOut));
  if (original === null) return { original, datasets: others, reason: `in the table: ${reference.reason}` };
  const lost = others.filter((one) => one === null).length;
  const reason = `in ${lost} of ${others.length} datasets the regression cannot be fitted`;
  return { original, datasets: others, ...(lost > 0 && { reason }) };
}

function quantilesOf(values: Float64Array, counts: Float64Array): number[] {
  const sorted = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let from = 0;
  for (let row = 0; row < values.length; row++) {
    sorted.fill(values[row]!, from, from + counts[row]!);
    from += counts[row]!;
  }
  sorted.sort();
  return PREDICTED_QUANTILES.map((share) => quantile(sorted, share));
}

function meanSquare({ counts, records }: CountedRows, a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < counts.length; row++) {
    sum += counts[row]! * (a[row]! - b[row]!) * (a[row]! - b[row]!);
  }
  return sum / records;
}
