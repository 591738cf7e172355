import { describe, expect, it } from 'vitest';
import { dependenceOf, factorizeSemidefinite, inverseDiagonal, solveSemidefinite, whiten } from '../../shared/numeric/semidefinite.ts';

/** X^T X of rows. */
function products(rows: readonly (readonly number[])[]): Float64Array {
  const n = rows[0]!.length;
  const matrix = new Float64Array(n * n);
  for (const row of rows) for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * n + j]! += row[i]! * row[j]!;
  return matrix;
}

const close = (found: ArrayLike<number>, expected: readonly number[]) =>
  expect(Array.from(found).map((value) => Number(value.toFixed(10)) + 0)).toEqual(expected);

describe('factorizeSemidefinite()', () => {
  it('solves a system of full rank', () => {
    const matrix = products([
      [1, 0],
      [1, 2],
    ]);
    const system = factorizeSemidefinite(matrix.slice(), 2);
    const vector = Float64Array.of(2 * 3 + 2 * 5, 2 * 3 + 4 * 5);
    solveSemidefinite(system, vector);
    close(vector, [3, 5]);
    expect([system.rank, ...system.aliased]).toEqual([2, 0, 0]);
    // The inverse of [[2, 2], [2, 4]] has 1 and 1/2 on its diagonal.
    close(inverseDiagonal(system), [1, 0.5]);
  });

  it('leaves out the later of dependent columns, and tells what adds up to it', () => {
    // The third column is twice the first less the second.
    const rows = [
      [1, 0, 2, 1],
      [1, 2, 0, 0],
      [1, 5, -3, 2],
      [1, 1, 1, 7],
    ];
    const matrix = products(rows);
    const system = factorizeSemidefinite(matrix.slice(), 4);
    expect([system.rank, ...system.aliased]).toEqual([3, 0, 0, 1, 0]);
    close(dependenceOf(system, matrix, 2), [2, -1]);
    const without = factorizeSemidefinite(products(rows.map(([a, b, , d]) => [a!, b!, d!])), 3);
    const [one, other] = [Float64Array.of(1, 2, 9, 3), Float64Array.of(1, 2, 3)];
    solveSemidefinite(system, one);
    solveSemidefinite(without, other);
    close(
      one,
      [other[0]!, other[1]!, 0, other[2]!].map((value) => Number(value.toFixed(10))),
    );
    const [first, second, third, fourth] = inverseDiagonal(system);
    expect(third).toBeNaN();
    close(
      [first!, second!, fourth!],
      [...inverseDiagonal(without)].map((value) => Number(value.toFixed(10))),
    );
  });

  it('takes columns out that it is told to', () => {
    const system = factorizeSemidefinite(Float64Array.of(4, 0, 0, 9), 2, Uint8Array.of(1, 0));
    const vector = Float64Array.of(5, 18);
    solveSemidefinite(system, vector);
    close(vector, [0, 2]);
  });
});

describe('whiten()', () => {
  it('makes the unit matrix of a matrix by its own factor', () => {
    const matrix = products([
      [1, 0, 3],
      [1, 2, 1],
      [2, 5, -3],
    ]);
    const system = factorizeSemidefinite(matrix.slice(), 3);
    whiten(system, matrix);
    close(matrix, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});
