import { describe, expect, it } from 'vitest';
import { isWhole, logLowerGamma } from '../../shared/numeric/incomplete-gamma.ts';

/** Q(a, x) of a whole a: the probability of fewer than a events where x are expected. */
function upper(a: number, x: number): number {
  let [term, sum] = [1, 1];
  for (let k = 1; k < a; k++) {
    term *= x / k;
    sum += term;
  }
  return sum * Math.exp(-x);
}

describe('logLowerGamma()', () => {
  it('is the probability of a Poisson count for a whole parameter, by the series and by the fraction', () => {
    for (const a of [1, 2, 5, 12]) {
      for (const x of [0.3, 0.9 * a, a + 0.9, a + 1.1, 2 * a, 4 * a]) {
        // Small x lose digits in the difference from 1, not in the function.
        expect(Math.exp(logLowerGamma(a, x))).toBeCloseTo(1 - upper(a, x), 12);
      }
    }
    // x^a / a! to first order, where the difference from 1 has no digits.
    expect(logLowerGamma(3, 1e-9)).toBeCloseTo(3 * Math.log(1e-9) - Math.log(6), 8);
    expect(logLowerGamma(2, Infinity)).toBe(0);
    expect(logLowerGamma(2, 800)).toBeCloseTo(0, 15);
  });

  it('is the error function of the root for one half (DLMF 7.11.1)', () => {
    for (const [x, erf] of [
      [0.25, 0.5204998778130465],
      [1, 0.8427007929497149],
      [4, 0.9953222650189527],
    ] as const) {
      expect(Math.exp(logLowerGamma(0.5, x))).toBeCloseTo(erf, 13);
      expect(Math.exp(logLowerGamma(1.5, x))).toBeCloseTo(erf - (2 * Math.sqrt(x) * Math.exp(-x)) / Math.sqrt(Math.PI), 13);
    }
  });
});

describe('isWhole()', () => {
  it('is true only where less than 1e-12 is missing', () => {
    for (const a of [1, 3, 20]) {
      for (let x = 0.5; x < 120; x += 0.5) if (isWhole(a, x)) expect(upper(a, x)).toBeLessThan(1e-12);
      expect(isWhole(a, 120)).toBe(true);
      // As far below its mean it is nothing rather than all.
      expect(isWhole(a, 1e-20)).toBe(false);
    }
  });
});
