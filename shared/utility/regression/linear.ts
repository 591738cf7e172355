import { factorizeSemidefinite, inverseDiagonal, solveSemidefinite } from '../../numeric/semidefinite.ts';
import { addCrossProducts, addTransposed, type Design, times } from './design.ts';

/** A regression by least squares. */
export interface LinearFit {
  /** 0 for a column that is left out. */
  readonly coefficients: Float64Array;
  /** NaN for a column that is left out. */
  readonly standardErrors: Float64Array;
  readonly aliased: Uint8Array;
  /** Of the residuals: records less coefficients. */
  readonly df: number;
}

/**
 * Fits a linear regression by least squares, as R's `lm`, from the normal equations.
 *
 * @param design its first column is the intercept
 * @throws RangeError where there are no more records than coefficients
 */
export function fitLinear(design: Design, counts: Float64Array, response: Float64Array): LinearFit {
  const { rows, count } = design;
  const records = counts.reduce((all, one) => all + one, 0);
  const matrix = new Float64Array(count * count);
  addCrossProducts(design, counts, matrix);
  const system = factorizeSemidefinite(matrix, count);
  const df = records - system.rank;
  if (!(df > 0)) throw new RangeError('a regression needs more records than coefficients');
  const coefficients = new Float64Array(count);
  const fitted = new Float64Array(rows);
  const residuals = new Float64Array(rows);
  // The second time what rounding left of the first is fitted.
  for (let pass = 0; pass < 2; pass++) {
    times(design, coefficients, fitted);
    for (let row = 0; row < rows; row++) residuals[row] = counts[row]! * (response[row]! - fitted[row]!);
    const move = new Float64Array(count);
    addTransposed(design, residuals, move);
    solveSemidefinite(system, move);
    for (let f = 0; f < count; f++) coefficients[f]! += move[f]!;
  }
  times(design, coefficients, fitted);
  let squares = 0;
  for (let row = 0; row < rows; row++) {
    const residual = response[row]! - fitted[row]!;
    squares += counts[row]! * residual * residual;
  }
  const variance = squares / df;
  const standardErrors = inverseDiagonal(system).map((value) => Math.sqrt(value * variance));
  return { coefficients, standardErrors, aliased: system.aliased, df };
}
