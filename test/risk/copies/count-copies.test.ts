import { expect, it } from 'vitest';
import { copiesOfTables, countCopies, sharedRows } from '../../../shared/risk/copies/count-copies.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const rowsOf = (...rows: readonly (readonly number[])[]) =>
  combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, 2).combinations;

it('counts rows that are equal to records, those of unique records once, and tables that are the same', () => {
  // Twice [0, 0]; [0, 1] and [1, 2] are unique.
  const table = rowsOf([0, 0], [0, 1], [0, 0], [1, 2]);
  const datasets = [
    rowsOf([1, 2], [0, 0], [0, 1], [0, 0]),
    rowsOf([0, 0], [0, 0], [0, 1], [1, 1]),
    rowsOf([0, 0], [0, 1], [0, 0], [1, 2], [1, 1]),
    rowsOf([1, 0], [1, 1]),
  ];
  expect(countCopies(table, datasets, 'why not')).toEqual({
    released: 15,
    rows: 4 + 3 + 4,
    uniques: 2,
    uniquesExpected: null,
    uniquesExpectedSe: null,
    uniquesExpectedReason: 'why not',
    occurrences: 2 + 1 + 2,
    occurrencesExpected: null,
    occurrencesExpectedSe: null,
    identicalDatasets: 1,
    datasets: [
      [4, true, 2],
      [3, false, 1],
      [4, false, 2],
      [0, false, 0],
    ].map(([rows, identical, uniques]) => ({ rows, identical, uniques, uniquesExpected: null, uniquesExpectedSe: null })),
  });
  const any = { mean: 1.5, variance: 4 };
  const expected = { any, sum: { mean: 2, variance: 9 }, datasets: datasets.map((_, l) => ({ mean: l, variance: 1 })) };
  expect(countCopies(table, datasets, expected)).toMatchObject({
    uniquesExpected: 1.5,
    uniquesExpectedSe: 2,
    occurrencesExpected: 2,
    occurrencesExpectedSe: 3,
    datasets: [0, 1, 2, 3].map((mean) => ({ uniquesExpected: mean, uniquesExpectedSe: 1 })),
  });
  const narrow = combinationsFromCodes(Uint16Array.of(0, 1), 2, 1).combinations;
  expect(() => sharedRows(table, [narrow])).toThrow(RangeError);
});

it('counts copies in datasets of any variables without a model', () => {
  const tableWith = (codes: number[], values: number[]) => ({
    schema: {
      variables: [
        { name: 'a', type: 'categorical' as const, categories: ['x', 'y'] },
        { name: 'b', type: 'continuous' as const },
      ],
    },
    records: codes.length,
    columns: [
      { type: 'categorical' as const, codes: Uint16Array.from(codes) },
      { type: 'continuous' as const, values: Float64Array.from(values) },
    ],
  });
  const table = tableWith([0, 0, 1, 1], [1.5, 1.5, 1.5, 2]);
  const found = copiesOfTables(table, [tableWith([1, 0, 0], [2, 2, 1.5])]);
  expect(found).toMatchObject({ sampleUniques: 2, copies: { released: 3, rows: 2, uniques: 1, uniquesExpected: null } });
});
