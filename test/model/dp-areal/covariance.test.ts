import { describe, expect, it } from 'vitest';
import { effectsOfClusters, updateCovariance } from '../../../shared/model/dp-areal/covariance.ts';
import { inverse } from '../../../shared/numeric/cholesky.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';

const SIZE = 6;

describe('updateCovariance()', () => {
  it('keeps the inverse of Omega in step with its correlations', () => {
    const random = new RandomStream(91, 'covariance');
    const correlations = Float64Array.from({ length: SIZE * SIZE }, (_, at) => (at % (SIZE + 1) === 0 ? 1 : 0));
    for (let i = 0; i < 50; i++) {
      const vectors = Float64Array.from({ length: (i % 4) * SIZE }, () => normal(random));
      // Other vectors each time: scales start from where these may have come from.
      const scales = new Float64Array(SIZE).fill(1);
      const q = inverse(correlations, SIZE);
      updateCovariance({ scales, correlations }, q, vectors, random);
      const anew = inverse(correlations, SIZE);
      const largest = anew.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      for (let at = 0; at < q.length; at++) {
        expect(Math.abs(q[at]! - anew[at]!)).toBeLessThan(1e-9 * largest);
        expect(correlations[at]).toBe(correlations[(at % SIZE) * SIZE + Math.floor(at / SIZE)]);
      }
    }
    expect(correlations[1]).not.toBe(0);
  });
});

it('leaves the posterior of two scales and their correlation given vectors as it is', () => {
  const vectors = Float64Array.of(1.2, 0.4, -0.3, 0.9, 2, 1.5, -1.1, 0.2);
  const random = new RandomStream(92, 'posterior');
  const state = { scales: Float64Array.of(1, 1), correlations: Float64Array.of(1, 0.2, 0.2, 1) };
  const chain = Array.from({ length: 20_000 }, () => {
    updateCovariance(state, inverse(state.correlations, 2), vectors, random);
    const r = state.correlations[1]!;
    const [a, b] = state.scales;
    return [Math.log(a!), Math.log(b!), r, r * r, r * Math.log(a!)];
  });
  // Half-t with three degrees of freedom for the scales, LKJ with shape 2 for the correlation, and normal vectors.
  const logPrior = (s: number) => s - 2 * Math.log(1 + Math.exp(2 * s) / 3);
  const logDensity = (s: number, t: number, r: number) => {
    const rest = 1 - r * r;
    let sum = logPrior(s) + logPrior(t) + Math.log(rest);
    for (let at = 0; at < vectors.length; at += 2) {
      const [x, y] = [vectors[at]! * Math.exp(-s), vectors[at + 1]! * Math.exp(-t)];
      sum -= s + t + 0.5 * Math.log(rest) + (0.5 * (x * x - 2 * r * x * y + y * y)) / rest;
    }
    return sum;
  };
  const exact = new Array<number>(5).fill(0);
  let total = 0;
  for (let s = -3; s < 4; s += 0.1) {
    for (let t = -3; t < 4; t += 0.1) {
      for (let r = -0.99; r < 0.995; r += 0.02) {
        const density = Math.exp(logDensity(s, t, r));
        total += density;
        for (const [f, value] of [s, t, r, r * r, r * s].entries()) exact[f]! += density * value;
      }
    }
  }
  const BATCHES = 40;
  const size = chain.length / BATCHES;
  for (const [f, sum] of exact.entries()) {
    const means = Array.from({ length: BATCHES }, (_, b) =>
      chain.slice(b * size, (b + 1) * size).reduce((all, own) => all + own[f]! / size, 0),
    );
    const mean = means.reduce((all, one) => all + one, 0) / BATCHES;
    const variance = means.reduce((all, one) => all + (one - mean) ** 2, 0) / (BATCHES - 1);
    expect(Math.abs(mean - sum / total), `function ${f}`).toBeLessThan(4.5 * Math.sqrt(variance / BATCHES));
  }
});

it('takes the effects of the clusters that hold cells, without theta*', () => {
  const coefficients = Float64Array.from({ length: 4 * 3 }, (_, i) => i);
  expect([...effectsOfClusters(coefficients, Float64Array.of(2, 0, 0, 5), 2)]).toEqual([1, 2, 10, 11]);
});
