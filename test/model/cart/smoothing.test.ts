import { describe, expect, it } from 'vitest';
import { LeafSmoothing } from '../../../shared/model/cart/smoothing.ts';
import { fitCart } from '../../../shared/model/cart/synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { continuous, tableOf } from './cart-tables.ts';

const DRAWS = 20_000;

function draws(donors: readonly number[], value: number, from = 0, to = donors.length): number[] {
  const smoothing = new LeafSmoothing(Float64Array.from(donors));
  const random = new RandomStream(97, 'smooth');
  const node = { from, to, split: null };
  return Array.from({ length: DRAWS }, () => smoothing.smooth(value, node, random));
}

describe('LeafSmoothing', () => {
  it('adds normal noise of the bandwidth of the leaf', () => {
    // The leaf holds 1001.125 to 1008.125; its quartiles are 1002.875 and 1006.375, and its variance is 6.
    const leaf = [8, 1, 7, 2, 6, 3, 5, 4].map((one) => 1000.125 + one);
    const donors = [0.123456789, 1e6, ...leaf];
    const bandwidth = (0.9 * Math.min(Math.sqrt(6), 3.5 / 1.34)) / 8 ** 0.2;
    const values = draws(donors, 1004.125, 2, 10);
    const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
    const variance = values.reduce((sum, value) => sum + (value - 1004.125) ** 2, 0) / DRAWS;
    expect(Math.abs(mean - 1004.125) / (bandwidth / Math.sqrt(DRAWS))).toBeLessThan(4);
    expect(Math.abs(variance / bandwidth ** 2 - 1) / Math.sqrt(2 / DRAWS)).toBeLessThan(4);
  });

  it('takes the standard deviation where the middle half of the leaf agrees', () => {
    const donors = [0.001, 5, 5, 5, 5, 5, 5, 5, 5, 9, 100];
    const values = draws(donors, 50, 1, 10);
    const bandwidth = (0.9 * (4 / 3)) / 9 ** 0.2;
    const variance = values.reduce((sum, value) => sum + (value - 50) ** 2, 0) / DRAWS;
    expect(Math.abs(variance / bandwidth ** 2 - 1) / Math.sqrt(2 / DRAWS)).toBeLessThan(4);
  });

  it('keeps zeros, signs, the observed range of either sign, and decimals', () => {
    const donors = [-3.25, -0.5, 0, 0, 0, 0.5, 1, 2.75, 40];
    expect(new Set(draws(donors, 0))).toEqual(new Set([0]));
    const positive = draws(donors, 0.5);
    expect(Math.min(...positive)).toBe(0.5);
    expect(Math.max(...positive)).toBeLessThanOrEqual(40);
    expect(positive.every((value) => Number(value.toFixed(2)) === value)).toBe(true);
    const negative = draws(donors, -0.5);
    expect(Math.max(...negative)).toBe(-0.5);
    expect(Math.min(...negative)).toBeGreaterThanOrEqual(-3.25);
    expect(new Set(negative).size).toBeGreaterThan(100);
  });

  it('reflects at the ends, so that no mass gathers there', () => {
    const random = new RandomStream(98, 'uniform');
    const donors = Array.from({ length: 400 }, () => 1 + random.uniform());
    const low = Math.min(...donors);
    const values = draws([...donors], low);
    const beyond = values.filter((value) => value === low).length;
    expect(beyond).toBeLessThan(DRAWS / 100);
    // Half of the noise is below the end, and folds over: the mean distance is that of |N(0, h)|.
    const quartiles = donors.toSorted((a, b) => a - b);
    const mean = donors.reduce((sum, one) => sum + one, 0) / 400;
    const deviation = Math.sqrt(donors.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 399);
    const at = (share: number) => {
      const position = 399 * share;
      const below = Math.floor(position);
      return quartiles[below]! + (position - below) * (quartiles[below + 1]! - quartiles[below]!);
    };
    const bandwidth = (0.9 * Math.min(deviation, (at(0.75) - at(0.25)) / 1.34)) / 400 ** 0.2;
    const distance = values.reduce((sum, value) => sum + value - low, 0) / DRAWS;
    const spread = bandwidth * Math.sqrt((1 - 2 / Math.PI) / DRAWS);
    expect(Math.abs(distance - bandwidth * Math.sqrt(2 / Math.PI)) / spread).toBeLessThan(4);
  });

  it('keeps the value of a leaf whose donors of that sign agree, or that has one', () => {
    expect(new Set(draws([7, 7, 7, 0, -1, 20], 7, 0, 5))).toEqual(new Set([7]));
    expect(new Set(draws([7, 7, 7, 0, -1, 20], -1, 0, 5))).toEqual(new Set([-1]));
  });

  it('does not round values of more decimals than a double has', () => {
    const values = draws([1e-20, 3e-20, 9e-20], 3e-20);
    expect(new Set(values).size).toBeGreaterThan(DRAWS / 2);
  });

  it('smooths the continuous columns of a dataset', () => {
    const random = new RandomStream(99, 'columns');
    const x = Array.from({ length: 600 }, () => normal(random));
    const y = x.map((one) => (one < -1 ? 0 : Math.round(100 * (one + 2 + random.uniform())) / 100));
    const table = tableOf([continuous(x), continuous(y)], 1);
    const fitted = (smoothing: boolean) => fitCart(table, { synthesized: [1], minimumLeaf: 10, complexity: 1e-8, smoothing });
    const plain = fitted(false).synthesize(new RandomStream(99, 'dataset'))[0]!;
    const smooth = fitted(true).synthesize(new RandomStream(99, 'dataset'))[0]!;
    if (plain.type !== 'continuous' || smooth.type !== 'continuous') throw new Error('both are continuous');
    const observed = new Set(y);
    const others = smooth.values.filter((value) => !observed.has(value)).length;
    expect(plain.values.every((value) => observed.has(value))).toBe(true);
    expect(others).toBeGreaterThan(50);
    const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0) / 600;
    expect(Math.abs(mean(smooth.values) - mean(y))).toBeLessThan(0.2);
  });
});
