import { factorize, inverse, solveLower, solveUpper } from '../../shared/numeric/cholesky.ts';
import { exp } from '../../shared/numeric/portable-math.ts';
import type { Table } from '../../shared/table/table.ts';
import { categoricalColumn } from './joint-shares.ts';

const NEWTON_STEPS = 25;

/** Steps that move no coefficient by more than this end the iteration. */
const ARRIVED = 1e-10;

/** Maximum likelihood estimates of a logistic regression, the intercept first, and their variances. */
export interface LogisticFit {
  readonly coefficients: Float64Array;
  readonly variances: Float64Array;
}

/** Which regression is fitted. */
export interface Regression {
  /** The response is 1 for the category. */
  readonly response: string;
  readonly category: string;
  /** Records with this category of the response are left out. */
  readonly without?: string;
  readonly predictors: readonly string[];
}

/** Fits main effects of variables as numbers, the place of a category in its order from 1, as Hu et al.'s (2014) Table 2 has them. */
export function fitRegression(table: Table, { response, category, without, predictors }: Regression): LogisticFit {
  const { codes, categories } = categoricalColumn(table, response);
  const columns = predictors.map((name) => categoricalColumn(table, name).codes);
  const one = categories.indexOf(category);
  const leftOut = without === undefined ? -1 : categories.indexOf(without);
  const kept = Array.from({ length: table.records }, (_, i) => i).filter((i) => codes[i] !== leftOut);
  return logisticFit(
    kept.map((i) => [1, ...columns.map((column) => column[i]! + 1)]),
    kept.map((i) => (codes[i] === one ? 1 : 0)),
  );
}

/**
 * Maximum likelihood by Newton's method; the variances are those of the inverse information.
 *
 * @param rows predictors of every record, with the 1 of the intercept
 * @throws RangeError when it does not arrive, or predictors are not linearly independent
 */
export function logisticFit(rows: readonly (readonly number[])[], responses: readonly number[]): LogisticFit {
  const n = rows[0]!.length;
  const coefficients = new Float64Array(n);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { gradient, information } = derivatives(rows, responses, coefficients);
    const factor = information.slice();
    factorize(factor, n);
    solveLower(factor, n, gradient);
    solveUpper(factor, n, gradient);
    for (let k = 0; k < n; k++) coefficients[k]! += gradient[k]!;
    if (gradient.every((move) => Math.abs(move) < ARRIVED)) {
      const covariance = inverse(information, n);
      return { coefficients, variances: coefficients.map((_, k) => covariance[k * n + k]!) };
    }
  }
  throw new RangeError('the regression does not converge');
}

function derivatives(rows: readonly (readonly number[])[], responses: readonly number[], coefficients: Float64Array) {
  const n = coefficients.length;
  const gradient = new Float64Array(n);
  const information = new Float64Array(n * n);
  for (const [i, row] of rows.entries()) {
    let linear = 0;
    for (let k = 0; k < n; k++) linear += coefficients[k]! * row[k]!;
    const p = 1 / (1 + exp(-linear));
    for (let k = 0; k < n; k++) {
      gradient[k]! += (responses[i]! - p) * row[k]!;
      for (let h = 0; h <= k; h++) information[k * n + h]! += p * (1 - p) * row[k]! * row[h]!;
    }
  }
  return { gradient, information };
}
