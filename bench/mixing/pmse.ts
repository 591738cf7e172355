import type { Combinations } from '../../shared/table/combinations.ts';

const NEWTON_STEPS = 8;
const CONJUGATE_STEPS = 40;

/** A little of a ridge: without it, values that only one of the tables has would send their coefficients away. */
const RIDGE = 1;

/**
 * pMSE of a synthetic dataset (Woo et al. 2009): mean squared distance from 1/2 of the probability that a record
 * is synthetic, by a logistic regression on all variables and all their pairs, fitted to the confidential and the
 * synthetic records together. 0 where they cannot be told apart, 1/4 where they always can.
 *
 * @param sizes number of categories of each variable
 * @param synthetic as many records as the table has
 */
export function pmse(table: Combinations, synthetic: Combinations, sizes: readonly number[]): number {
  const features = pairFeatures([table, synthetic], sizes);
  const { rows, active, count } = features;
  const weights = Float64Array.from([...table.counts, ...synthetic.counts]);
  const isSynthetic = (row: number) => (row < table.count ? 0 : 1);
  const coefficients = new Float64Array(count);
  const linear = new Float64Array(rows);

  const times = (vector: Float64Array, out: Float64Array) => {
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let j = row * active; j < (row + 1) * active; j++) sum += vector[features.indices[j]!]!;
      out[row] = sum;
    }
  };
  const addTransposed = (row: number, value: number, out: Float64Array) => {
    for (let j = row * active; j < (row + 1) * active; j++) out[features.indices[j]!]! += value;
  };
  const probability = (row: number) => 1 / (1 + Math.exp(-linear[row]!));

  for (let step = 0; step < NEWTON_STEPS; step++) {
    times(coefficients, linear);
    const gradient = coefficients.map((value) => -RIDGE * value);
    const curvature = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      const p = probability(row);
      curvature[row] = weights[row]! * p * (1 - p);
      addTransposed(row, weights[row]! * (isSynthetic(row) - p), gradient);
    }
    const move = solve(gradient, (vector) => {
      const image = vector.map((value) => RIDGE * value);
      const along = new Float64Array(rows);
      times(vector, along);
      for (let row = 0; row < rows; row++) addTransposed(row, curvature[row]! * along[row]!, image);
      return image;
    });
    for (let f = 0; f < count; f++) coefficients[f]! += move[f]!;
  }
  times(coefficients, linear);
  let squares = 0;
  let records = 0;
  for (let row = 0; row < rows; row++) {
    squares += weights[row]! * (probability(row) - 0.5) * (probability(row) - 0.5);
    records += weights[row]!;
  }
  return squares / records;
}

/** For each row the intercept, its value of every variable and of every pair of them, as numbers of features. */
function pairFeatures(tables: readonly Combinations[], sizes: readonly number[]) {
  const variables = sizes.length;
  const active = 1 + variables + (variables * (variables - 1)) / 2;
  const rows = tables.reduce((sum, { count }) => sum + count, 0);
  const indices = new Uint32Array(rows * active);
  let row = 0;
  let count = 1;
  for (const { count: own, codes } of tables) {
    for (let r = 0; r < own; r++, row++) {
      const code = (k: number) => codes[r * variables + k]!;
      let at = row * active;
      let from = 1;
      indices[at++] = 0;
      for (let k = 0; k < variables; k++) {
        indices[at++] = from + code(k);
        from += sizes[k]!;
        for (let l = k + 1; l < variables; l++) {
          indices[at++] = from + code(k) * sizes[l]! + code(l);
          from += sizes[k]! * sizes[l]!;
        }
      }
      count = from;
    }
  }
  return { rows, active, count, indices };
}

/** Solves A x = b for a positive definite A, given as what it does to a vector, by conjugate gradients. */
function solve(b: Float64Array, apply: (vector: Float64Array) => Float64Array): Float64Array {
  const dot = (u: Float64Array, v: Float64Array) => u.reduce((sum, value, i) => sum + value * v[i]!, 0);
  const x = new Float64Array(b.length);
  const residual = b.slice();
  let direction = b.slice();
  let square = dot(residual, residual);
  const enough = 1e-10 * square;
  for (let step = 0; step < CONJUGATE_STEPS && square > enough; step++) {
    const image = apply(direction);
    const length = square / dot(direction, image);
    for (let i = 0; i < x.length; i++) {
      x[i]! += length * direction[i]!;
      residual[i]! -= length * image[i]!;
    }
    const next = dot(residual, residual);
    const kept = next / square;
    direction = direction.map((value, i) => residual[i]! + kept * value);
    square = next;
  }
  return x;
}
