import { exp, log } from '../../numeric/portable-math.ts';
import { gamma } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { sliceOnLine, sliceWithin } from '../../random/slice.ts';
import { type ArealCells, type ArealParameters, type CellGroups, PRECISION } from './cells.ts';

/**
 * Shape of the LKJ prior of Omega, of density det(Omega)^(shape - 1) (Lewandowski, Kurowicka & Joe 2009; Hu & Savitsky 2018,
 * section 2.3).
 */
const LKJ_SHAPE = 2;

/** Degrees of freedom of the half-t prior of each scale, whose own scale is 1 (Hu & Savitsky 2018, section 2.3). */
const SCALE_FREEDOM = 3;

/** About the width of the density of a log scale. */
const LOG_SCALE_WIDTH = 1;

/** Logarithm of the half-t density at the exponential of a number, times that exponential: the density of the number. */
export function logScalePrior(logScale: number): number {
  return logScale - ((SCALE_FREEDOM + 1) / 2) * log(1 + exp(2 * logScale) / SCALE_FREEDOM);
}

/** Entries (r, s) of a matrix divided by the scales r and s: so the inverse of Omega becomes that of Sigma. */
export function dividedByScales(matrix: Float64Array, scales: Float64Array): Float64Array {
  const size = scales.length;
  const result = new Float64Array(size * size);
  for (let r = 0; r < size; r++) {
    for (let s = 0; s < size; s++) {
      result[r * size + s] = matrix[r * size + s]! / (scales[r]! * scales[s]!);
    }
  }
  return result;
}

/** phi* of the clusters that hold cells, one after the other: clusters x R. */
export function effectsOfClusters(coefficients: Float64Array, clusterSizes: Float64Array, regressors: number): Float64Array {
  const occupied = [...clusterSizes.keys()].filter((k) => clusterSizes[k]! > 0);
  const effects = new Float64Array(occupied.length * regressors);
  for (const [at, k] of occupied.entries()) {
    const from = k * (1 + regressors) + 1;
    effects.set(coefficients.subarray(from, from + regressors), at * regressors);
  }
  return effects;
}

/**
 * Updates sigma and Omega given vectors that are normal with mean 0 and covariance diag(sigma) Omega diag(sigma), each
 * scale and each correlation in turn by slice sampling.
 *
 * @param inverseCorrelations the inverse of Omega before; changed to what it is afterwards, up to rounding that has piled up
 * @param vectors how many there are x R
 * @throws RangeError when Omega is not positive definite in floating point
 */
export function updateCovariance(
  { scales, correlations }: Pick<ArealParameters, 'scales' | 'correlations'>,
  inverseCorrelations: Float64Array,
  vectors: Float64Array,
  random: RandomSource,
): void {
  updateScales(scales, inverseCorrelations, vectors, random);
  updateCorrelations(correlations, inverseCorrelations, scales, vectors, random);
}

/** With v = 1 / sigma_r the likelihood is v^n exp(-(a v^2 + 2 b v) / 2). */
function updateScales(scales: Float64Array, inverseCorrelations: Float64Array, vectors: Float64Array, random: RandomSource): void {
  const size = scales.length;
  const count = vectors.length / size;
  for (let r = 0; r < size; r++) {
    let a = 0;
    let b = 0;
    for (let from = 0; from < vectors.length; from += size) {
      const component = vectors[from + r]!;
      let others = 0;
      for (let s = 0; s < size; s++) {
        if (s !== r) others += (inverseCorrelations[r * size + s]! * vectors[from + s]!) / scales[s]!;
      }
      a += inverseCorrelations[r * size + r]! * component * component;
      b += component * others;
    }
    const logDensity = (logScale: number) => {
      const v = exp(-logScale);
      return logScalePrior(logScale) - count * logScale - 0.5 * v * (a * v + 2 * b);
    };
    scales[r] = exp(sliceOnLine(random, logDensity, log(scales[r]!), LOG_SCALE_WIDTH));
  }
}

