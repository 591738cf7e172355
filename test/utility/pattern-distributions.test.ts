import { describe, expect, it } from 'vitest';
import { countedRows } from '../../shared/table/counted-rows.ts';
import { comparePatterns, countPatterns, patternDistances, patternsOf } from '../../shared/utility/pattern-distributions.ts';
import { tableOf } from './table-of.ts';

const table = countedRows(
  tableOf(
    [2, 3],
    [
      [1, 0],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ],
  ),
);
const patterns = patternsOf(table, [0], 1);

describe('patternDistances()', () => {
  it('counts records and values by pattern', () => {
    expect([...patterns.records]).toEqual([4, 1]);
    expect([...countPatterns(patterns, table).counts]).toEqual([2, 1, 1, 0, 0, 1]);
  });

  it('is half the sum of the differences between shares', () => {
    const dataset = countedRows(
      tableOf(
        [2, 3],
        [
          [1, 1],
          [0, 0],
          [1, 0],
          [1, 1],
          [1, 1],
        ],
      ),
    );
    expect([...patternDistances(patterns, dataset)]).toEqual([0.5, 1]);
    expect([...patternDistances(patterns, table)]).toEqual([0, 0]);
  });

  it('is 1 where nobody has the pattern, and leaves out patterns that the table lacks', () => {
    const dataset = countedRows(tableOf([2, 3], [[0, 2]]));
    expect([...patternDistances(patterns, dataset)]).toEqual([1, 0]);
    const other = patternsOf(dataset, [0], 1);
    expect([...patternDistances(other, table)]).toEqual([0]);
  });
});

describe('comparePatterns()', () => {
  it('has means over patterns by their size, and shares of the commonest values', () => {
    const rows = Array.from({ length: 30 }, (_, i) => [i < 4 ? 0 : 1, i % 3]);
    const own = countedRows(tableOf([2, 3], rows));
    const changed = countedRows(
      tableOf(
        [2, 3],
        rows.map(([a, b]) => [a!, a === 0 ? 2 : b!]),
      ),
    );
    const found = comparePatterns(own, [own, changed], [0], 1);
    // The four records of the small pattern have the values 0, 1, 2, 0, and in one of two datasets always 2.
    expect(found.classes).toMatchObject([
      { from: 1, to: 9, patterns: 1, meanDistance: 3 / 8 },
      { from: 10, to: 49, patterns: 1, meanDistance: 0 },
    ]);
    expect(found.meanDistance).toBe(3 / 16);
    expect(found.shown.map(({ records }) => records)).toEqual([26, 4]);
    expect(found.shown[1]!.values).toEqual([
      { value: 'v0', original: 0.5, synthetic: 0.25 },
      { value: 'v1', original: 0.25, synthetic: 0.125 },
      { value: 'v2', original: 0.25, synthetic: 0.625 },
    ]);
  });
});
