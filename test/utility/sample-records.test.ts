import { expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { drawRecords } from '../../shared/utility/sample-records.ts';

const rows = { schema: { variables: [] }, rows: 4, records: 10, columns: [], counts: Float64Array.of(1, 4, 0, 5) };

it('draws so many records without replacement, each as often', () => {
  const random = new RandomStream(3, 'records');
  const [sums, most] = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];
  const drawn = new Set<number>();
  const draws = 2000;
  for (let draw = 0; draw < draws; draw++) {
    const chosen = drawRecords(rows, 3, random);
    drawn.add(chosen.reduce((sum, own) => sum + own, 0));
    for (const [row, own] of chosen.entries()) {
      most[row] = Math.max(most[row]!, own);
      sums[row]! += own;
    }
  }
  expect([...drawn]).toEqual([3]);
  expect(most).toEqual([1, 3, 0, 3]);
  // Hypergeometric: 3 of 10 records with the variance 3 p (1 - p) 7 / 9 of those of a row; within five errors.
  for (const [row, count] of rows.counts.entries()) {
    const p = count / 10;
    expect(Math.abs(sums[row]! / draws - 3 * p)).toBeLessThanOrEqual(5 * Math.sqrt((3 * p * (1 - p) * 7) / 9 / draws));
  }
  expect([...drawRecords(rows, 10, random)]).toEqual([...rows.counts]);
  expect([...drawRecords(rows, 0, random)]).toEqual([0, 0, 0, 0]);
});
