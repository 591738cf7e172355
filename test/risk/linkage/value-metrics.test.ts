import { describe, expect, it } from 'vitest';
import { aggregated, rankingGroups } from '../../../shared/masking/microaggregate.ts';
import { rankSwapped, swapWindow } from '../../../shared/masking/rank-swap.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import type { Band } from '../../../shared/risk/linkage/candidate-pairs.ts';
import { equalBand, neighbourBands, noiseBands, rankBands, tailRows, topCodedBand } from '../../../shared/risk/linkage/value-metrics.ts';

const intervals = (bands: readonly Band[], row: number) => bands.map(({ low, high }) => [low[row]!, high[row]!]);
const random = new RandomStream(1, 'metrics');
const skewed = (records: number) => Float64Array.from({ length: records }, () => Math.round(1000 / (0.01 + random.uniform())));
const holds = ({ low, high }: Band, row: number, value: number) => low[row]! <= value && value <= high[row]!;

describe('neighbourBands()', () => {
  const release = Float64Array.of(10, 20, 20, 26, 10, 50);

  it('is the metric of Winkler 2004, section 3, then the middles, then the neighbours', () => {
    expect(intervals(neighbourBands(release), 1)).toEqual([
      [17, 23],
      [15, 23],
      [10, 26],
    ]);
  });

  it('is open to the outer side at the ends', () => {
    const bands = neighbourBands(release);
    expect(intervals(bands, 0)).toEqual([
      [-Infinity, 15],
      [-Infinity, 15],
      [-Infinity, 20],
    ]);
    expect(intervals(bands, 5)).toEqual([
      [38, Infinity],
      [38, Infinity],
      [26, Infinity],
    ]);
  });

  it('tells nothing where all values are the same', () => {
    for (const interval of intervals(neighbourBands(Float64Array.of(3, 3)), 1)) expect(interval).toEqual([-Infinity, Infinity]);
  });

  it.each(['mean', 'median'] as const)('always holds the true value between the neighbours: %s', (aggregate) => {
    for (const k of [2, 3, 7]) {
      const values = skewed(500);
      const release = aggregated(values, rankingGroups(values, k), aggregate);
      const widest = neighbourBands(release)[2]!;
      for (const [row, value] of values.entries()) expect(holds(widest, row, value)).toBe(true);
    }
  });

  it('lets a value of distinct groups agree with one group at most by the two narrower ones', () => {
    const values = skewed(300);
    const release = aggregated(values, rankingGroups(values, 3), 'mean');
    const [, middles] = neighbourBands(release);
    for (const value of values.slice(0, 50)) {
      const agreeing = [...release.keys()].filter((row) => holds(middles!, row, value + 1e-7));
      expect(new Set(agreeing.map((row) => release[row])).size).toBeLessThanOrEqual(1);
    }
  });
});

describe('rankBands()', () => {
  it('is the window of ranks, open beyond the first and last', () => {
    const release = Float64Array.of(5, 1, 2, 3, 4, 4);
    expect(intervals(rankBands(release, 3), 4)).toEqual([
      [3, 5],
      [2, Infinity],
      [1, Infinity],
    ]);
    expect(intervals(rankBands(release, 3), 1)).toEqual([
      [-Infinity, 2],
      [-Infinity, 3],
      [-Infinity, 4],
    ]);
  });

  it('holds the true values of a swapped variable', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const values = skewed(400);
      const swapped = rankSwapped(new RandomStream(seed, 'swap'), values, 4);
      const widest = rankBands(swapped, swapWindow(400, 4))[2]!;
      const outside = values.filter((value, row) => !holds(widest, row, value));
      // One value may have been swapped farther at the upper end.
      expect(outside.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('noiseBands()', () => {
  it('undoes the shrinkage, and is as wide as the noise is', () => {
    const release = Float64Array.of(-2, -1, 0, 1, 2);
    const deviation = Math.sqrt(2.5);
    const [one, two, three] = intervals(noiseBands(release, 0.21), 4);
    const centre = 2 * 1.1;
    for (const [i, interval] of [one!, two!, three!].entries()) {
      expect(interval[0]).toBeCloseTo(centre - (i + 1) * Math.sqrt(0.21) * deviation, 1);
      expect((interval[0]! + interval[1]!) / 2).toBeCloseTo(2 * Math.sqrt(1.21), 12);
    }
  });
});

describe('the other metrics', () => {
  it('ask for equal values, but above a top code', () => {
    const release = Float64Array.of(1, 5, 5);
    expect(intervals(equalBand(release), 1)).toEqual([[5, 5]]);
    expect(intervals(topCodedBand(release), 0)).toEqual([[1, 1]]);
    expect(intervals(topCodedBand(release), 2)).toEqual([[5, Infinity]]);
  });

  it('look at the tails of synthetic data', () => {
    const release = Float64Array.from({ length: 100 }, (_, row) => (row * 37) % 100);
    const rows = [...tailRows(release, 0.04).keys()].filter((row) => tailRows(release, 0.04)[row] === 1);
    expect(rows.map((row) => release[row]!).sort((a, b) => a - b)).toEqual([0, 1, 98, 99]);
  });
});
