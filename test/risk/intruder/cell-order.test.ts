import { expect, it } from 'vitest';
import { cellOf, cellOrder, codesOf } from '../../../shared/risk/intruder/cell-order.ts';

it('cells are numbered with the largest variable running fastest, of equals the last', () => {
  const order = cellOrder([4, 2, 3, 2]);
  expect(order).toEqual({ variables: [1, 3, 2, 0], sizes: [2, 2, 3, 4], offsets: [4, 9, 6, 0], categories: 11, cells: 48 });
  const numbers: number[] = [];
  for (const b of [0, 1]) {
    for (const d of [0, 1]) {
      for (const c of [0, 1, 2]) {
        for (const a of [0, 1, 2, 3]) {
          const cell = cellOf(order, [a, b, c, d]);
          numbers.push(cell);
          expect([...codesOf(order, cell)]).toEqual([a, b, c, d]);
        }
      }
    }
  }
  expect(numbers).toEqual(Array.from({ length: 48 }, (_, cell) => cell));
});