/**
 * Moves each correlation to another value between those at which Omega ceases to be positive definite, row by row below
 * the diagonal. Of row i let A be Omega without this row and column, r the row itself without its diagonal, and x the
 * vectors divided by the scales. Then
 *
 *   det(Omega) = det(A) s,  s = 1 - r'A^-1 r,
 *   x'Omega^-1 x = (what does not depend on r) + e^2 / s,  e = x_i - r'A^-1 x,
 *
 * where a change of r_j by d makes s - 2 d (A^-1 r)_j - d^2 (A^-1)_jj of s and e - d (A^-1 x)_j of e. With g the vector
 * A^-1 r and -1 in the place of row i, and zeros in that row and column of A^-1, Q = Omega^-1 is A^-1 + g g' / s and Q
 * x is A^-1 x - g e / s: so the one comes from the other before the row moves, and back afterwards. Work for R rows and
 * n vectors is R^2 (R + n).
 */
function updateCorrelations(
  correlations: Float64Array,
  q: Float64Array,
  scales: Float64Array,
  vectors: Float64Array,
  random: RandomSource,
): void {
  const size = scales.length;
  const count = vectors.length / size;
  const exponent = LKJ_SHAPE - 1 - count / 2;
  // Q x of each vector.
  const products = new Float64Array(count * size);
  for (let v = 0; v < count; v++) {
    for (let r = 0; r < size; r++) {
      let sum = 0;
      for (let s = 0; s < size; s++) sum += (q[r * size + s]! * vectors[v * size + s]!) / scales[s]!;
      products[v * size + r] = sum;
    }
  }
  // g, and e of each vector.
  const g = new Float64Array(size);
  const residuals = new Float64Array(count);
  for (let i = 1; i < size; i++) {
    let s = 1 / q[i * size + i]!;
    for (let r = 0; r < size; r++) g[r] = -q[i * size + r]! * s;
    for (let v = 0; v < count; v++) residuals[v] = products[v * size + i]! * s;
    addOuter(q, products, g, residuals, -1 / s);
    for (let j = 0; j < i; j++) {
      const diagonal = q[j * size + j]!;
      const root = Math.sqrt(g[j]! * g[j]! + diagonal * s);
      let square = 0;
      let product = 0;
      let slope = 0;
      for (let v = 0; v < count; v++) {
        const along = products[v * size + j]!;
        square += residuals[v]! * residuals[v]!;
        product += residuals[v]! * along;
        slope += along * along;
      }
      const low = -(g[j]! + root) / diagonal;
      const high = (root - g[j]!) / diagonal;
      const determinant = (d: number) => diagonal * (d - low) * (high - d);
      const logDensity = (d: number) => {
        const next = determinant(d);
        return exponent * log(next) - (0.5 * (square - 2 * d * product + d * d * slope)) / next;
      };
      const d = sliceWithin(random, logDensity, 0, low, high);
      correlations[i * size + j]! += d;
      correlations[j * size + i] = correlations[i * size + j]!;
      s = determinant(d);
      for (let r = 0; r < size; r++) if (r !== i) g[r]! += d * q[j * size + r]!;
      for (let v = 0; v < count; v++) residuals[v]! -= d * products[v * size + j]!;
    }
    addOuter(q, products, g, residuals, 1 / s);
  }
}

/** Adds factor g g' to a matrix, and to its products with vectors x what this makes of them, where g'x is -e. */
function addOuter(matrix: Float64Array, products: Float64Array, g: Float64Array, residuals: Float64Array, factor: number): void {
  const size = g.length;
  for (let r = 0; r < size; r++) {
    const scaled = factor * g[r]!;
    for (let s = 0; s < size; s++) matrix[r * size + s]! += scaled * g[s]!;
  }
  for (let v = 0; v < residuals.length; v++) {
    const scaled = factor * residuals[v]!;
    for (let r = 0; r < size; r++) products[v * size + r]! -= scaled * g[r]!;
  }
}

/**
 * Moves each scale sigma_r, and with it phi*_r of the clusters that hold cells, which stay what they are in units of it; then
 * the scale of theta* with theta*. Given the log rates, the other half of {@link updateCovariance}: with few clusters
 * phi* tells little of its scale, and a small scale holds phi* at zero.
 *
 * @param means of log rates of each group; changed with the coefficients
 */
