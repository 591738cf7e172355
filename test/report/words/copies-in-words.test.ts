import { expect, it } from 'vitest';
import type { CopiesSummary } from '../../../shared/contracts/results/copies.ts';
import { copiesLines } from '../../../shared/report/words/copies-in-words.ts';

const copies = (identicalDatasets: number, datasets: number) =>
  ({
    uniques: 3,
    uniquesExpected: null,
    uniquesExpectedSe: null,
    identicalDatasets,
    datasets: Array(datasets).fill({}),
  }) as unknown as CopiesSummary;

it.each([
  [0, 2, []],
  [
    1,
    1,
    ['The dataset is the confidential table itself, in this or another order: every figure is of the table, and none of synthetic data.'],
  ],
  [
    2,
    2,
    [
      'Of 2 datasets 2 are the confidential table itself, in this or another order: every figure is of the table, and none of synthetic data.',
    ],
  ],
  [
    1,
    3,
    [
      'Of 3 datasets 1 is the confidential table itself, in this or another order: figures of all datasets together are not of synthetic data alone. Leave such datasets out.',
    ],
  ],
])('%d of %d datasets that are the table itself', (identical, datasets, lines) => {
  expect(copiesLines(copies(identical, datasets), 7).slice(1)).toEqual(lines);
});
