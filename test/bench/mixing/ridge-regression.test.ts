import { describe, expect, it } from 'vitest';
import { type FeatureRows, logisticProbabilities, meanSquareFromHalf } from '../../../bench/mixing/ridge-regression.ts';

/** An intercept and one indicator. */
const twoGroups = (counts: readonly [number, number, number, number]): [FeatureRows, Float64Array, Uint8Array] => [
  { rows: 4, active: 2, count: 2, indices: Uint32Array.of(0, 1, 0, 1, 0, 1, 0, 1), values: Float64Array.of(1, 0, 1, 0, 1, 1, 1, 1) },
  Float64Array.from(counts),
  Uint8Array.of(0, 1, 0, 1),
];

describe('logisticProbabilities()', () => {
  it('gives each of two groups its own share where the regression is saturated', () => {
    const probabilities = logisticProbabilities(...twoGroups([30, 10, 5, 45]), 0);
    for (const [row, share] of [0.25, 0.25, 0.9, 0.9].entries()) {
      expect(probabilities[row]).toBeCloseTo(share, 9);
    }
  });

  it('gives the same with many features, whose products are formed row by row', () => {
    // Four thousand features without a row leave the fit as it is, with a ridge that holds them at zero.
    const [features, weights, responses] = twoGroups([30, 10, 5, 45]);
    const wide = logisticProbabilities({ ...features, count: 4000 }, weights, responses, 1e-9);
    const narrow = logisticProbabilities(features, weights, responses, 1e-9);
    for (const [row, probability] of narrow.entries()) expect(wide[row]).toBeCloseTo(probability, 9);
  });

  it('solves the equations of the ridge: the residuals of a feature sum to its coefficient times the ridge', () => {
    const weights = Float64Array.of(3, 9);
    const intercept: FeatureRows = { rows: 2, active: 1, count: 1, indices: Uint32Array.of(0, 0) };
    const [probability] = logisticProbabilities(intercept, weights, Uint8Array.of(0, 1), 2);
    const coefficient = Math.log(probability! / (1 - probability!));
    expect(9 - 12 * probability!).toBeCloseTo(2 * coefficient, 6);
  });
});

describe('meanSquareFromHalf()', () => {
  it('is 0 where nothing is told apart, and 1/4 where everything is', () => {
    expect(meanSquareFromHalf(Float64Array.of(0.5, 0.5), Float64Array.of(1, 7))).toBe(0);
    expect(meanSquareFromHalf(Float64Array.of(0, 1), Float64Array.of(1, 7))).toBe(0.25);
  });

  it('weighs rows by how often they occur', () => {
    expect(meanSquareFromHalf(Float64Array.of(0.5, 1), Float64Array.of(3, 1))).toBe(0.0625);
  });
});
