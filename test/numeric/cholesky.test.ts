import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factorize, inverse, solveLower, solveUpper } from '../../shared/numeric/cholesky.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';

/** B B^T + I for a random B. */
function definite(size: number, seed: number): Float64Array {
  const random = new RandomStream(seed, 'definite');
  const root = Float64Array.from({ length: size * size }, () => normal(random));
  return Float64Array.from({ length: size * size }, (_, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    let sum = i === j ? 1 : 0;
    for (let m = 0; m < size; m++) sum += root[i * size + m]! * root[j * size + m]!;
    return sum;
  });
}

const cases = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 1e6 }));
const product = (a: Float64Array, b: Float64Array, size: number, i: number, j: number) => {
  let sum = 0;
  for (let m = 0; m < size; m++) sum += a[i * size + m]! * b[m * size + j]!;
  return sum;
};

describe('factorize()', () => {
  it('gives L with L L^T the matrix, and solves systems with it', () => {
    fc.assert(
      fc.property(cases, ([size, seed]) => {
        const matrix = definite(size, seed);
        const factor = matrix.slice();
        factorize(factor, size);
        for (let i = 0; i < size; i++) {
          for (let j = 0; j <= i; j++) {
            let sum = 0;
            for (let m = 0; m <= j; m++) sum += factor[i * size + m]! * factor[j * size + m]!;
            expect(sum).toBeCloseTo(matrix[i * size + j]!, 10);
          }
        }
        const vector = Float64Array.from({ length: size }, (_, i) => i - 2);
        const solution = vector.slice();
        solveLower(factor, size, solution);
        solveUpper(factor, size, solution);
        for (let i = 0; i < size; i++) {
          const row = matrix.subarray(i * size, (i + 1) * size);
          expect(row.reduce((sum, value, j) => sum + value * solution[j]!, 0)).toBeCloseTo(vector[i]!, 8);
        }
      }),
    );
  });

  it.each([
    ['indefinite', [1, 2, 2, 1]],
    ['singular', [1, 1, 1, 1]],
    ['not of numbers', [1, 0, Number.NaN, 1]],
    ['infinite', [Infinity, 0, 0, 1]],
  ])('refuses a matrix that is %s', (_, entries) => {
    expect(() => factorize(Float64Array.from(entries), 2)).toThrow(RangeError);
  });
});

describe('inverse()', () => {
  it('gives the identity when multiplied by the matrix, and leaves that as it was', () => {
    fc.assert(
      fc.property(cases, ([size, seed]) => {
        const matrix = definite(size, seed);
        const before = matrix.slice();
        const found = inverse(matrix, size);
        expect(matrix).toEqual(before);
        for (let i = 0; i < size; i++) {
          for (let j = 0; j < size; j++) {
            expect(product(matrix, found, size, i, j)).toBeCloseTo(i === j ? 1 : 0, 8);
          }
        }
      }),
    );
  });
});
