import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { exponential, normal, zigguratTables } from '../../shared/random/ziggurat.ts';
import { correlation, zOfChiSquare, zOfCount, zOfMean } from './moments.ts';

const DRAWS = 1_000_000;

/** Draws in each of the cells that some bounds leave, which rise; one cell more than there are bounds. */
function cellCounts(values: Float64Array, bounds: readonly number[]): Float64Array {
  const sorted = values.toSorted();
  const below = bounds.map((bound) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < bound) low = middle + 1;
      else high = middle;
    }
    return low;
  });
  const edges = [0, ...below, sorted.length];
  return Float64Array.from({ length: bounds.length + 1 }, (_, i) => edges[i + 1]! - edges[i]!);
}

describe('zigguratTables', () => {
  it('holds layers of equal area, which close at the top', () => {
    for (const from of [0, 3 * 257]) {
      const [widths, ratios, heights] = [0, 1, 2].map((i) => zigguratTables.subarray(from + 257 * i, from + 257 * (i + 1))) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      const area = (i: number) => widths[i]! * (heights[i + 1]! - heights[i]!);
      for (let i = 1; i < 256; i++) {
        expect(area(i) / area(1), `layer ${i}`).toBeCloseTo(1, 9);
        expect(ratios[i]).toBe(widths[i + 1]! / widths[i]!);
      }
      expect([widths[256], heights[256]]).toEqual([0, 1]);
    }
  });

  it('gives the lowest layer, a rectangle and the tail, the area of the others', () => {
    // mpmath 1.4.1: edge exp(-edge^2 / 2) + sqrt(pi / 2) erfc(edge / sqrt(2)); and (edge + 1) exp(-edge).
    for (const [from, expected] of [
      [0, 0.004928673233974655],
      [3 * 257, 0.00394965982258156],
    ] as const) {
      const [width, edge, height, above] = [0, 1, 515, 516].map((i) => zigguratTables[from + i]!);
      expect(edge! * (above! - height!)).toBeCloseTo(expected, 15);
      expect(width! * height!).toBeCloseTo(expected, 15);
    }
  });
});

describe('exponential()', () => {
  const random = new RandomStream(9, 'exponential');
  const values = Float64Array.from({ length: DRAWS }, () => exponential(random));

  it('fills a thousand cells of equal probability evenly, and ten in the tail of the lowest layer', () => {
    const bounds = Array.from({ length: 999 }, (_, i) => -Math.log1p(-(i + 1) / 1000));
    const expected = new Float64Array(1000).fill(DRAWS / 1000);
    expect(Math.abs(zOfChiSquare(cellCounts(values, bounds), expected))).toBeLessThan(4);
    const edge = zigguratTables[3 * 257 + 1]!;
    const tail = values.filter((value) => value > edge);
    expect(Math.abs(zOfCount(tail.length, DRAWS, Math.exp(-edge)))).toBeLessThan(4);
    const inTail = cellCounts(
      tail.map((value) => value - edge),
      bounds.filter((_, i) => i % 100 === 99),
    );
    expect(Math.abs(zOfChiSquare(inTail, new Float64Array(10).fill(tail.length / 10)))).toBeLessThan(4);
  });

  it('is positive, has the moments of the law and no serial correlation', () => {
    expect(values.every((value) => value > 0)).toBe(true);
    expect(Math.abs(zOfMean(values, 1, 1))).toBeLessThan(4);
    const squares = values.map((value) => value ** 2);
    expect(Math.abs(zOfMean(squares, 2, Math.sqrt(20)))).toBeLessThan(4);
    const serial = correlation(values.subarray(1), values.subarray(0, -1));
    expect(Math.abs(serial) * Math.sqrt(DRAWS)).toBeLessThan(4);
  });
});

describe('normal()', () => {
  const random = new RandomStream(10, 'normal');
  const values = Float64Array.from({ length: DRAWS }, () => normal(random));

  it('has the moments of a standard normal, to the fourth', () => {
    // Standard deviation of z^k: sqrt(E z^2k - (E z^k)^2), with E z^2, z^4, z^6, z^8 = 1, 3, 15, 105.
    const moments: [power: number, expected: number, variance: number][] = [
      [1, 0, 1],
      [2, 1, 2],
      [3, 0, 15],
      [4, 3, 96],
    ];
    for (const [power, expected, variance] of moments) {
      const z = zOfMean(
        values.map((value) => value ** power),
        expected,
        Math.sqrt(variance),
      );
      expect(Math.abs(z), `moment ${power}`).toBeLessThan(4);
    }
  });

  it.each([
    // Twice scipy.stats.norm.sf.
    [1, 0.31731050786291415],
    [2, 0.04550026389635839],
    [3, 0.002699796063260207],
    [3.5, 0.0004652581580710808],
    // Where the tail of the lowest layer begins, and beyond it: mpmath's erfc(bound / sqrt(2)).
    [3.654152885361009, 0.0002580324876539009],
    [4, 0.00006334248366623984],
    [4.5, 0.00000679534624946012],
  ])('goes beyond %d on either side as often as a normal', (bound, probability) => {
    const beyond = values.filter((value) => Math.abs(value) > bound).length;
    expect(Math.abs(zOfCount(beyond, DRAWS, probability))).toBeLessThan(4);
  });

  it('fills a thousand cells of equal probability evenly', () => {
    const bounds = Array.from({ length: 999 }, (_, i) => quantile((i + 1) / 1000, 0, 1));
    const expected = new Float64Array(1000).fill(DRAWS / 1000);
    expect(Math.abs(zOfChiSquare(cellCounts(values, bounds), expected))).toBeLessThan(4);
  });

  it('gives pairs that are uncorrelated, and so are their squares', () => {
    const even = values.filter((_, i) => i % 2 === 0);
    const odd = values.filter((_, i) => i % 2 === 1);
    const scale = Math.sqrt(DRAWS / 2);
    expect(Math.abs(correlation(even, odd)) * scale).toBeLessThan(4);
    const squared = correlation(
      even.map((value) => value ** 2),
      odd.map((value) => value ** 2),
    );
    expect(Math.abs(squared) * scale).toBeLessThan(4);
    expect(values.every((value, i) => i === 0 || value !== values[i - 1])).toBe(true);
  });
});
