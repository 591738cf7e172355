import { factorize, solveLower, solveUpper } from '../../numeric/cholesky.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { logRate } from '../../random/log-rate.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { normal } from '../../random/ziggurat.ts';
import type { CellClusters } from './cells.ts';
import { type ArealCells, type ArealParameters, type CellGroups, PRECISION, type RateLikelihood } from './cells.ts';

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
 * integrated out, then theta* and phi* of each cluster from their normal (Hu & Savitsky 2018, eq. 8, 10-12). For cluster k with design
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

/** Draws the coefficients of the clusters that hold no cell, of which the prior alone says anything (Hu & Savitsky 2018, eq. 10-11). */
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

/**
 * A shift of some log rates that share a coefficient, drawn given their counts and given that the coefficient after it is
 * normal. Their likelihood is exp(count shift - exposure exp(shift)).
 */
function drawShift(random: RandomSource, count: number, exposure: number, mean: number, precision: number): number {
  const logExposure = log(exposure);
  return logRate(random, count, mean + logExposure, precision) - logExposure;
}

/**
 * Moves mu and each coefficient of each cluster that holds cells, and with it all log rates that it enters, so that what
 * these lie from their means stays; {@link drawCoefficients} draws the same given the log rates. Where counts are small
 * either way alone creeps; the two in turn do not (Yu & Meng 2011).
 */
export function moveCoefficients(
  { patterns, categories, clusters, regressors }: ArealCells,
  { logRates, coefficients, intercept, precisions }: ArealParameters,
  { groupOf, groups, starts, members }: CellGroups,
  { counts, weights, inverseCovariance }: RateLikelihood & { readonly inverseCovariance: Float64Array },
  random: RandomSource,
): void {
  const width = 1 + regressors;
  const totals = new Float64Array(groups);
  const exposures = new Float64Array(groups);
  const shifts = new Float64Array(groups);
  for (let b = 0; b < patterns; b++) {
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const group = groupOf[cell]!;
      totals[group]! += counts[cell]!;
      exposures[group]! += weights[b]! * exp(logRates[cell]!);
    }
  }
  /** Shifts some groups, given the normal of their coefficient after the shift less now. */
  const shift = (shifted: Uint32Array, from: number, to: number, mean: number, precision: number) => {
    let total = 0;
    let exposure = 0;
    for (let at = from; at < to; at++) {
      total += totals[shifted[at]!]!;
      exposure += exposures[shifted[at]!]!;
    }
    // No cell is there: the counts tell nothing.
    if (exposure === 0) return 0;
    const drawn = drawShift(random, total, exposure, mean, precision);
    const factor = exp(drawn);
    for (let at = from; at < to; at++) {
      exposures[shifted[at]!]! *= factor;
      shifts[shifted[at]!]! += drawn;
    }
    return drawn;
  };
  const all = Uint32Array.from({ length: groups }, (_, group) => group);
  intercept[0]! += shift(all, 0, groups, -intercept[0]!, precisions[PRECISION.intercept]!);
  for (let k = 0; k < clusters; k++) {
    const from = k * width;
    const theta = coefficients[from]!;
    const precision = precisions[PRECISION.theta]!;
    coefficients[from] = theta + shift(members, starts[from]!, starts[from + 1]!, -theta, precision);
    for (let r = 0; r < regressors; r++) {
      const at = from + 1 + r;
      if (starts[at] === starts[at + 1]) continue;
      // Given the others, phi*_r is normal with precision Q_rr and mean phi*_r - (Q phi*)_r / Q_rr.
      const row = r * regressors;
      let product = 0;
      for (let s = 0; s < regressors; s++) product += inverseCovariance[row + s]! * coefficients[from + 1 + s]!;
      const precision = inverseCovariance[row + r]!;
      coefficients[at]! += shift(members, starts[at]!, starts[at + 1]!, -product / precision, precision);
    }
  }
  for (let cell = 0; cell < logRates.length; cell++) logRates[cell]! += shifts[groupOf[cell]!]!;
}
