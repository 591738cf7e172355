import { describe, expect, it } from 'vitest';
import { gammaBelow } from '../../shared/random/gamma-below.ts';
import { normalWithin } from '../../shared/random/normal-within.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { zOfChiSquare } from './moments.ts';

const DRAWS = 40_000;
const BINS = 20;
const CELLS = 100_000;

/** How far counts of draws from 0 to `end` are from a density up to a constant, in bins that are about as likely. */
function zOfDraws(draw: () => number, logDensity: (x: number) => number, end: number): number {
  const logs = Float64Array.from({ length: CELLS }, (_, cell) => logDensity(((cell + 0.5) * end) / CELLS));
  const most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  const masses = logs.map((log) => Math.exp(log - most));
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const expected = new Float64Array(BINS);
  let before = 0;
  const binOfCell = masses.map((mass) => {
    const bin = Math.min(BINS - 1, Math.floor((BINS * before) / total));
    before += mass;
    expected[bin]! += (DRAWS * mass) / total;
    return bin;
  });
  const counts = new Float64Array(BINS);
  for (let i = 0; i < DRAWS; i++) {
    const value = draw();
    if (!(value >= 0 && value <= end)) throw new RangeError('outside');
    counts[binOfCell[Math.min(CELLS - 1, Math.floor((value / end) * CELLS))]!]!++;
  }
  return zOfChiSquare(counts, expected);
}

describe('gammaBelow()', () => {
  it.each([
    [2, 10],
    [2, 1.2],
    [2, 0.3],
    [1, 0.05],
    [30, 26],
    [30, 27.5],
    [30, 5],
    [400, 380],
    [2500, 1500],
  ])('of shape %f has the density of the gamma up to %f', (shape, limit) => {
    const random = new RandomStream(11, `gamma below/${shape}/${limit}`);
    const z = zOfDraws(
      () => gammaBelow(random, shape, limit),
      (x) => (shape - 1) * Math.log(x) - x,
      limit,
    );
    expect(Math.abs(z)).toBeLessThan(4);
  });
});

describe('normalWithin()', () => {
  it.each([
    [0.5, 0.05],
    [0.02, 0.1],
    [0.3, 3],
    [1, 0.4],
    [0, 1.5],
    [-0.1, 0.02],
    [-0.1, 0.5],
    [-0.3, 40],
    [-5, 1],
    [-5, 4],
    [1.4, 0.1],
    [8, 3],
    [1.001, 0.5],
  ])('of mean %f and deviation %f has the density of the normal in [0, 1]', (mean, deviation) => {
    const random = new RandomStream(12, `normal within/${mean}/${deviation}`);
    const z = zOfDraws(
      () => normalWithin(random, mean, deviation),
      (x) => -0.5 * ((x - mean) / deviation) ** 2,
      1,
    );
    expect(Math.abs(z)).toBeLessThan(4);
  });

  it('ends at once, however far the range is', () => {
    const random = new RandomStream(13, 'normal within/far');
    const end = Array.from({ length: 1000 }, () => normalWithin(random, -1000, 0.001));
    expect(Math.max(...end)).toBeLessThan(1e-7);
    expect(Math.min(...end)).toBeGreaterThanOrEqual(0);
  });
});
