import { describe, expect, it } from 'vitest';
import { DifferenceCounter, MOST_DIFFERENCES } from '../../../shared/risk/attack/nearest/difference-counter.ts';
import { lehmer } from '../../risk/attack/reference-tables.ts';

/** Columns of codes below some sizes. */
function draw(below: (bound: number) => number, rows: number, sizes: readonly number[]): number[][] {
  return sizes.map((size) => Array.from({ length: rows }, () => below(size)));
}

/** Rows by the number of their differences from a point, as the counter lists them. */
function listed(rows: number, columns: readonly number[][], point: readonly number[]): Map<number, number[]> {
  const counter = new DifferenceCounter(rows, columns);
  const least = counter.count(point);
  const found = new Map<number, number[]>();
  for (let differences = 0; differences <= MOST_DIFFERENCES; differences++) {
    const own = [...counter.rowsWith(differences)];
    if (own.length > 0) found.set(differences, own);
  }
  expect(least).toBe(Math.min(...found.keys()));
  return found;
}

/** The same, row by row. */
function byDefinition(rows: number, columns: readonly number[][], point: readonly number[]) {
  const found = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    const differences = columns.filter((column, v) => column[row] !== point[v]).length;
    const counted = Math.min(MOST_DIFFERENCES, differences);
    found.set(counted, [...(found.get(counted) ?? []), row]);
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

describe('differences of rows from a point', () => {
  it.each([1, 2, 15, 16, 17, 31, 32, 33, 500])('are those by definition, of %i rows', (rows) => {
    const below = lehmer(rows);
    const sizes = [2, 3, 5, 2, 256];
    const columns = draw(below, rows, sizes);
    for (const point of [sizes.map(() => 0), sizes.map((size) => below(size))]) {
      expect(listed(rows, columns, point)).toEqual(byDefinition(rows, columns, point));
    }
  });

  it('are counted up to 255', () => {
    const columns = draw(
      lehmer(4),
      20,
      Array.from({ length: 300 }, (_, v) => (v < 40 ? 2 : 1)),
    );
    for (const own of [0, 7]) {
      const point = columns.map((_, v) => (v < 40 ? 0 : own));
      expect(listed(20, columns, point)).toEqual(byDefinition(20, columns, point));
    }
  });

  it('are not those of what lies beyond the last row', () => {
    // Every row differs in both variables; one row further the codes of the second would agree with the first of the point.
    const columns = [Array<number>(16).fill(1), Array<number>(16).fill(0)];
    expect(listed(16, columns, [0, 1])).toEqual(byDefinition(16, columns, [0, 1]));
  });

  it('are never too many where codes do not fit into a byte', () => {
    const columns = draw(lehmer(5), 400, [1000, 700, 3]);
    const point = [columns[0]![9]!, (columns[1]![9]! + 256) % 700, columns[2]![9]!];
    const least = new Map([...byDefinition(400, columns, point)].flatMap(([count, rows]) => rows.map((row) => [row, count])));
    for (const [count, rows] of listed(400, columns, point)) {
      for (const row of rows) expect(count).toBeLessThanOrEqual(least.get(row)!);
    }
  });
});
