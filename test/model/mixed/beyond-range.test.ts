import { describe, expect, it } from 'vitest';
import { sharesBeyondRange } from '../../../shared/model/mixed/beyond-range.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';

/** Two classes, an indicator of two categories, and two numbers, the second of which has the indicator. */
const SIZES = [2];
const state = {
  weights: Float64Array.of(0.3, 0.7),
  // Of each category, its probability in both classes: no mass holds 0.9 of the first class's numbers, and 0.2 of the other's.
  probabilities: Float64Array.of(0.9, 0.2, 0.1, 0.8),
  // Of each number means, then variances.
  latent: Float64Array.of(0, 0.5, 0.01, 1e-4, 1.05, 0.4, 0.04, 0.09),
};
const numbers = {
  sizes: SIZES,
  continuous: [
    { smallest: 1e-6, indicator: null },
    { smallest: 1e-6, indicator: 0 },
  ],
};

describe('the share of numbers beyond their range', () => {
  it('is half of a narrow class at an end, weighed by its classes', () => {
    expect(sharesBeyondRange(state, numbers)[0]).toBeCloseTo(0.3 * 0.5, 12);
  });

  it('is what draws find, of those that no mass holds', () => {
    const random = new RandomStream(4, 'beyond');
    const draws = 200_000;
    let [beyond, all] = [0, 0];
    for (let i = 0; i < draws; i++) {
      const f = random.uniform() < 0.3 ? 0 : 1;
      if (random.uniform() >= state.probabilities[f]!) continue;
      const value = state.latent[4 + f]! + Math.sqrt(state.latent[6 + f]!) * normal(random);
      all++;
      beyond += Number(value < 0 || value > 1);
    }
    const share = beyond / all;
    expect(Math.abs(sharesBeyondRange(state, numbers)[1]! - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / all));
  });

  it('is all of a class that lies elsewhere, and nothing of one far within', () => {
    const latent = Float64Array.of(-3, 0.5, 1e-6, 1e-6);
    const of = (weights: Float64Array) =>
      sharesBeyondRange({ ...state, weights, latent }, { ...numbers, continuous: numbers.continuous.slice(0, 1) });
    expect(of(Float64Array.of(1, 0))[0]).toBeCloseTo(1, 12);
    expect(of(Float64Array.of(0, 1))[0]).toBeCloseTo(0, 12);
  });
});
