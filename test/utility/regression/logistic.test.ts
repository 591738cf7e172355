import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import type { Design } from '../../../shared/utility/regression/design.ts';
import { fitLogistic, MOST_FACTORIZED } from '../../../shared/utility/regression/logistic.ts';
import { fitOrdered } from '../../../shared/utility/regression/ordered.ts';

/** Rows of indicators, given by the columns that are 1. */
function indicators(count: number, rows: readonly (readonly number[])[]): Design {
  const starts = new Uint32Array(rows.length + 1);
  for (const [row, { length }] of rows.entries()) starts[row + 1] = starts[row]! + length;
  return { rows: rows.length, count, starts, indices: Uint32Array.from(rows.flat()), values: null };
}

const logit = (share: number) => Math.log(share / (1 - share));

describe('fitLogistic()', () => {
  it.each([5, MOST_FACTORIZED + 40])(
    'gives each of %i categories its own log odds, and leaves out a column that is there twice',
    (categories) => {
      // An intercept, an indicator of each category but the first, and the last of them again.
      const rows = Array.from({ length: categories }, (_, k) => [
        0,
        ...(k === 0 ? [] : [k]),
        ...(k === categories - 1 ? [categories] : []),
      ]);
      const design = indicators(categories + 1, rows);
      const counts = Float64Array.from(rows, (_, k) => 10 + (k % 7));
      const successes = counts.map((count, k) => 1 + ((k * 5) % (count - 2)));
      const { coefficients, aliased, rank, deviance } = fitLogistic([{ design, counts, successes }]);
      expect([...aliased]).toEqual([...new Array(categories).fill(0), 1]);
      expect(rank).toBe(categories);
      const shares = successes.map((own, k) => own / counts[k]!);
      const exact = -2 * shares.reduce((sum, p, k) => sum + counts[k]! * (p * Math.log(p) + (1 - p) * Math.log(1 - p)), 0);
      expect(deviance / exact).toBeCloseTo(1, 7);
      expect(coefficients[0]).toBeCloseTo(logit(shares[0]!), 3);
      for (let k = 1; k < categories; k++) expect(coefficients[0]! + coefficients[k]!).toBeCloseTo(logit(shares[k]!), 3);
      expect(coefficients[categories]).toBe(0);
    },
  );

  it('comes as near to infinite estimates without a factor of each step as with one', () => {
    // Pairs of three variables of twelve categories each: of many pairs one record or two are there, all with one response.
    const random = new RandomStream(3, 'pairs');
    const levels = 12;
    const rows = Array.from({ length: 900 }, () => {
      const [a, b, c] = [0, 1, 2].map(() => Math.floor(levels * random.uniform() ** 3)) as [number, number, number];
      const single = [a, levels + b, 2 * levels + c].map((column) => 1 + column);
      const pairs = [a * levels + b, levels ** 2 + a * levels + c, 2 * levels ** 2 + b * levels + c].map(
        (column) => 1 + 3 * levels + column,
      );
      return [0, ...single, ...pairs];
    });
    const design = indicators(1 + 3 * levels + 3 * levels ** 2, rows);
    const counts = new Float64Array(rows.length).fill(1);
    const successes = counts.map(() => (random.uniform() < 0.4 ? 1 : 0));
    const fitted = (informed: boolean) => fitLogistic([{ design, counts, successes }], informed);
    const exact = fitted(true);
    expect(exact.separated!.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(50);
    expect(fitted(false).deviance / exact.deviance - 1).toBeLessThan(1e-8);
  });
});

describe('fitOrdered()', () => {
  // Two groups of three answers; the group's indicator is there twice.
  const design = indicators(2, [[], [], [], [0, 1], [0, 1], [0, 1]]);
  const codes = [0, 1, 2, 0, 1, 2];
  const counts = Float64Array.of(8, 6, 2, 3, 7, 9);

  it('finds the same from wherever it begins, with 0 for a column that is left out', () => {
    const { coefficients, aliased, deviance } = fitOrdered(design, counts, codes, 3);
    expect([...aliased.subarray(0, 2)]).toEqual([0, 1]);
    expect(coefficients[1]).toBe(0);
    const again = fitOrdered(design, counts, codes, 3, coefficients.with(0, coefficients[0]! + 0.3).with(1, 5));
    expect([...again.coefficients]).toEqual([...coefficients].map((value) => expect.closeTo(value, 8)));
    expect(again.deviance).toBeCloseTo(deviance, 8);
  });

  it('is refused where a category has no record', () => {
    expect(() => fitOrdered(design, counts, codes, 4)).toThrow(RangeError);
  });
});
