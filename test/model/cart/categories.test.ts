import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPlainDivision } from '../../../bench/kernels/plain-cart.ts';
import { CategoryGroups, countClassCells } from '../../../shared/model/cart/category-groups.ts';
import { Gini, principalOrder } from '../../../shared/model/cart/class-division.ts';
import { LeastSquares, type SplitCriterion } from '../../../shared/model/cart/criterion.ts';
import { sortRecords } from '../../../shared/model/cart/sort-records.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import type { Column } from '../../../shared/table/table.ts';
import { categorical, continuous, tableOf } from './cart-tables.ts';

function inOrder(keys: ArrayLike<number>): Uint32Array {
  return sortRecords(
    keys,
    Uint32Array.from({ length: keys.length }, (_, record) => record),
  );
}

/** The best division of all records of a table of a response and one categorical predictor. */
function divide(response: Column, codes: readonly number[], categories: number, minimumLeaf: number) {
  let order: Uint32Array;
  let criterion: SplitCriterion;
  if (response.type === 'continuous') {
    order = inOrder(response.values);
    criterion = new LeastSquares(response.values, order);
  } else {
    order = inOrder(response.codes);
    criterion = new Gini(response.codes, categories);
  }
  const { impurity } = criterion.enter(order, 0, order.length);
  const groups = new CategoryGroups(codes.length, categories);
  groups.group(codes, order, 0, order.length);
  return criterion.divideGroups(groups, minimumLeaf, impurity * 1e-9);
}

function plainGain(response: Column, codes: readonly number[], categories: number, minimumLeaf: number) {
  const table = tableOf([response, categorical(codes)], categories);
  const records = codes.map((_, record) => record);
  return bestPlainDivision(table, 0, [1], records, minimumLeaf)?.gain ?? 0;
}

const codes = (categories: number, length: number) =>
  fc.array(fc.integer({ min: 0, max: categories - 1 }), { minLength: length, maxLength: length });

describe('divideGroups()', () => {
  it('finds, in the order of means, the best of all subsets for a continuous response', () => {
    const values = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(values, codes(7, 24), (y, x) => {
        const found = divide(continuous(y), x, 7, 1)?.gain ?? 0;
        expect(found).toBeCloseTo(plainGain(continuous(y), x, 7, 1), 9);
      }),
      { seed: 81, numRuns: 150 },
    );
  });

  it('finds, in the order of shares, the best of all subsets for two classes', () => {
    fc.assert(
      fc.property(codes(2, 24), codes(7, 24), (y, x) => {
        // Classes 3 and 5 of seven.
        const response = categorical(y.map((one) => 3 + 2 * one));
        expect(divide(response, x, 7, 1)?.gain ?? 0).toBeCloseTo(plainGain(response, x, 7, 1), 9);
      }),
      { seed: 82, numRuns: 150 },
    );
  });

  it('finds the best of all subsets for several classes while categories are few, whatever the minimum leaf', () => {
    fc.assert(
      fc.property(codes(4, 24), codes(7, 24), fc.integer({ min: 1, max: 9 }), (y, x, minimumLeaf) => {
        const division = divide(categorical(y), x, 7, minimumLeaf);
        expect(division?.gain ?? 0).toBeCloseTo(plainGain(categorical(y), x, 7, minimumLeaf), 9);
        if (division === null) return;
        const left = x.filter((one) => division.left.includes(one)).length;
        expect(left).toBeGreaterThanOrEqual(minimumLeaf);
        expect(24 - left).toBeGreaterThanOrEqual(minimumLeaf);
        expect([...division.left, ...division.right].sort()).toEqual([...new Set(x)].sort());
      }),
      { seed: 83, numRuns: 150 },
    );
  });

  it('comes near the best of all subsets for several classes and many categories, and never above it', () => {
    const random = new RandomStream(84, 'many');
    const shares = Array.from({ length: 40 }, () => {
      const x = Array.from({ length: 120 }, () => random.below(11));
      const commonest = Array.from({ length: 11 }, () => random.below(4));
      const y = categorical(x.map((one) => (random.below(3) === 0 ? commonest[one]! : random.below(4))));
      return divide(y, x, 11, 1)!.gain / plainGain(y, x, 11, 1);
    });
    expect(Math.max(...shares)).toBeLessThan(1 + 1e-9);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.99);
    expect(Math.min(...shares)).toBeGreaterThan(0.95);
  });

  it('finds the best of all subsets for three classes and many categories whose probabilities lie on a line', () => {
    // Of category k, with 12 records, k are of class 0, k of class 1 and the others of class 2.
    const shares = [6, 0, 3, 5, 1, 4, 2, 6, 1, 3, 0, 5];
    const x = shares.flatMap((_, category) => Array<number>(12).fill(category));
    const y = categorical(shares.flatMap((k) => Array.from({ length: 12 }, (_, i) => (i < k ? 0 : i < 2 * k ? 1 : 2))));
    expect(divide(y, x, 12, 1)!.gain).toBeCloseTo(plainGain(y, x, 12, 1), 9);
  });

  it.each(['continuous', 'categorical'] as const)('divides 300 categories that are of two kinds, for a %s response', (type) => {
    const random = new RandomStream(85, `kinds/${type}`);
    const x = Array.from({ length: 9000 }, (_, i) => i % 300);
    const kind = (category: number) => ((category * 7) % 11 < 4 ? 1 : 0);
    const y = x.map((category) => 5 * kind(category) + random.below(4));
    const division = divide(type === 'continuous' ? continuous(y) : categorical(y), x, 300, 5)!;
    expect(new Set(division.left.map(kind)).size).toBe(1);
    expect(new Set(division.right.map(kind)).size).toBe(1);
    expect(division.left.length + division.right.length).toBe(300);
  });
});

