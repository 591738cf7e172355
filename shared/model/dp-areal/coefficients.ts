import { factorize, solveLower, solveUpper } from '../../numeric/cholesky.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { normal } from '../../random/ziggurat.ts';
import type { ArealCells } from './cells.ts';
import type { CellClusters } from './clusters.ts';
import type { CellGroups } from './groups.ts';
import { type ArealParameters, PRECISION } from './latent.ts';

/** Precision matrix of theta* and phi* of a cluster beforehand: (1 + R) x (1 + R). */
function priorPrecision(tauTheta: number, inverseCovariance: Float64Array, regressors: number): Float64Array {
  const width = 1 + regressors;
  const precision = new Float64Array(width * width);
  precision[0] = tauTheta;
  for (let r = 0; r < regressors; r++) {
    precision.set(inverseCovariance.subarray(r * regressors, (r + 1) * regressors), (1 + r) * width + 1);
  }
  return precision;
}

/**
 * Draws mu and the coefficients of all clusters that hold cells together, given the log rates: mu with the coefficients
 * integrated out, then theta* and phi* of each cluster from their normal (001 eq. 8, 10-12). For cluster k with design
 * matrix X and log rates l these have the precision P = P_0 + tau X'X and the mean P^-1 tau X'(l - mu).
 *
 * @param inverseCovariance of phi*, R x R
 */
export function drawCoefficients(
  cells: ArealCells,
  parameters: ArealParameters,
  { groupOf, groups, patternOf, cells: cellsOf, starts, members }: CellGroups,
  inverseCovariance: Float64Array,
  random: RandomSource,
): void {
  const { clusters, terms, columns, regressors } = cells;
  const { logRates, coefficients, intercept, precisions } = parameters;
  const tau = precisions[PRECISION.rates]!;
  const width = 1 + regressors;
  const sums = new Float64Array(groups);
  for (let cell = 0; cell < logRates.length; cell++) sums[groupOf[cell]!]! += logRates[cell]!;
  const prior = priorPrecision(precisions[PRECISION.theta]!, inverseCovariance, regressors);
  let muPrecision = precisions[PRECISION.intercept]!;
  let muSum = 0;
  const solved: { readonly k: number; readonly factor: Float64Array; readonly ones: Float64Array; readonly rates: Float64Array }[] = [];
  for (let k = 0; k < clusters; k++) {
    const [from, to] = [starts[k * width]!, starts[k * width + 1]!];
    if (from === to) continue;
    const factor = prior.slice();
    // tau X'1 and tau X'l, then what is left of them after multiplication by the inverse of P's factor.
    const ones = new Float64Array(width);
    const rates = new Float64Array(width);
    for (let at = from; at < to; at++) {
      const group = members[at]!;
      const b = patternOf[group]!;
      const count = tau * cellsOf[group]!;
      const sum = tau * sums[group]!;
      for (let t = b * terms; t < (b + 1) * terms; t++) {
        const column = columns[t]!;
        ones[column]! += count;
        rates[column]! += sum;
        for (let s = b * terms; s <= t; s++) factor[column * width + columns[s]!]! += count;
      }
    }
    muPrecision += ones[0]!;
    muSum += rates[0]!;
    factorize(factor, width);
    solveLower(factor, width, ones);
    solveLower(factor, width, rates);
    for (let r = 0; r < width; r++) {
      muPrecision -= ones[r]! * ones[r]!;
      muSum -= ones[r]! * rates[r]!;
    }
    solved.push({ k, factor, ones, rates });
  }
  const mu = muSum / muPrecision + normal(random) / Math.sqrt(muPrecision);
  intercept[0] = mu;
  for (const { k, factor, ones, rates } of solved) {
    const clusterCoefficients = coefficients.subarray(k * width, (k + 1) * width);
    for (let r = 0; r < width; r++) clusterCoefficients[r] = rates[r]! - mu * ones[r]! + normal(random);
    solveUpper(factor, width, clusterCoefficients);
  }
}

/** Draws the coefficients of the clusters that hold no cell, which only their prior tells of (001 eq. 10-11). */
export function drawEmptyClusters(
  { clusters, regressors }: ArealCells,
  { coefficients, precisions }: ArealParameters,
  { sizes }: CellClusters,
  inverseCovariance: Float64Array,
  random: RandomSource,
): void {
  const width = 1 + regressors;
  const factor = priorPrecision(precisions[PRECISION.theta]!, inverseCovariance, regressors);
  factorize(factor, width);
  for (let k = 0; k < clusters; k++) {
    if (sizes[k] !== 0) continue;
    const clusterCoefficients = coefficients.subarray(k * width, (k + 1) * width);
    for (let r = 0; r < width; r++) clusterCoefficients[r] = normal(random);
    solveUpper(factor, width, clusterCoefficients);
  }
}
