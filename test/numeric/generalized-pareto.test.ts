import { describe, expect, it } from 'vitest';
import { fitGeneralizedPareto } from '../../shared/numeric/generalized-pareto.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';

/** The values that split a generalized Pareto distribution in `count` equal parts, at their middles: no randomness. */
function quantiles(k: number, sigma: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, j) => {
    const above = 1 - (j + 0.5) / count;
    return k === 0 ? -sigma * Math.log(above) : (sigma / k) * (above ** -k - 1);
  });
}

/** The k of greatest likelihood, by a search over both parameters that shares nothing with the fit. */
function likeliestK(values: Float64Array): number {
  let best = { k: NaN, value: -Infinity };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  for (let k = -0.4; k <= 1.6; k += 0.0101) {
    for (let scale = 0.02; scale < 2.5; scale *= 1.03) {
      const sigma = scale * mean;
      let value = -values.length * Math.log(sigma);
      for (const x of values) {
        const inside = 1 + (k * x) / sigma;
        value -= inside > 0 ? (1 + 1 / k) * Math.log(inside) : Infinity;
      }
      if (value > best.value) best = { k, value };
    }
  }
  return best.k;
}

/** The fit's k without what draws it towards 1/2. */
const unregularized = (k: number, count: number) => (k * (count + 10) - 10 * 0.5) / count;

describe('fitGeneralizedPareto()', () => {
  it.each([
    [-0.2, 3],
    [0.001, 1],
    [0.3, 0.01],
    [0.5, 7],
    [0.9, 1e6],
  ])('finds k = %d and sigma = %d of a sample that has its quantiles', (k, sigma) => {
    const fit = fitGeneralizedPareto(quantiles(k, sigma, 2000))!;
    expect(unregularized(fit.k, 2000)).toBeCloseTo(k, 1.5);
    expect(fit.sigma / sigma).toBeCloseTo(1, 1);
  });

  it.each([0.2, 0.6, 1])('is near the likeliest k of 100 values, %d or so', (k) => {
    const random = new RandomStream(90, `fit/${k}`);
    const values = Float64Array.from({ length: 100 }, () => (random.uniform() ** -k - 1) / k).sort();
    const fit = fitGeneralizedPareto(values)!;
    // A posterior mean and a mode: their difference is a part of the standard error (1 + k) / 10.
    expect(Math.abs(unregularized(fit.k, 100) - likeliestK(values))).toBeLessThan((0.6 * (1 + k)) / 10);
  });

  it('draws the k of few values towards 1/2, as ten more of them would', () => {
    const fit = fitGeneralizedPareto(quantiles(0, 1, 10))!;
    expect(fit.k).toBeGreaterThan(0.1);
    expect(fit.k).toBeLessThan(0.4);
  });

  it.each<[string, number[], number, number]>([
    ['few values', [0.1, 0.4, 0.5, 1.1, 2, 3.7, 9], 0.5426708571626441, 1.258315247419783],
    ['values that end at a bound', [1, 1.5, 2, 2.5, 3, 3.2, 3.3, 3.4, 3.45, 3.5, 3.51, 3.52], -1.1685390837693548, 9.068471069777166],
    ['squares', Array.from({ length: 25 }, (_, j) => (j + 1) ** 2 / 10), 0.09361438839318882, 23.493218013422275],
    ['powers', Array.from({ length: 40 }, (_, j) => 0.01 * 1.5 ** j), 4.409916410073242, 0.9965767335157436],
  ])('is that of the published formulas, in another program, for %s', (_, values, k, sigma) => {
    // Zhang & Stephens 2009, section 3, and the prior of k of Vehtari et al. 2024, in Python's floating point.
    const fit = fitGeneralizedPareto(Float64Array.from(values))!;
    expect(fit.k / k).toBeCloseTo(1, 9);
    expect(fit.sigma / sigma).toBeCloseTo(1, 9);
  });

  it('depends on the unit of the values in sigma alone', () => {
    const values = quantiles(0.4, 1, 50);
    const fit = fitGeneralizedPareto(values)!;
    const scaled = fitGeneralizedPareto(values.map((value) => 1024 * value))!;
    expect(scaled.k).toBeCloseTo(fit.k, 10);
    expect(scaled.sigma / fit.sigma).toBeCloseTo(1024, 7);
  });

  it('is none where a quarter of the values are zero', () => {
    expect(fitGeneralizedPareto(Float64Array.of(0, 0, 0, 0, 1, 2, 3, 4))).toBeNull();
  });
});
