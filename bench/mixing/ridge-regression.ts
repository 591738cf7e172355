import { exp } from '../../shared/numeric/portable-math.ts';

const NEWTON_STEPS = 8;
const CONJUGATE_STEPS = 40;

/** Coefficients that move by less than this have arrived: a step leaves an error of about 1e-5 of its length. */
const ARRIVED = 1e-5;

/** A sparse design with the same number of features in every row. */
export interface FeatureRows {
  readonly rows: number;
  /** Features of a row. */
  readonly active: number;
  /** All features. */
  readonly count: number;
  /** (rows x active) features from 0 to count. */
  readonly indices: Uint32Array;
  /** (rows x active); all 1 where it is left out. */
  readonly values?: Float64Array;
}

/**
 * Probabilities of response 1 by logistic regression, fitted by Newton's method.
 *
 * @param weights how often each row occurs
 * @param responses 0 or 1, one a row
 * @param ridge half the penalty on the sum of squares of all coefficients; 0 is maximum likelihood, which needs features
 * that are linearly independent
 */
export function logisticProbabilities(
  { rows, active, count, indices, values = new Float64Array(indices.length).fill(1) }: FeatureRows,
  weights: Float64Array,
  responses: Uint8Array,
  ridge: number,
): Float64Array {
  const coefficients = new Float64Array(count);
  const linear = new Float64Array(rows);
  const curvature = new Float64Array(rows);
  const times = (vector: Float64Array, out: Float64Array) => {
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let j = row * active; j < (row + 1) * active; j++) sum += vector[indices[j]!]! * values[j]!;
      out[row] = sum;
    }
  };
  const addTransposed = (row: number, value: number, out: Float64Array) => {
    for (let j = row * active; j < (row + 1) * active; j++) out[indices[j]!]! += value * values[j]!;
  };
  const probability = (row: number) => 1 / (1 + exp(-linear[row]!));

  /** The matrix of second derivatives times a vector, row by row. */
  const byRows = () => {
    const along = new Float64Array(rows);
    return (vector: Float64Array) => {
      const image = vector.map((value) => ridge * value);
      times(vector, along);
      for (let row = 0; row < rows; row++) addTransposed(row, curvature[row]! * along[row]!, image);
      return image;
    };
  };
  /** The same by the matrix itself, formed once. */
  const byMatrix = () => {
    const matrix = Array.from({ length: count }, (_, f) => {
      const line = new Float64Array(count);
      line[f] = ridge;
      return line;
    });
    for (let row = 0; row < rows; row++) {
      for (let j = row * active; j < (row + 1) * active; j++) {
        if (values[j] !== 0) addTransposed(row, curvature[row]! * values[j]!, matrix[indices[j]!]!);
      }
    }
    return (vector: Float64Array) => Float64Array.from(matrix, (line) => dot(line, vector));
  };
  const derivatives = count * count <= rows * active ? byMatrix : byRows;

  for (let step = 0; step < NEWTON_STEPS; step++) {
    times(coefficients, linear);
    const gradient = coefficients.map((value) => -ridge * value);
    for (let row = 0; row < rows; row++) {
      const p = probability(row);
      curvature[row] = weights[row]! * p * (1 - p);
      addTransposed(row, weights[row]! * (responses[row]! - p), gradient);
    }
    const move = solve(gradient, derivatives());
    let largest = 0;
    for (let f = 0; f < count; f++) {
      coefficients[f]! += move[f]!;
      largest = Math.max(largest, Math.abs(move[f]!));
    }
    if (largest < ARRIVED) break;
  }
  times(coefficients, linear);
  return Float64Array.from(linear, (_, row) => probability(row));
}

/** Mean squared distance from 1/2 of some probabilities (Hornby & Hu 2021, eq. 6). */
export function meanSquareFromHalf(probabilities: Float64Array, weights: Float64Array): number {
  let squares = 0;
  let records = 0;
  for (let row = 0; row < weights.length; row++) {
    squares += weights[row]! * (probabilities[row]! - 0.5) * (probabilities[row]! - 0.5);
    records += weights[row]!;
  }
  return squares / records;
}

function dot(u: Float64Array, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < u.length; i++) sum += u[i]! * v[i]!;
  return sum;
}

/** Solves A x = b for a positive definite A, given as what it does to a vector, by conjugate gradients. */
function solve(b: Float64Array, apply: (vector: Float64Array) => Float64Array): Float64Array {
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
