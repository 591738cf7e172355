/**
 * Symmetric positive definite systems by Cholesky's factor. Matrices are n x n, row-major; of a symmetric matrix and of
 * a factor the lower triangle alone is looked at.
 */

/**
 * Replaces the lower triangle of a symmetric matrix A by the factor L of A = L L^T.
 *
 * @throws RangeError when A is not positive definite, or not of numbers
 */
export function factorize(matrix: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!;
      for (let m = 0; m < j; m++) sum -= matrix[i * n + m]! * matrix[j * n + m]!;
      if (j < i) {
        matrix[i * n + j] = sum / matrix[j * n + j]!;
      } else {
        if (!(sum > 0 && sum < Infinity)) throw new RangeError('a covariance is not positive definite');
        matrix[i * n + i] = Math.sqrt(sum);
      }
    }
  }
}

/** Solves L x = b in place of b, with L from {@link factorize}. */
export function solveLower(factor: Float64Array, n: number, vector: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = vector[i]!;
    for (let m = 0; m < i; m++) sum -= factor[i * n + m]! * vector[m]!;
    vector[i] = sum / factor[i * n + i]!;
  }
}

/** Solves L^T x = b in place of b, with L from {@link factorize}. */
export function solveUpper(factor: Float64Array, n: number, vector: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    const value = vector[i]! / factor[i * n + i]!;
    vector[i] = value;
    for (let m = 0; m < i; m++) vector[m]! -= factor[i * n + m]! * value;
  }
}

/**
 * The inverse of a symmetric matrix, both triangles of it.
 *
 * @throws RangeError as {@link factorize} does
 */
export function inverse(matrix: Float64Array, n: number): Float64Array {
  const factor = matrix.slice();
  factorize(factor, n);
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = result.subarray(i * n, (i + 1) * n);
    row[i] = 1;
    solveLower(factor, n, row);
    solveUpper(factor, n, row);
  }
  return result;
}

/** A variable of which those before it leave less than this share of its variance is determined by them. */
const DETERMINED = 1e-9;

/**
 * Places of variables, in their order, of which none is determined by those before it: the pivots of Cholesky's factor are
 * what is left of their variances.
 *
 * @param covariances symmetric and positive semidefinite
 */
export function independentPlaces(covariances: Float64Array, n: number): number[] {
  const kept: number[] = [];
  const rows: Float64Array[] = [];
  for (let v = 0; v < n; v++) {
    const row = new Float64Array(kept.length + 1);
    const variance = covariances[v * n + v]!;
    let rest = variance;
    for (const [j, w] of kept.entries()) {
      let sum = covariances[v * n + w]!;
      for (let m = 0; m < j; m++) sum -= row[m]! * rows[j]![m]!;
      row[j] = sum / rows[j]![j]!;
      rest -= row[j]! * row[j]!;
    }
    if (!(rest > DETERMINED * variance)) continue;
    row[kept.length] = Math.sqrt(rest);
    kept.push(v);
    rows.push(row);
  }
  return kept;
}
