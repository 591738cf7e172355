import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lgamma, stirlingRemainder } from '../../shared/numeric/gamma-function.ts';
import { log } from '../../shared/numeric/portable-math.ts';
import { LGAMMA_REFERENCES } from './gamma-references.ts';
import { beyondUlps } from './ulps-apart.ts';

describe('lgamma()', () => {
  it('is within three units in the last place of mpmath, beside its zeros too, and six between them', () => {
    expect(beyondUlps(LGAMMA_REFERENCES, lgamma, 6)).toEqual([]);
    const elsewhere = LGAMMA_REFERENCES.filter(([x]) => !(x > 1.05 && x < 1.5));
    expect(elsewhere.length).toBeGreaterThan(100);
    expect(beyondUlps(elsewhere, lgamma, 3)).toEqual([]);
  });

  it('is exactly zero at one and two', () => {
    expect([lgamma(1), lgamma(2)]).toEqual([0, 0]);
  });

  it('is Infinity at both ends, also where it overflows, and NaN for negative numbers and NaN', () => {
    expect([lgamma(0), lgamma(-0), lgamma(Infinity), lgamma(2.6e305)]).toEqual(new Array(4).fill(Infinity));
    expect([-0.5, -1.5, -20.5, -Infinity, NaN].map(lgamma)).toEqual(new Array(5).fill(NaN));
  });

  it('obeys the recurrence of the gamma function across all seams', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e6, noNaN: true }), (x) => {
        // The recurrence itself rounds x + 1, which changes lgamma by its slope times as much: between -0.58 and log(x + 1).
        const scale = Math.abs(lgamma(x)) + Math.abs(log(x)) + (x + 1) * Math.max(0.58, log(x + 1)) + 1;
        expect(Math.abs(lgamma(x + 1) - lgamma(x) - log(x))).toBeLessThan(3 * Number.EPSILON * scale);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('stirlingRemainder()', () => {
  it.each([
    // mpmath 1.4.1 at 60 digits, rounded once.
    [0.25, 0.27251040121343206],
    [1, 0.08106146679532726],
    [2, 0.0413406959554093],
    [2.5, 0.03316287351993629],
    [7.3, 0.011408422368027265],
    [9.999999999999998, 0.008330563433362873],
    [10, 0.00833056343336287],
    [11, 0.007573675487951841],
    [25.5, 0.003267806405762447],
    [100, 0.0008333305556349147],
    [123456, 6.750043200261719e-7],
    [1e9, 8.333333333333333e-11],
    [1e15, 8.333333333333333e-17],
  ])('at %d is that of mpmath, with all its digits where it is small', (x, expected) => {
    const error = x < 10 ? 1e-14 : 4e-16 * expected;
    expect(Math.abs(stirlingRemainder(x) - expected)).toBeLessThan(error);
  });
});
