import { describe, expect, it } from 'vitest';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import type { RandomSource } from '../../../shared/random/random-source.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
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
    const found = closestRecords(rows, table, null, random()).figures;
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
    expect(closestRecords(file([[0, 0]]), twins, null, random()).figures.ratio.mean).toBe(1);
  });

  it('count ties with the control by half', () => {
    const control = file([
      [0, 1],
      [0, 8],
      [1, 5],
    ]);
    // 0.5 on both sides; 0 against 0.1; 0.4 against 0.3.
    const { shareCloserThanControl, low, high } = closestRecords(rows, table, control, random()).figures;
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
    const { distanceToClosest } = closestRecords(rows, table, wider, random()).figures;
    expect(distanceToClosest.mean).toBeCloseTo((0.25 + 0 + 0.2) / 2 / 3, 12);
  });

  it('draw as many records of the larger file as the smaller has', () => {
    const copies = file(Array.from({ length: 400 }, (_, i) => [i % 2, i] as const));
    const one = file([[1, 400]]);
    // One record of each side: the copy that is drawn is hardly ever the row's own.
    const { shareCloserThanControl } = closestRecords(copies, copies, one, random()).figures;
    expect(shareCloserThanControl).toBeGreaterThan(0.2);
    expect(shareCloserThanControl).toBeLessThan(0.95);
    expect(closestRecords(copies, copies, null, random()).figures.distanceToClosest.zeroShare).toBe(1);
  });

  it('are averaged over datasets', () => {
    const own = closestRecords(rows, table, null, random());
    const copy = closestRecords(table, table, null, random());
    const mean = meanNearest([own, copy]);
    expect(mean.records).toBe(6);
    expect(mean.distanceToClosest.zeroShare).toBeCloseTo((1 / 3 + 1) / 2, 12);
    expect(mean.distanceToClosestSe!.zeroShare).toBeCloseTo((1 - 1 / 3) / 2, 12);
    expect(mean).toMatchObject({ shareCloserThanControl: null, shareCloserThanControlSe: null });
    expect(meanNearest([own])).toMatchObject({ distanceToClosestSe: null, ratioSe: null });
  });
});

describe('the error of the share that is closer than to the control', () => {
  it('is found by hand', () => {
    const files = [
      file([
        [0, 0],
        [0, 10],
      ]),
      file([
        [0, 2],
        [0, 20],
      ]),
    ] as const;
    const rows = (...values: number[]) => file(values.map((value) => [0, value]));
    const find = (dataset: Table) => closestRecords(dataset, ...files, random());
    // Closer to 0, 0, 10 and 20: sums of the residuals by record, over rows and datasets, less their mean of 3/32 in each file.
    const one = find(rows(0, 0.5, 10, 20));
    expect(one.figures.shareCloserThanControl).toBe(3 / 4);
    const squares = (...sums: number[]) => {
      const mean = sums.reduce((sum, value) => sum + value, 0) / sums.length;
      return sums.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    };
    expect(one.figures.shareCloserThanControlSe).toBeCloseTo(Math.sqrt(squares(2 / 16, 1 / 16) + squares(0, 3 / 16)), 12);
    // A tie is half of either record; both of its shares have no residual where the mean is one half.
    expect(find(rows(1, 1)).figures).toMatchObject({ shareCloserThanControl: 0.5, shareCloserThanControlSe: 0 });
    // Two datasets that have nothing in common but the records: all of their spread is beyond that over records.
    const both = meanNearest([find(rows(0)), find(rows(20))]);
    const ofRecords = squares(1 / 4, 0) + squares(0, 1 / 4);
    const ofBoth = squares(1 / 4, 0) + squares(0, 1 / 4);
    expect(both.shareCloserThanControlSe).toBeCloseTo(Math.sqrt(ofRecords + 1 / 4 - ofBoth), 12);
  });

  /** Numbers of a normal distribution, or steps of it that many people share. */
  const people = (source: RandomSource, count: number, step: number, { mean, deviation } = { mean: 0, deviation: 1 }) =>
    Array.from({ length: count }, () =>
      [0, 1, 2].map(() => {
        const value = mean + deviation * normal(source);
        return step === 0 ? value : step * Math.round(value / step);
      }),
    );
  const asTable = (rows: readonly (readonly number[])[]): Table => ({
    schema: { variables: ['X', 'Y', 'Z'].map((name) => ({ name, type: 'continuous' })) },
    records: rows.length,
    columns: [0, 1, 2].map((v) => ({ type: 'continuous', values: Float64Array.from(rows, (row) => row[v]!) })),
  });

  it.each([
    ['one dataset', { datasets: 1, records: 100, held: 100, step: 0, copied: 0 }],
    ['four datasets', { datasets: 4, records: 100, held: 100, step: 0, copied: 0 }],
    ['four datasets that copy different shares of records', { datasets: 4, records: 100, held: 100, step: 0, copied: 0.4 }],
    ['values that many share, and a smaller control', { datasets: 4, records: 100, held: 60, step: 1, copied: 0 }],
  ])('is the spread over tables, controls and releases: %s', (_, { datasets, records, held, step, copied }) => {
    const source = seededStreams(7).open('people');
    const found = Array.from({ length: 200 }, () => {
      const own = people(source, records, step);
      const [table, control] = [asTable(own), asTable(people(source, held, step))];
      const values = own.flat();
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const release = Array.from({ length: datasets }, () => {
        // Parameters are drawn for each dataset, as is the share of its rows that are copies with a little noise.
        const parameters = {
          mean: mean + normal(source) / Math.sqrt(values.length),
          deviation: 1 + normal(source) / Math.sqrt(2 * values.length),
        };
        const share = copied * source.uniform();
        const rows = people(source, 100, step, parameters).map((row) =>
          source.uniform() < share ? own[source.below(records)]!.map((value) => value + 0.2 * normal(source)) : row,
        );
        return closestRecords(asTable(rows), table, control, source);
      });
      return meanNearest(release);
    });
    const spread = standardDeviation(found.map(({ shareCloserThanControl }) => shareCloserThanControl!));
    const squares = found.map(({ shareCloserThanControlSe: se }) => se! * se!);
    const stated = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / found.length);
    expect(stated / spread).toBeGreaterThan(0.8);
    expect(stated / spread).toBeLessThan(1.25);
  });
});
