import { beforeAll, describe, expect, it } from 'vitest';
import { logScalePrior, updateCovariance } from '../../../shared/model/dp-areal/covariance.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

/** P(|T| < x) of Student's t with three degrees of freedom, in closed form. */
const halfT3 = (x: number) => (2 / Math.PI) * (x / Math.sqrt(3) / (1 + (x * x) / 3) + Math.atan(x / Math.sqrt(3)));

/** The largest difference of the shares of a sample below some points from a distribution. */
const farthest = (values: readonly number[], points: readonly number[], distribution: (x: number) => number) =>
  Math.max(...points.map((x) => Math.abs(values.filter((value) => value < x).length / values.length - distribution(x))));

describe('logScalePrior()', () => {
  it('is the density of the log of a half-t variable with three degrees of freedom', () => {
    const STEP = 1e-4;
    for (const x of [0.01, 0.3, 1, 2, 5, 40]) {
      const slope = (halfT3(x * Math.exp(STEP)) - halfT3(x * Math.exp(-STEP))) / (2 * STEP);
      // Up to a constant, which the point 1 has as well.
      const atOne = (halfT3(Math.exp(STEP)) - halfT3(Math.exp(-STEP))) / (2 * STEP);
      expect(Math.exp(logScalePrior(Math.log(x)) - logScalePrior(0))).toBeCloseTo(slope / atOne, 5);
    }
  });
});

describe('updateCovariance() without vectors draws from the prior', () => {
  const ITERATIONS = 30_000;
  const scales: number[] = [];
  const correlations: number[] = [];

  beforeAll(() => {
    const random = new RandomStream(17, 'prior');
    const state = { scales: Float64Array.of(1, 1), correlations: Float64Array.of(1, 0, 0, 1) };
    for (let i = 0; i < ITERATIONS; i++) {
      const r = state.correlations[1]!;
      const q = Float64Array.of(1, -r, -r, 1).map((value) => value / (1 - r * r));
      updateCovariance(state, q, new Float64Array(0), random);
      scales.push(...state.scales);
      correlations.push(state.correlations[1]!);
    }
  });

  // Four degrees of freedom would differ by 0.018 near 2; the standard error is about 0.004.
  it('of the scales: half-t with three degrees of freedom', () => {
    expect(farthest(scales, [0.1, 0.5, 1, 2, 3, 6, 15], halfT3)).toBeLessThan(0.01);
  });

  // Of two variables LKJ(2) has the density 3 (1 - r^2) / 4; a shape of 1 or 3 would differ by 0.06 or more.
  it('of the correlations: LKJ with shape 2', () => {
    const lkj = (r: number) => (3 * (r - r ** 3 / 3)) / 4 + 1 / 2;
    expect(farthest(correlations, [-0.8, -0.5, -0.2, 0, 0.2, 0.5, 0.8], lkj)).toBeLessThan(0.015);
  });
});
