import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exp, expm1, LN2, log, log1p } from '../../shared/numeric/portable-math.ts';
import { EXP_REFERENCES, EXPM1_REFERENCES, LOG_REFERENCES, LOG1P_REFERENCES } from './references.ts';
import { beyondUlps, stepUlps, ulpsApart } from './ulps-apart.ts';

describe('ulpsApart()', () => {
  it('counts doubles, across zero and into the subnormal range', () => {
    expect(ulpsApart(1, 1 + Number.EPSILON)).toBe(1);
    expect(ulpsApart(1, 1 - Number.EPSILON / 2)).toBe(1);
    expect(ulpsApart(0, -0)).toBe(0);
    expect(ulpsApart(-Number.MIN_VALUE, Number.MIN_VALUE)).toBe(2);
    expect(ulpsApart(Number.MAX_VALUE, Infinity)).toBe(1);
    expect(ulpsApart(NaN, NaN)).toBe(Infinity);
  });

  it('is undone by stepUlps()', () => {
    expect(stepUlps(1, 1)).toBe(1 + Number.EPSILON);
    expect(stepUlps(Number.MIN_VALUE, -2)).toBe(-Number.MIN_VALUE);
    expect(stepUlps(-1, 1)).toBe(-1 + Number.EPSILON / 2);
  });
});

describe('log()', () => {
  it('is within one unit in the last place of mpmath', () => {
    expect(beyondUlps(LOG_REFERENCES, log, 1)).toEqual([]);
  });

  it('is -Infinity at zero, NaN below it and for NaN, Infinity at Infinity', () => {
    expect(log(0)).toBe(-Infinity);
    expect(log(-0)).toBe(-Infinity);
    expect(log(-Number.MIN_VALUE)).toBeNaN();
    expect(log(-Infinity)).toBeNaN();
    expect(log(NaN)).toBeNaN();
    expect(log(Infinity)).toBe(Infinity);
  });

  it('is exactly zero at one', () => {
    expect(log(1)).toBe(0);
  });

  it('takes every power of two to a whole multiple of log 2, within one unit', () => {
    for (let k = -1074; k <= 1023; k++) {
      const power = k < -1022 ? Number.MIN_VALUE * 2 ** (k + 1074) : 2 ** k;
      expect(ulpsApart(log(power), k * LN2), `2^${k}`).toBeLessThanOrEqual(1);
    }
  });

  it('is additive over products, to rounding', () => {
    const factor = fc.double({ min: 1e-150, max: 1e150, noNaN: true });
    fc.assert(
      fc.property(factor, factor, (a, b) => {
        const scale = Math.abs(log(a)) + Math.abs(log(b)) + 1;
        expect(Math.abs(log(a * b) - log(a) - log(b))).toBeLessThan(4 * Number.EPSILON * scale);
      }),
    );
  });

  it('never falls where its argument rises by far less than its own error allows', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, minExcluded: true, noDefaultInfinity: true, noNaN: true }),
        fc.integer({ min: 1, max: 1 << 20 }),
        (x, steps) => {
          const larger = stepUlps(x, steps);
          fc.pre(larger < Infinity);
          // Both values are within a unit of the truth, which rises: so at most two units can be lost.
          expect(log(larger)).toBeGreaterThanOrEqual(stepUlps(log(x), -2));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('exp()', () => {
  it('is within one unit in the last place of mpmath, subnormal results too', () => {
    expect(beyondUlps(EXP_REFERENCES, exp, 1)).toEqual([]);
  });

  it('is one at zero, NaN for NaN, and 0 and Infinity at the ends', () => {
    expect(exp(0)).toBe(1);
    expect(exp(-0)).toBe(1);
    expect(exp(NaN)).toBeNaN();
    expect(exp(Infinity)).toBe(Infinity);
    expect(exp(-Infinity)).toBe(0);
  });

  it('overflows and underflows at the very doubles where the true value does', () => {
    expect(exp(709.782712893384)).toBeLessThan(Infinity);
    expect(exp(stepUlps(709.782712893384, 1))).toBe(Infinity);
    expect(exp(-745.1332191019411)).toBe(Number.MIN_VALUE);
    expect(exp(stepUlps(-745.1332191019411, -1))).toBe(0);
  });

  it('undoes log(), as far as the rounding of its argument allows', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-307, max: 1e307, noNaN: true }), (x) => {
        const y = log(x);
        expect(Math.abs(exp(y) / x - 1)).toBeLessThan((2 + Math.abs(y)) * Number.EPSILON);
      }),
    );
  });

  it('never falls where its argument rises, beyond its own error', () => {
    fc.assert(
      fc.property(fc.double({ min: -750, max: 710, noNaN: true }), fc.integer({ min: 1, max: 1 << 20 }), (x, steps) => {
        expect(exp(stepUlps(x, steps))).toBeGreaterThanOrEqual(stepUlps(exp(x), -2));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('log1p()', () => {
  it('is within one unit in the last place of mpmath', () => {
    expect(beyondUlps(LOG1P_REFERENCES, log1p, 1)).toEqual([]);
  });

  it('is -Infinity at -1, NaN below it and for NaN, Infinity at Infinity, and keeps the sign of zero', () => {
    expect(log1p(-1)).toBe(-Infinity);
    expect(log1p(stepUlps(-1, -1))).toBeNaN();
    expect(log1p(NaN)).toBeNaN();
    expect(log1p(Infinity)).toBe(Infinity);
    expect(log1p(0)).toBe(0);
    expect(log1p(-0)).toBe(-0);
  });
});

describe('expm1()', () => {
  it('is within one unit in the last place of mpmath', () => {
    expect(beyondUlps(EXPM1_REFERENCES, expm1, 1)).toEqual([]);
  });

  it('is -1 at -Infinity, Infinity at Infinity, NaN for NaN, and keeps the sign of zero', () => {
    expect(expm1(-Infinity)).toBe(-1);
    expect(expm1(Infinity)).toBe(Infinity);
    expect(expm1(stepUlps(709.782712893384, 1))).toBe(Infinity);
    expect(expm1(NaN)).toBeNaN();
    expect(expm1(0)).toBe(0);
    expect(expm1(-0)).toBe(-0);
  });

  it('undoes log1p(), as far as the rounding of its argument allows', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.999, max: 1e300, noNaN: true }), (x) => {
        const y = log1p(x);
        // exp(y) = 1 + x multiplies what y lost.
        const allowed = (1 + x) * Math.abs(y) + 3 * Math.abs(x);
        expect(Math.abs(expm1(y) - x)).toBeLessThanOrEqual(allowed * Number.EPSILON);
      }),
      { numRuns: 2_000 },
    );
  });
});
