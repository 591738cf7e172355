import { describe, expect, it } from 'vitest';
import { targetDiversity } from '../../../shared/risk/attack/target-diversity.ts';
import type { Table } from '../../../shared/table/table.ts';
import { attackTables } from './reference-tables.ts';

const { table, dataset } = attackTables();
const [A, B, C, D] = [0, 1, 2, 3];

const coded = (columns: number[][]): Table => ({
  schema: {
    variables: columns.map((_, v) => ({ name: `V${v}`, type: 'categorical', categories: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] })),
  },
  records: columns[0]!.length,
  columns: columns.map((codes) => ({ type: 'categorical', codes: Uint8Array.from(codes) })),
});

describe('how different the values of a target are among records that share their keys', () => {
  // reference.R: distinct values, by entropy, distance of categories, distance of what is in order.
  it.each<[string, Table, number, [number, number, number, number]]>([
    ['D in the table', table, D, [1, 1, 0.625, 0.625]],
    ['D in the dataset', dataset, D, [1, 1, 0.5, 0.5]],
    ['C in the table', table, C, [1, 1, 0.95, 0.435]],
    ['C in the dataset', dataset, C, [2, 1.96013170421, 0.7625, 0.5625]],
  ])('is what the definitions give: %s', (_, file, target, [distinctL, entropyL, ofCategories, inOrder]) => {
    const found = targetDiversity(file, [A, B], target, false);
    expect(found.distinctL).toBe(distinctL);
    expect(found.entropyL).toBeCloseTo(entropyL, 10);
    expect(found.t).toBeCloseTo(ofCategories, 10);
    expect(targetDiversity(file, [A, B], target, true)).toEqual({ ...found, t: expect.closeTo(inOrder, 10) });
  });

  it('is 0.375 and 0.167 for the salaries of Li et al. (2007), tables 3 and 5', () => {
    // Nine salaries from 3K to 11K, each once. Classes of three: 3K, 4K, 5K first; then 3K, 5K, 9K first.
    const salaries = [0, 1, 2, 3, 8, 5, 4, 6, 7];
    expect(targetDiversity(coded([[0, 0, 0, 1, 1, 1, 2, 2, 2], salaries]), [0], 1, true).t).toBeCloseTo(0.375, 12);
    const close = [0, 2, 6, 3, 8, 5, 1, 4, 7];
    expect(targetDiversity(coded([[0, 0, 0, 1, 1, 1, 2, 2, 2], close]), [0], 1, true).t).toBeCloseTo(1 / 6, 12);
  });

  it('is one value and no distance where the file has one value', () => {
    for (const isOrdered of [false, true]) {
      expect(
        targetDiversity(
          coded([
            [0, 0, 1],
            [2, 2, 2],
          ]),
          [0],
          1,
          isOrdered,
        ),
      ).toEqual({ distinctL: 1, entropyL: 1, t: 0 });
    }
  });

  it('refuses a target that is not in bands', () => {
    expect(() => targetDiversity(table, [A, B], 4, true)).toThrow(RangeError);
  });
});