describe('principalOrder()', () => {
  it('is that of the first eigenvector', () => {
    // Classes 0 and 1 tell apart the categories; classes 2 and 3 hardly do. Projections on (1, -1, 0, 0) in order:
    const counts = [
      [9, 1, 5, 5],
      [1, 9, 6, 4],
      [5, 5, 4, 6],
      [7, 3, 5, 5],
      [3, 7, 4, 6],
    ];
    const x = counts.flatMap((row, k) => Array<number>(row.reduce((sum, n) => sum + n, 0)).fill(k));
    const y = counts.flatMap((row) => row.flatMap((n, j) => Array<number>(n).fill(j)));
    const groups = new CategoryGroups(x.length, 5);
    groups.group(x, inOrder(y), 0, x.length);
    const order = principalOrder(countClassCells(groups, y), 4);
    expect(order[0] === 0 ? order : order.reverse()).toEqual([0, 3, 2, 4, 1]);
  });

  it('does not hang on the commonest class, which may be as common in every category', () => {
    const counts = [0, 4, 1, 5, 2, 3].map((one) => [10, one, 5 - one]);
    const x = counts.flatMap((_, k) => Array<number>(15).fill(k));
    const y = counts.flatMap((row) => row.flatMap((n, j) => Array<number>(n).fill(j)));
    const groups = new CategoryGroups(90, 6);
    groups.group(x, inOrder(y), 0, 90);
    const order = principalOrder(countClassCells(groups, y), 3);
    expect(order[0] === 0 ? order : order.reverse()).toEqual([0, 2, 4, 5, 1, 3]);
  });

  it('keeps the order of categories that do not differ', () => {
    const y = [0, 1, 2, 0, 1, 2, 0, 1, 2];
    const x = [2, 2, 2, 0, 0, 0, 1, 1, 1];
    const groups = new CategoryGroups(9, 3);
    groups.group(x, inOrder(y), 0, 9);
    expect(principalOrder(countClassCells(groups, y), 3)).toEqual([0, 1, 2]);
  });
});

describe('sortRecords()', () => {
  it('sorts by key and keeps the order before where keys agree, zeros of either sign too', () => {
    const keys = Float64Array.of(3, -0, 2, 0, 3, -1);
    expect([...sortRecords(keys, Uint32Array.of(5, 4, 3, 2, 1, 0))]).toEqual([5, 3, 1, 2, 4, 0]);
  });
});
