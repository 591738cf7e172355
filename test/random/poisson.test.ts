import { describe, expect, it } from 'vitest';
import { negativeBinomial, poisson } from '../../shared/random/poisson.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { zOfChiSquare, zOfMean } from './moments.ts';

const DRAWS = 100_000;

/** How far whole numbers are from a law given by its masses, in standard errors of the chi-square statistic. */
function zOfLaw(values: Float64Array, massOf: (k: number) => number): number {
  const most = Math.max(...values);
  const found = new Float64Array(most + 1);
  for (const k of values) found[k]!++;
  const observed: number[] = [];
  const expected: number[] = [];
  let [inCell, share, done] = [0, 0, 0];
  for (let k = 0; k <= most; k++) {
    inCell += found[k]!;
    share += massOf(k) * DRAWS;
    if (share < 25) continue;
    observed.push(inCell);
    expected.push(share);
    done += share;
    [inCell, share] = [0, 0];
  }
  observed[observed.length - 1]! += inCell;
  expected[expected.length - 1]! += DRAWS - done;
  return zOfChiSquare(observed, expected);
}

/** log k! by adding up. */
function logFactorial(k: number): number {
  let sum = 0;
  for (let i = 2; i <= k; i++) sum += Math.log(i);
  return sum;
}

describe('poisson()', () => {
  it.each([0.01, 0.7, 3, 9.99, 10, 17.5, 240])('follows the law of mean %d', (mean) => {
    const random = new RandomStream(60, `poisson/${mean}`);
    const values = Float64Array.from({ length: DRAWS }, () => poisson(random, mean));
    expect(values.every((k) => Number.isInteger(k) && k >= 0)).toBe(true);
    expect(Math.abs(zOfMean(values, mean, Math.sqrt(mean)))).toBeLessThan(4);
    const z = zOfLaw(values, (k) => Math.exp(k * Math.log(mean) - mean - logFactorial(k)));
    expect(Math.abs(z)).toBeLessThan(4);
  });

  it('has the mean and the variance of a large one', () => {
    const random = new RandomStream(61, 'large');
    const values = Float64Array.from({ length: DRAWS }, () => poisson(random, 1e9));
    expect(Math.abs(zOfMean(values, 1e9, Math.sqrt(1e9)))).toBeLessThan(4);
    const squares = values.map((k) => (k - 1e9) ** 2 / 1e9);
    expect(Math.abs(zOfMean(squares, 1, Math.SQRT2))).toBeLessThan(4);
  });

  it('is zero for the mean zero', () => {
    expect(poisson(new RandomStream(62, 'zero'), 0)).toBe(0);
  });
});

describe('negativeBinomial()', () => {
  it.each([
    [1, 0.5],
    [3, 2],
    [40, 0.1],
    [200, 1.5],
  ])('follows the law of failures before %i successes at odds %d', (successes, odds) => {
    const random = new RandomStream(63, `negative/${successes}/${odds}`);
    const values = Float64Array.from({ length: DRAWS }, () => negativeBinomial(random, successes, odds));
    const failure = odds / (1 + odds);
    const z = zOfLaw(values, (k) =>
      Math.exp(
        logFactorial(k + successes - 1) -
          logFactorial(successes - 1) -
          logFactorial(k) +
          successes * Math.log(1 - failure) +
          k * Math.log(failure),
      ),
    );
    expect(Math.abs(z)).toBeLessThan(4);
  });

  it('has no failures where there is no success to wait for, or none can happen', () => {
    const random = new RandomStream(64, 'none');
    expect(negativeBinomial(random, 0, 3)).toBe(0);
    expect(negativeBinomial(random, 5, 0)).toBe(0);
  });
});
