import { describe, expect, it } from 'vitest';
import { declaredContinuous } from '../../shared/contracts/continuous.ts';
import { rowsOfRecords, withCounts } from '../../shared/table/counted-rows.ts';
import { compareDistribution } from '../../shared/utility/compare-distribution.ts';

const rowsOf = (values: readonly number[]) =>
  rowsOfRecords({
    schema: { variables: [{ name: 'PAY', type: 'continuous' }] },
    records: values.length,
    columns: [{ type: 'continuous', values: Float64Array.from(values) }],
  });
const declared = (fields: object) => ({ variable: 0, declared: declaredContinuous('PAY', { range: [0, 4000], masses: [0], ...fields }) });

describe('compareDistribution()', () => {
  // 200 values: 20 masses, 90 multiples of 100, and 90 others, which end in 1 to 9.
  const table = [
    ...Array(20).fill(0),
    ...Array.from({ length: 90 }, (_, i) => 100 * (1 + (i % 36))),
    ...Array.from({ length: 90 }, (_, i) => 40 * i + 1 + (i % 9)),
  ];
  const even = Array.from({ length: 100 }, (_, i) => 1 + 37 * i);

  it('has shares of bins, masses, heaps and tails, as they are counted by hand', () => {
    const found = compareDistribution(
      { table: rowsOf(table), datasets: [rowsOf(even), rowsOf([...even.slice(0, 80), ...Array(20).fill(0)])] },
      declared({}),
    );
    // The span is 1 to 4,000: a bin is 99.975 wide.
    expect(found.bins).toHaveLength(40);
    expect(found.bins[0]).toMatchObject({ from: 1, original: table.filter((value) => value > 0 && value < 100.975).length / 200 });
    expect(found.bins[0]!.to).toBeCloseTo(100.975, 9);
    expect(found.bins[0]!.synthetic).toBeCloseTo((3 / 100 + 3 / 100) / 2, 12);
    expect(found.bins.reduce((sum, { original }) => sum + original, 0)).toBeCloseTo(180 / 200, 12);
    expect(found.masses).toEqual([{ value: 0, original: 0.1, synthetic: 0.1, syntheticSe: expect.closeTo(0.1, 12), datasets: [0, 0.2] }]);
    // Of 180 values beside the mass 90 are multiples of 100: 0.5 - 0.01 beyond chance, more than 0.5 - 0.1 of 10.
    const hundreds = even.filter((value) => value % 100 === 0).length / 100;
    const fewer = even.slice(0, 80).filter((value) => value % 100 === 0).length / 80;
    expect(found.heaping).toMatchObject({ step: 100, original: 0.5, datasets: [hundreds, fewer] });
    // Sorted, the percentiles lie between the 2nd and the 3rd, and between the 198th and the 199th of 200 values.
    expect(found.tails.low).toBe(0);
    expect(found.tails.original).toBe(2 / 200);
    expect(found.tails.high).toBeGreaterThanOrEqual(3560);
    expect(found.reason).toBeUndefined();
  });

  it('is on the declared scale, and takes each row as often as it counts', () => {
    const rows = withCounts(rowsOf([1.2, 10.1, 99]), Float64Array.of(5, 4, 1));
    const found = compareDistribution(
      { table: rows, datasets: [rowsOf([10.1])] },
      declared({ range: [1, 100], scale: 'log', masses: undefined, decimals: 4 }),
    );
    const filled = found.bins.map(({ original }) => original).filter((share) => share > 0);
    for (const [f, share] of [0.5, 0.4, 0.1].entries()) expect(filled[f]).toBeCloseTo(share, 12);
    expect(filled).toHaveLength(3);
    expect(found.bins[20]!.from).toBeCloseTo(10, 9);
    expect(found.bins[20]!.synthetic).toBe(1);
    expect(found.tails).toMatchObject({ syntheticSe: null, datasets: [0] });
    expect(found.reason).toContain('One dataset');
  });

  it('stays with the smallest power where values heap nowhere', () => {
    const rows = rowsOf(Array.from({ length: 97 }, (_, i) => 1 + 41 * i));
    const found = compareDistribution({ table: rows, datasets: [rows] }, declared({}));
    expect(found.heaping).toMatchObject({ step: 10, original: 9 / 97 });
  });

  it('spreads a value over what is rounded to it', () => {
    const found = compareDistribution(
      { table: rowsOf([30, 50]), datasets: [rowsOf([30])] },
      declared({ range: [0, 60], masses: undefined }),
    );
    // Bins are 1.5 wide: 29.5 to 30.5 lies in two equal parts on both sides of 30; 49.5 to 50.5 in one bin.
    for (const [bin, share] of [
      [19, 0.25],
      [20, 0.25],
      [33, 0.5],
    ] as const)
      expect(found.bins[bin]!.original).toBeCloseTo(share, 12);
    expect(found.bins[20]!.synthetic).toBeCloseTo(0.5, 12);
  });

  it('has no heaps where values are masses alone, and finds them among decimals', () => {
    expect(compareDistribution({ table: rowsOf([0, 0, 50]), datasets: [rowsOf([0])] }, declared({})).heaping).toBeNull();
    const cents = rowsOf([0.25, 1, 2, 3, 7.31]);
    const found = compareDistribution({ table: cents, datasets: [cents] }, declared({ range: [0, 10], masses: undefined, decimals: 2 }));
    expect(found.heaping).toMatchObject({ step: 1, original: 0.6, synthetic: 0.6 });
  });
});
