import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomial } from '../../shared/random/binomial.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { zOfChiSquare, zOfMean } from './moments.ts';

const DRAWS = 100_000;

/** P(k) for k = 0, ..., trials, by the recursion from the mode outwards, normalised. */
function probabilities(trials: number, probability: number): Float64Array {
  const mass = new Float64Array(trials + 1);
  const odds = probability / (1 - probability);
  const mode = Math.floor((trials + 1) * probability);
  mass[mode] = 1;
  for (let k = mode; k < trials; k++) mass[k + 1] = ((mass[k]! * (trials - k)) / (k + 1)) * odds;
  for (let k = mode; k > 0; k--) mass[k - 1] = (mass[k]! * k) / ((trials - k + 1) * odds);
  const total = mass.reduce((sum, one) => sum + one, 0);
  return mass.map((one) => one / total);
}

describe('binomial()', () => {
  it.each([
    // Inversion: small means, one of them with many trials, and their mirror images.
    [1, 0.3],
    [7, 0.5],
    [40, 0.02],
    [12, 0.8],
    [1_000_000, 0.000003],
    [5_000, 0.9993],
    // Rejection: just above its mean, symmetric, large.
    [21, 0.5],
    [40, 0.26],
    [100, 0.9],
    [3_000, 0.01],
    [10_000, 0.5],
    [1_000_000, 0.4],
  ])('follows the law of %i trials of probability %d', (trials, probability) => {
    const random = new RandomStream(30, `binomial/${trials}/${probability}`);
    const values = Float64Array.from({ length: DRAWS }, () => binomial(random, trials, probability));
    expect(values.every((k) => Number.isInteger(k) && k >= 0 && k <= trials)).toBe(true);
    const variance = trials * probability * (1 - probability);
    expect(Math.abs(zOfMean(values, trials * probability, Math.sqrt(variance)))).toBeLessThan(4);
    // Cells of at least 25 expected draws, from the left; what is left over joins the last.
    const mass = probabilities(trials, probability);
    const found = new Float64Array(trials + 1);
    for (const k of values) found[k]!++;
    const observed: number[] = [];
    const expected: number[] = [];
    let [inCell, share] = [0, 0];
    for (let k = 0; k <= trials; k++) {
      inCell += found[k]!;
      share += mass[k]! * DRAWS;
      if (share < 25) continue;
      observed.push(inCell);
      expected.push(share);
      [inCell, share] = [0, 0];
    }
    observed[observed.length - 1]! += inCell;
    expected[expected.length - 1]! += share;
    expect(Math.abs(zOfChiSquare(observed, expected))).toBeLessThan(4);
  });

  it('gives none or all without drawing where there is nothing to draw', () => {
    const random = new RandomStream(31, 'nothing');
    const other = new RandomStream(31, 'nothing');
    expect(binomial(random, 0, 0.4)).toBe(0);
    expect(binomial(random, 50, 0)).toBe(0);
    expect(binomial(random, 50, 1)).toBe(50);
    expect(random.uniform()).toBe(other.uniform());
  });

  it('stays within its range for any parameters', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 40 }),
        fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1e-9, noNaN: true })),
        fc.nat(),
        (trials, probability, seed) => {
          const k = binomial(new RandomStream(seed, 'any'), trials, probability);
          expect(Number.isInteger(k) && k >= 0 && k <= trials).toBe(true);
        },
      ),
    );
  });
});
