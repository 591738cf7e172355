import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { closestRecords, meanNearest } from '../../../shared/risk/attack/closest-records.ts';
import type { Table } from '../../../shared/table/table.ts';

/** One category and one number. */
const file = (rows: readonly (readonly [number, number])[]): Table => ({
  schema: {
    variables: [
      { name: 'A', type: 'categorical', categories: ['a', 'b'] },
      { name: 'X', type: 'continuous' },
    ],
  },
  records: rows.length,
  columns: [
    { type: 'categorical', codes: Uint8Array.from(rows, ([code]) => code) },
    { type: 'continuous', values: Float64Array.from(rows, ([, value]) => value) },
  ],
});
const random = () => seededStreams(1).open('closest');

describe('closest records', () => {
  // A range of 10.
  const table = file([
    [0, 0],
    [0, 10],
    [1, 5],
  ]);
  const rows = file([
    [1, 10],
    [0, 0],
    [0, 4],
  ]);

  it('are found by hand', () => {
    const found = closestRecords(rows, table, null, random());
    // 0.5 of 1.0; 0 of 1.0; 0.4 of 0.6, over two variables.
    expect(found.distanceToClosest.mean).toBeCloseTo((0 + 0.4 + 0.5) / 2 / 3, 12);
    expect(found.distanceToClosest).toMatchObject({
      median: expect.closeTo(0.2, 12),
      // A tenth of the way from the least of three to the next.
      low5: expect.closeTo(0.02, 12),
    });
    expect(found.distanceToClosest.zeroShare).toBeCloseTo(1 / 3, 12);
    expect(found.ratio.mean).toBeCloseTo((0 + 0.4 / 0.6 + 0.5) / 3, 12);
    expect(found).toMatchObject({ records: 3, shareCloserThanControl: null, low: null, high: null });
  });

  it('have the ratio 1 where two are equal to the row', () => {
    const twins = file([
      [0, 0],
      [0, 0],
      [1, 10],
    ]);
    expect(closestRecords(file([[0, 0]]), twins, null, random()).ratio.mean).toBe(1);
  });

  it('count ties with the control by half', () => {
    const control = file([
      [0, 1],
      [0, 8],
      [1, 5],
    ]);
    // 0.5 on both sides; 0 against 0.1; 0.4 against 0.3.
    const { shareCloserThanControl, low, high } = closestRecords(rows, table, control, random());
    expect(shareCloserThanControl).toBeCloseTo(1.5 / 3, 12);
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.5);
  });

  it('are as far apart as the range of table and control together has it', () => {
    const wider = file([
      [0, 0],
      [0, 20],
      [1, 5],
    ]);
    // 0.25, 0 and 0.2 over two variables.
    const { distanceToClosest } = closestRecords(rows, table, wider, random());
    expect(distanceToClosest.mean).toBeCloseTo((0.25 + 0 + 0.2) / 2 / 3, 12);
  });

  it('draw as many records of the larger file as the smaller has', () => {
    const copies = file(Array.from({ length: 400 }, (_, i) => [i % 2, i] as const));
    const one = file([[1, 400]]);
    // One record of each side: the copy that is drawn is hardly ever the row's own.
    const { shareCloserThanControl } = closestRecords(copies, copies, one, random());
    expect(shareCloserThanControl).toBeGreaterThan(0.2);
    expect(shareCloserThanControl).toBeLessThan(0.95);
    expect(closestRecords(copies, copies, null, random()).distanceToClosest.zeroShare).toBe(1);
  });

  it('are averaged over datasets', () => {
    const own = closestRecords(rows, table, null, random());
    const copy = closestRecords(table, table, null, random());
    const mean = meanNearest([own, copy]);
    expect(mean.records).toBe(6);
    expect(mean.distanceToClosest.zeroShare).toBeCloseTo((1 / 3 + 1) / 2, 12);
    expect(mean.shareCloserThanControl).toBeNull();
  });
});
