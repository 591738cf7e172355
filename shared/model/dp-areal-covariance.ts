import { inverse } from '../numeric/cholesky.ts';
import { exp, log } from '../numeric/portable-math.ts';
import type { RandomStream } from '../random/random-stream.ts';
import { sliceOnLine, sliceWithin } from '../random/slice.ts';
import type { ArealParameters } from './dp-areal-latent.ts';

/** Shape of the LKJ prior of Omega, of density det(Omega)^(shape - 1) (Lewandowski, Kurowicka & Joe 2009; 001 section 2.3). */
const LKJ_SHAPE = 2;

/** Degrees of freedom of the half-t prior of each scale, whose own scale is 1 (001 section 2.3). */
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

/**
 * Updates sigma and Omega given vectors that are normal with mean 0 and covariance diag(sigma) Omega diag(sigma), each
 * scale and each correlation in turn by slice sampling.
 *
 * @param vectors how many
 * @param scatter sum over them of their outer products: R x R
 * @returns the inverse of Omega
 * @throws RangeError when Omega is not positive definite in floating point
 */
export function updateCovariance(
  { scales, correlations }: Pick<ArealParameters, 'scales' | 'correlations'>,
  vectors: number,
  scatter: Float64Array,
  random: RandomStream,
): Float64Array {
  updateScales(scales, inverse(correlations, scales.length), vectors, scatter, random);
  updateCorrelations(correlations, scales, vectors, scatter, random);
  return inverse(correlations, scales.length);
}

/** Sum of the outer products of phi* over the clusters that hold cells, and how many these are. */
export function scatterOfClusters(
  coefficients: Float64Array,
  clusterSizes: Float64Array,
  regressors: number,
): { readonly vectors: number; readonly scatter: Float64Array } {
  const scatter = new Float64Array(regressors * regressors);
  let vectors = 0;
  for (let k = 0; k < clusterSizes.length; k++) {
    if (clusterSizes[k] === 0) continue;
    vectors++;
    const from = k * (1 + regressors) + 1;
    for (let r = 0; r < regressors; r++) {
      const own = coefficients[from + r]!;
      for (let s = 0; s < regressors; s++) scatter[r * regressors + s]! += own * coefficients[from + s]!;
    }
  }
  return { vectors, scatter };
}

/** With v = 1 / sigma_r the likelihood is v^n exp(-(a v^2 + 2 b v) / 2). */
function updateScales(
  scales: Float64Array,
  inverseCorrelations: Float64Array,
  vectors: number,
  scatter: Float64Array,
  random: RandomStream,
): void {
  const size = scales.length;
  for (let r = 0; r < size; r++) {
    const own = r * size + r;
    const a = inverseCorrelations[own]! * scatter[own]!;
    let b = 0;
    for (let s = 0; s < size; s++) {
      if (s !== r) b += (inverseCorrelations[r * size + s]! * scatter[r * size + s]!) / scales[s]!;
    }
    const logDensity = (logScale: number) => {
      const v = exp(-logScale);
      return logScalePrior(logScale) - vectors * logScale - 0.5 * v * (a * v + 2 * b);
    };
    scales[r] = exp(sliceOnLine(random, logDensity, log(scales[r]!), LOG_SCALE_WIDTH));
  }
}

/**
 * Moves each correlation to another value between those at which Omega ceases to be positive definite. With Q the
 * inverse of Omega, W the scatter of the vectors divided by the scales, H = Q W Q, and a change of the entries
 * (i, j) and (j, i) by d,
 *
 *   det(Omega') = det(Omega) e,  e = (1 + d q_ij)^2 - d^2 q_ii q_jj,
 *   tr(Omega'^-1 W) = tr(Q W) + (d^2 (q_jj h_ii + q_ii h_jj) - 2 d (1 + d q_ij) h_ij) / e,
 *
 * by the formula of Woodbury for a change of rank 2, which gives Q' too.
 */
function updateCorrelations(
  correlations: Float64Array,
  scales: Float64Array,
  vectors: number,
  scatter: Float64Array,
  random: RandomStream,
): void {
  const size = scales.length;
  const power = LKJ_SHAPE - 1 - vectors / 2;
  const scaled = dividedByScales(scatter, scales);
  const q = inverse(correlations, size);
  const timesScatter = new Float64Array(size);
  const otherTimesScatter = new Float64Array(size);
  const multiply = (row: Float64Array, into: Float64Array) => {
    for (let r = 0; r < size; r++) {
      let sum = 0;
      for (let s = 0; s < size; s++) sum += scaled[r * size + s]! * row[s]!;
      into[r] = sum;
    }
  };
  const dot = (a: Float64Array, b: Float64Array) => {
    let sum = 0;
    for (let r = 0; r < size; r++) sum += a[r]! * b[r]!;
    return sum;
  };
  for (let i = 1; i < size; i++) {
    for (let j = 0; j < i; j++) {
      const rowI = q.subarray(i * size, (i + 1) * size);
      const rowJ = q.subarray(j * size, (j + 1) * size);
      multiply(rowI, timesScatter);
      multiply(rowJ, otherTimesScatter);
      const hii = dot(rowI, timesScatter);
      const hij = dot(rowJ, timesScatter);
      const hjj = dot(rowJ, otherTimesScatter);
      const qii = rowI[i]!;
      const qij = rowI[j]!;
      const qjj = rowJ[j]!;
      const root = Math.sqrt(qii * qjj);
      const determinant = (d: number) => (1 + d * (qij + root)) * (1 + d * (qij - root));
      const logDensity = (d: number) => {
        const e = determinant(d);
        const trace = (d * d * (qjj * hii + qii * hjj) - 2 * d * (1 + d * qij) * hij) / e;
        return power * log(e) - 0.5 * trace;
      };
      const d = sliceWithin(random, logDensity, 0, -1 / (root + qij), 1 / (root - qij));
      correlations[i * size + j]! += d;
      correlations[j * size + i] = correlations[i * size + j]!;
      const e = determinant(d);
      const ii = (d * d * qjj) / e;
      const jj = (d * d * qii) / e;
      const ij = (-d * (1 + d * qij)) / e;
      const columnI = rowI.slice();
      const columnJ = rowJ.slice();
      for (let r = 0; r < size; r++) {
        const onI = ii * columnI[r]! + ij * columnJ[r]!;
        const onJ = ij * columnI[r]! + jj * columnJ[r]!;
        for (let s = 0; s < size; s++) q[r * size + s]! += onI * columnI[s]! + onJ * columnJ[s]!;
      }
    }
  }
}
