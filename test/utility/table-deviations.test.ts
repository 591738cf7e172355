import { describe, expect, it } from 'vitest';
import { countedRows } from '../../shared/table/counted-rows.ts';
import { binomialDeviation, chooseTables, compareTable, summarizeTables } from '../../shared/utility/table-deviations.ts';
import { subsets } from './subsets.ts';
import { tableOf } from './table-of.ts';

// Records 0 and 1 change their last value, from 0 to 1 and from 1 to 2, in different patterns.
const known = [
  [0, 0],
  [1, 1],
  [0, 1],
];
const table = countedRows(
  tableOf(
    [2, 2, 3],
    known.map((row, i) => [...row, [0, 1, 2][i]!]),
  ),
);
const dataset = countedRows(
  tableOf(
    [2, 2, 3],
    known.map((row, i) => [...row, [1, 2, 2][i]!]),
  ),
);

const tableDeviation = (one: typeof table, other: typeof table, variables: number[]) =>
  compareTable(one, [other], variables, 'partial').deviations[0];

describe('the deviation of a table', () => {
  it('sums over the cells of a table', () => {
    expect(tableDeviation(table, dataset, [2])).toBe(2);
    // Each of the two two-way tables, and the three-way one, differs by one in four cells.
    expect(tableDeviation(table, dataset, [0, 2])).toBe(4);
    expect(tableDeviation(table, dataset, [1, 2])).toBe(4);
    expect(tableDeviation(table, dataset, [0, 1, 2])).toBe(4);
  });

  it('is zero for the table itself, and for one that has each record twice', () => {
    const twice = countedRows(
      tableOf(
        [2, 2, 3],
        [...known, ...known].map((row, i) => [...row, [0, 1, 2][i % 3]!]),
      ),
    );
    for (const set of [[0], [2], [0, 2], [0, 1, 2]]) {
      expect(tableDeviation(table, table, set)).toBe(0);
      expect(tableDeviation(table, twice, set)).toBe(0);
    }
  });

  it('counts the same where there are too many cells for an array', () => {
    const rows = (shift: number) =>
      countedRows(
        tableOf(
          [2000, 2000],
          Array.from({ length: 40 }, (_, i) => [i * 7 + (i < 3 ? shift : 0), 1900 + i]),
        ),
      );
    // Three of forty records are in another cell: each is missing in one and one too many in another.
    expect(tableDeviation(rows(0), rows(1), [0, 1])).toBe(6);
  });
});

describe('chooseTables()', () => {
  it('takes those of which a variable is synthesized', () => {
    expect(chooseTables(3, new Set([2]), 2).sets).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(chooseTables(3, new Set([0, 1, 2]), 2).sets).toHaveLength(3);
  });

  it('takes some at even distances where there are very many', () => {
    const { sets, inAll } = chooseTables(30, new Set(Array.from({ length: 30 }, (_, v) => v)), 3);
    expect(inAll).toBe(4060);
    expect(new Set(sets.map((set) => set.join())).size).toBe(1000);
    expect(sets[0]).toEqual([0, 1, 2]);
    expect(sets.at(-1)).toEqual([25, 28, 29]);
  });

  it.each([
    [1, 9, [8]],
    [2, 60, [3, 4, 59]],
    [3, 25, [0, 7, 8, 24]],
    [4, 14, [13]],
    [3, 30, Array.from({ length: 30 }, (_, v) => v)],
  ])('of %d of %d variables takes those that going through all of them gives', (way, variables, synthesized) => {
    const all = [...subsets([...Array(variables).keys()], way)].filter((set) => set.some((v) => synthesized.includes(v)));
    const count = Math.min(1_000, all.length);
    const places = Array.from({ length: count }, (_, k) => Math.floor((k * all.length) / count));
    expect(chooseTables(variables, new Set(synthesized), way)).toEqual({ way, sets: places.map((place) => all[place]), inAll: all.length });
  });

  it('takes some of as many variables as a table may have', () => {
    const { sets, inAll } = chooseTables(20_000, new Set([19_999]), 3);
    expect(inAll).toBe((19_999 * 19_998) / 2);
    expect(sets[0]).toEqual([0, 1, 19_999]);
    expect(sets.every(([a, b, c]) => a! < b! && b! < c! && c === 19_999)).toBe(true);
  });
});

describe('binomialDeviation()', () => {
  it.each([
    [1, 0.5],
    [7, 0.3],
    [12, 0.95],
    [12, 1 / 12],
  ])('is the mean absolute deviation of a binomial count of %d with %d', (n, p) => {
    let [mean, mass] = [0, (1 - p) ** n];
    for (let k = 0; k <= n; k++) {
      mean += mass * Math.abs(k - n * p);
      mass *= ((n - k) / (k + 1)) * (p / (1 - p));
    }
    expect(binomialDeviation(n, p)).toBeCloseTo(mean, 12);
  });

  it('is 0 where nothing varies', () => {
    expect([binomialDeviation(9, 0), binomialDeviation(9, 1)]).toEqual([0, 0]);
  });
});

describe('summarizeTables()', () => {
  it('has the mean over tables and datasets, its interval, the largest and the share of records', () => {
    const compared = [
      { variables: [0], deviations: [2, 6], expected: 3 },
      { variables: [1], deviations: [4, 4], expected: 5 },
    ];
    const found = summarizeTables(1, compared, 2, 10);
    // Means of 3 and 5 have a standard error of 1, and Student's t with one degree of freedom 12.706.
    expect(found).toMatchObject({ tables: 2, sumAbsoluteDeviation: 8, meanAbsoluteDeviation: 4, maxAbsoluteDeviation: 6 });
    expect([found.high! - 4, 4 - found.low!].map((half) => half.toFixed(3))).toEqual(['12.706', '12.706']);
    expect([found.totalVariation, found.expected]).toEqual([0.2, 4]);
  });

  it('says why there is no interval, and nothing to expect', () => {
    const compared = [compareTable(table, [dataset], [0, 2], 'partial')];
    expect(summarizeTables(2, compared, 1, 3)).toMatchObject({
      low: null,
      reason: expect.any(String),
      expected: null,
      expectedReason: expect.any(String),
    });
  });
});