export function moveCoefficientScales(
  { clusters, regressors }: ArealCells,
  { logRates, coefficients, scales, precisions }: ArealParameters,
  { groupOf, groups, cells, starts, members }: CellGroups,
  means: Float64Array,
  random: RandomSource,
): void {
  const tau = precisions[PRECISION.rates]!;
  const width = 1 + regressors;
  // What the log rates of each group lie above their means, added up.
  const residuals = new Float64Array(groups);
  for (let cell = 0; cell < logRates.length; cell++) {
    const group = groupOf[cell]!;
    residuals[group]! += logRates[cell]! - means[group]!;
  }
  for (let column = 0; column < width; column++) {
    // The log-likelihood of the coefficients times f is linear * (f - 1) - square * (f - 1)^2 / 2.
    let square = 0;
    let linear = 0;
    for (let k = 0; k < clusters; k++) {
      const at = k * width + column;
      const effect = tau * coefficients[at]!;
      let count = 0;
      let residual = 0;
      for (let m = starts[at]!; m < starts[at + 1]!; m++) {
        count += cells[members[m]!]!;
        residual += residuals[members[m]!]!;
      }
      square += count * effect * coefficients[at]!;
      linear += residual * effect;
    }
    const current = column === 0 ? -0.5 * log(precisions[PRECISION.theta]!) : log(scales[column - 1]!);
    const logPrior = column === 0 ? (s: number) => logPrecisionPrior(-2 * s) : logScalePrior;
    const logDensity = (logScale: number) => {
      const change = exp(logScale - current) - 1;
      return logPrior(logScale) + change * (linear - 0.5 * square * change);
    };
    const next = sliceOnLine(random, logDensity, current, LOG_SCALE_WIDTH);
    if (column === 0) precisions[PRECISION.theta] = exp(-2 * next);
    else scales[column - 1] = exp(next);
    const factor = exp(next - current);
    for (let k = 0; k < clusters; k++) {
      // Coefficients of empty clusters are drawn afterwards.
      if (starts[k * width] === starts[k * width + 1]) continue;
      const at = k * width + column;
      const shift = coefficients[at]! * (factor - 1);
      coefficients[at]! += shift;
      for (let m = starts[at]!; m < starts[at + 1]!; m++) {
        const group = members[m]!;
        means[group]! += shift;
        residuals[group]! -= cells[group]! * shift;
      }
    }
  }
}

/** Shape and rate of the gamma prior of every precision (Hu & Savitsky 2018, section 2.3). */
const PRIOR = { shape: 1, rate: 1 };

/** Logarithm of the prior density of the logarithm of a precision. */
export function logPrecisionPrior(logPrecision: number): number {
  return PRIOR.shape * logPrecision - PRIOR.rate * exp(logPrecision);
}

/** A precision given the sum of squares of values that are normal with mean 0. */
function drawPrecision(values: number, squares: number, random: RandomSource): number {
  return gamma(random, PRIOR.shape + values / 2) / (PRIOR.rate + squares / 2);
}

/**
 * Draws the precisions of log rates, of theta* and of mu from their gamma conditionals. Of theta* only that of clusters
 * that hold cells counts: the others are drawn afterwards.
 *
 * @param means of log rates of each group
 */
export function drawPrecisions(
  { clusters, regressors }: ArealCells,
  { logRates, coefficients, intercept, precisions }: ArealParameters,
  { groupOf, starts }: CellGroups,
  means: Float64Array,
  random: RandomSource,
): void {
  let squares = 0;
  for (let cell = 0; cell < logRates.length; cell++) {
    const residual = logRates[cell]! - means[groupOf[cell]!]!;
    squares += residual * residual;
  }
  let occupied = 0;
  let thetaSquares = 0;
  for (let k = 0; k < clusters; k++) {
    const at = k * (1 + regressors);
    if (starts[at] === starts[at + 1]) continue;
    occupied++;
    const theta = coefficients[at]!;
    thetaSquares += theta * theta;
  }
  const mu = intercept[0]!;
  precisions[PRECISION.rates] = drawPrecision(logRates.length, squares, random);
  precisions[PRECISION.theta] = drawPrecision(occupied, thetaSquares, random);
  precisions[PRECISION.intercept] = drawPrecision(1, mu * mu, random);
}
