/**
 * Systems of a positive semidefinite matrix (n x n, row-major, of which the lower triangle alone is looked at), by
 * Cholesky's factor without what is linearly dependent. As in R's regressions, of dependent columns the later ones are
 * left out.
 */

/** A pivot below this share of its diagonal is one of rounding: the column depends on those before it. */
const DEPENDENT = 1e-10;

/** The factor L of a matrix without its dependent rows and columns, which are marked and stand as those of a unit matrix. */
export interface SemidefiniteFactor {
  readonly n: number;
  readonly factor: Float64Array;
  readonly aliased: Uint8Array;
  /** Columns that are not left out. */
  readonly rank: number;
}

/** Factorizes a matrix in its place; some columns may be left out whatever it says. */
export function factorizeSemidefinite(matrix: Float64Array, n: number, leftOut: Uint8Array = new Uint8Array(n)): SemidefiniteFactor {
  const aliased = leftOut.slice();
  let rank = 0;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const diagonal = matrix[row + i]!;
    for (let j = 0; j < i; j++) {
      const other = j * n;
      let sum = matrix[row + j]!;
      if (aliased[j] === 1 || aliased[i] === 1) sum = 0;
      else for (let m = 0; m < j; m++) sum -= matrix[row + m]! * matrix[other + m]!;
      matrix[row + j] = sum / matrix[other + j]!;
    }
    let pivot = diagonal;
    for (let m = 0; m < i; m++) pivot -= matrix[row + m]! * matrix[row + m]!;
    if (aliased[i] === 1 || !(pivot > DEPENDENT * diagonal)) {
      aliased[i] = 1;
      matrix.fill(0, row, row + i);
      matrix[row + i] = 1;
    } else {
      matrix[row + i] = Math.sqrt(pivot);
      rank++;
    }
  }
  return { n, factor: matrix, aliased, rank };
}

/** Solves A x = b in place of b, for all of A or its leading part of a size; what is left out becomes 0. */
export function solveSemidefinite({ n, factor, aliased }: SemidefiniteFactor, vector: Float64Array, size = n): void {
  for (let i = 0; i < size; i++) {
    let sum = vector[i]!;
    for (let m = 0; m < i; m++) sum -= factor[i * n + m]! * vector[m]!;
    vector[i] = aliased[i] === 1 ? 0 : sum / factor[i * n + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    const value = vector[i]! / factor[i * n + i]!;
    vector[i] = value;
    for (let m = 0; m < i; m++) vector[m]! -= factor[i * n + m]! * value;
  }
}

/** Of a column that is left out, the coefficients of those before it that add up to it, from the matrix before it was factorized. */
export function dependenceOf(system: SemidefiniteFactor, matrix: Float64Array, column: number): Float64Array {
  const from = column * system.n;
  const vector = matrix.slice(from, from + column);
  solveSemidefinite(system, vector, column);
  return vector;
}

/** Diagonal of the inverse; NaN where a column is left out. */
export function inverseDiagonal(system: SemidefiniteFactor): Float64Array {
  const { n, factor, aliased } = system;
  const diagonal = new Float64Array(n);
  const row = new Float64Array(n);
  // The sum of squares of a column of the inverse of L.
  for (let i = 0; i < n; i++) {
    row.fill(0);
    row[i] = 1 / factor[i * n + i]!;
    let sum = row[i]! * row[i]!;
    for (let r = i + 1; r < n; r++) {
      if (aliased[r] === 1) continue;
      let value = 0;
      for (let m = i; m < r; m++) value -= factor[r * n + m]! * row[m]!;
      row[r] = value / factor[r * n + r]!;
      sum += row[r]! * row[r]!;
    }
    diagonal[i] = aliased[i] === 1 ? NaN : sum;
  }
  return diagonal;
}

/**
 * Replaces a symmetric matrix B (both triangles) by L^-1 B L^-T, whose trace is that of A^-1 B. Rows and columns that are
 * left out become 0.
 */
export function whiten({ n, factor, aliased }: SemidefiniteFactor, matrix: Float64Array): void {
  const lowerSolveRows = () => {
    for (let i = 0; i < n; i++) {
      const row = matrix.subarray(i * n, (i + 1) * n);
      for (let m = 0; m < i; m++) {
        const share = factor[i * n + m]!;
        if (share === 0) continue;
        const before = m * n;
        for (let c = 0; c < n; c++) row[c]! -= share * matrix[before + c]!;
      }
      const diagonal = aliased[i] === 1 ? Infinity : factor[i * n + i]!;
      for (let c = 0; c < n; c++) row[c]! /= diagonal;
    }
  };
  lowerSolveRows();
  transpose(matrix, n);
  lowerSolveRows();
}

function transpose(matrix: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const value = matrix[i * n + j]!;
      matrix[i * n + j] = matrix[j * n + i]!;
      matrix[j * n + i] = value;
    }
  }
}
