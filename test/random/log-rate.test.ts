import { describe, expect, it } from 'vitest';
import { logRate } from '../../shared/random/log-rate.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { zOfChiSquare } from './moments.ts';

const DRAWS = 20_000;
const BINS = 20;
const POINTS = 40_000;

/** Edges of bins of equal probability, by the trapezoidal rule over where the density is not negligible. */
function equalBins(logDensity: (y: number) => number, low: number, high: number): number[] {
  const step = (high - low) / POINTS;
  const logs = Array.from({ length: POINTS + 1 }, (_, i) => logDensity(low + i * step));
  const largest = logs.reduce((most, value) => Math.max(most, value), -Infinity);
  // The ends are far enough out.
  expect(logs[0]! - largest).toBeLessThan(-25);
  expect(logs[POINTS]! - largest).toBeLessThan(-25);
  const masses = logs.slice(1).map((value, i) => Math.exp(value - largest) + Math.exp(logs[i]! - largest));
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const edges: number[] = [];
  let sum = 0;
  for (const [i, mass] of masses.entries()) {
    const wanted = ((edges.length + 1) / BINS) * total;
    if (edges.length < BINS - 1 && sum + mass >= wanted) {
      edges.push(low + (i + (wanted - sum) / mass) * step);
    }
    sum += mass;
  }
  return edges;
}

describe('logRate()', () => {
  it.each([
    [0, 0, 1, -9, 4],
    [0, 40, 1, -3, 7],
    [0, -40, 1, -48, -32],
    [0, 3, 1e4, 2.9, 3.1],
    [0, 2, 0.001, -260, 9],
    [1, 100, 1, -5, 7],
    [1, 0, 0.001, -35, 5],
    [3, 1, 1, -5, 5],
    [0.5, 0.2, 0.3, -14, 5],
    [200, 2, 5, 4.5, 6],
    [1e6, 0, 1, 13.8, 13.83],
    [1e6, 20, 2e6, 15.9, 16.1],
  ])('of count %d, mean %d and precision %d has the density that it says', (count, mean, precision, low, high) => {
    const edges = equalBins((y) => count * y - Math.exp(y) - (precision * (y - mean) * (y - mean)) / 2, low, high);
    expect(edges).toHaveLength(BINS - 1);
    const random = new RandomStream(61, `${count}/${mean}/${precision}`);
    const observed = new Float64Array(BINS);
    for (let i = 0; i < DRAWS; i++) {
      const y = logRate(random, count, mean, precision);
      const bin = edges.findIndex((edge) => y < edge);
      observed[bin < 0 ? BINS - 1 : bin]!++;
    }
    expect(Math.abs(zOfChiSquare(observed, new Float64Array(BINS).fill(DRAWS / BINS)))).toBeLessThan(4);
  });

  it('refuses what is not a number, rather than searching for ever', () => {
    const random = new RandomStream(62, 'refuse');
    expect(() => logRate(random, Number.NaN, 0, 1)).toThrow(RangeError);
    expect(() => logRate(random, 1, Number.POSITIVE_INFINITY, 1)).toThrow(RangeError);
    expect(() => logRate(random, 1, 0, 0)).toThrow(RangeError);
    expect(() => logRate(random, 1, 0, -1)).toThrow(RangeError);
  });
});
