import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digamma, lgamma, stirlingRemainder } from '../../shared/numeric/gamma-function.ts';
import { log } from '../../shared/numeric/portable-math.ts';
import { DIGAMMA_REFERENCES, LGAMMA_REFERENCES } from './gamma-references.ts';
import { beyondUlps, stepUlps } from './ulps-apart.ts';

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
        // The recurrence itself rounds x + 1, which changes lgamma by digamma times as much.
        const scale = Math.abs(lgamma(x)) + Math.abs(log(x)) + (x + 1) * Math.abs(digamma(x + 1)) + 1;
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

describe('digamma()', () => {
  const besideZero = (x: number) => x > 1.2 && x < 1.8;

  it('is within three units in the last place of mpmath, away from its zero', () => {
    const away = DIGAMMA_REFERENCES.filter(([x]) => !besideZero(x));
    expect(away.length).toBeGreaterThan(100);
    expect(beyondUlps(away, digamma, 3)).toEqual([]);
  });

  it('is within 2e-16 of mpmath beside its zero', () => {
    const beside = DIGAMMA_REFERENCES.filter(([x]) => besideZero(x));
    expect(beside.length).toBeGreaterThan(20);
    for (const [x, expected] of beside) expect(Math.abs(digamma(x) - expected), `${x}`).toBeLessThan(2e-16);
  });

  it('is -Infinity at zero and where it overflows, Infinity at Infinity, NaN for negative numbers and NaN', () => {
    expect([digamma(0), digamma(-0), digamma(5e-324)]).toEqual([-Infinity, -Infinity, -Infinity]);
    expect(digamma(Infinity)).toBe(Infinity);
    expect([-0.5, -1.5, -20.5, -Infinity, NaN].map(digamma)).toEqual(new Array(5).fill(NaN));
  });

  it('is the slope of lgamma()', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e4, noNaN: true }), (x) => {
        const step = 2 ** -17 * x;
        const slope = (lgamma(x + step) - lgamma(x - step)) / (2 * step);
        // The third derivative of lgamma is below 2 / x^3 + 2 / x^2 in size.
        const curvature = step * step * (1 / (3 * x ** 3) + 1 / (3 * x * x));
        const rounding = (6 * Number.EPSILON * (Math.abs(lgamma(x)) + 1)) / step;
        expect(Math.abs(digamma(x) - slope)).toBeLessThan(curvature + rounding);
      }),
    );
  });

  it('never falls where its argument rises, beyond its own error', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e9, noNaN: true }), fc.nat(1 << 20), (x, steps) => {
        const value = digamma(x);
        const error = 2e-16 + 3 * Number.EPSILON * Math.abs(value);
        expect(digamma(stepUlps(x, steps))).toBeGreaterThanOrEqual(value - 2 * error);
      }),
      { numRuns: 2_000 },
    );
  });
});
