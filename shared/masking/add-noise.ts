import { standardDeviation } from '../numeric/spread.ts';
import type { RandomSource } from '../random/random-source.ts';
import { normal } from '../random/ziggurat.ts';
import { meanOf, standardizedPoints } from './standardized-points.ts';

/** Pivots below this share of a variance of 1 are those of a variable that others determine. */
const SINGULAR_PIVOT = 1e-10;

/** How the noise of one coordinate is drawn, with mean 0 and variance 1. */
type UnitNoise = (random: RandomSource) => number;

/**
 * Noise from two normals of equal weight, `separation` to either side of zero, of variance 1 as a whole: it is seldom
 * near zero, as the mixtures are that Yancey, Winkler and Creecy (2002) take from Roque (2000).
 *
 * @param separation between 0 and 1
 */
export function mixtureNoise(separation: number): UnitNoise {
  const spread = Math.sqrt(1 - separation * separation);
  return (random) => (random.uniform() < 0.5 ? -separation : separation) + spread * normal(random);
}

/**
 * Columns with noise that has their covariance, times `noise`, and then shrunk about their means, so that means and
 * covariances are in expectation what they were (Kim 1986): (x - mean + e) / sqrt(1 + noise) + mean.
 *
 * Variables that others determine get the noise that these determine.
 *
 * @param columns of equal lengths, none constant
 * @param noise variance that is added, as a share of the variable's
 */
export function withNoise(random: RandomSource, columns: readonly Float64Array[], noise: number, unitNoise: UnitNoise): Float64Array[] {
  const variables = columns.length;
  const records = columns[0]!.length;
  const points = standardizedPoints(columns);
  const factor = semidefiniteFactor(correlations(points, variables), variables);
  const scale = Math.sqrt(noise);
  const shrink = 1 / Math.sqrt(1 + noise);
  const unit = new Float64Array(variables);
  for (let record = 0; record < records; record++) {
    for (let v = 0; v < variables; v++) unit[v] = unitNoise(random);
    for (let v = 0; v < variables; v++) {
      let drawn = 0;
      for (let w = 0; w <= v; w++) drawn += factor[v * variables + w]! * unit[w]!;
      const at = record * variables + v;
      points[at] = (points[at]! + scale * drawn) * shrink;
    }
  }
  return columns.map((values, v) => {
    const mean = meanOf(values);
    const deviation = standardDeviation(values);
    return values.map((_, record) => mean + deviation * points[record * variables + v]!);
  });
}

/** Correlations of standardized variables, variables x variables. */
export function correlations(points: Float64Array, variables: number): Float64Array {
  const records = points.length / variables;
  const matrix = new Float64Array(variables * variables);
  for (let record = 0; record < records; record++) {
    const at = record * variables;
    for (let v = 0; v < variables; v++) for (let w = 0; w <= v; w++) matrix[v * variables + w]! += points[at + v]! * points[at + w]!;
  }
  for (let v = 0; v < variables; v++) {
    for (let w = 0; w <= v; w++) {
      matrix[v * variables + w]! /= records - 1;
      matrix[w * variables + v] = matrix[v * variables + w]!;
    }
  }
  return matrix;
}

/** Cholesky's factor of a positive semidefinite matrix: a pivot that rounding leaves of zero has a column of zeros. */
function semidefiniteFactor(matrix: Float64Array, n: number): Float64Array {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let m = 0; m < j; m++) sum -= factor[i * n + m]! * factor[j * n + m]!;
      if (i === j) factor[i * n + i] = sum > SINGULAR_PIVOT ? Math.sqrt(sum) : 0;
      else if (factor[j * n + j]! > 0) factor[i * n + j] = sum / factor[j * n + j]!;
    }
  }
  return factor;
}
