import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declaredContinuous } from '../../../shared/contracts/continuous.ts';
import { unitScale } from '../../../shared/model/mixed/unit-scale.ts';

const SCALES = ['none', 'log', 'asinh', 'sqrt'] as const;

describe('unitScale()', () => {
  it.each(SCALES)('takes a range of the scale %s to [0, 1] and back', (scale) => {
    const declared = declaredContinuous('X', { range: [0, 1e6], masses: [0], scale, decimals: 2 });
    const { toUnit, fromUnit, released } = unitScale(declared);
    expect([toUnit(0.01), toUnit(1e6)]).toEqual([0, expect.closeTo(1, 14)]);
    const s = { none: (v: number) => v, log: Math.log, asinh: Math.asinh, sqrt: Math.sqrt }[scale];
    const cents = fc.integer({ min: 1, max: 1e8 }).map((value) => value / 100);
    fc.assert(
      fc.property(cents, (value) => {
        const unit = toUnit(value);
        expect(unit).toBeCloseTo((s(value) - s(0.01)) / (s(1e6) - s(0.01)), 12);
        expect(fromUnit(unit) / value).toBeCloseTo(1, 8);
        expect(released(unit)).toBe(value);
      }),
      { numRuns: 200 },
    );
  });

  it('goes through 0 where the scale is asinh', () => {
    const { toUnit, released } = unitScale(declaredContinuous('X', { range: [-1000, 1000], scale: 'asinh' }));
    expect(toUnit(0)).toBe(0.5);
    expect(toUnit(-7)).toBeCloseTo(1 - toUnit(7), 14);
    expect(released(toUnit(-7))).toBe(-7);
  });

  it('releases a number beside a mass, not at it, on its own side, and none outside the range', () => {
    const { toUnit, released } = unitScale(declaredContinuous('X', { range: [0, 10], masses: [0, 5, 6] }));
    expect([5.2, 4.8, 5.9, 6.3, 0.6].map((value) => released(toUnit(value)))).toEqual([7, 4, 4, 7, 1]);
    expect([0, 1].map(released)).toEqual([1, 10]);
  });

  it('has the standard deviation of rounding as the smallest one', () => {
    const smallest = (fields: object) => unitScale(declaredContinuous('X', { range: [1, 101], ...fields })).smallest;
    expect(smallest({})).toBeCloseTo(0.01 / Math.sqrt(12), 12);
    expect(smallest({ decimals: 2 })).toBeCloseTo(0.0001 / Math.sqrt(12), 12);
    // The logarithm of the slope of the logarithm is linear, so that its mean is that in the middle.
    expect(smallest({ scale: 'log' })).toBeCloseTo(1 / Math.sqrt(101) / Math.log(101) / Math.sqrt(12), 12);
  });
});
