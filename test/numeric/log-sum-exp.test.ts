import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';

describe('logSumExp()', () => {
  it('adds in the linear scale', () => {
    const values = [0.1, 2, 3.5, 0.0001];
    const sum = values.reduce((total, value) => total + value, 0);
    expect(logSumExp(Float64Array.from(values, Math.log))).toBeCloseTo(Math.log(sum), 14);
  });

  it('neither overflows nor underflows', () => {
    expect(logSumExp(Float64Array.of(1000, 1000))).toBeCloseTo(1000 + Math.LN2, 12);
    expect(logSumExp(Float64Array.of(-5000, -5000, -5000))).toBeCloseTo(-5000 + Math.log(3), 12);
    expect(logSumExp(Float64Array.of(800, -800))).toBe(800);
  });

  it('takes only the range it is told', () => {
    const values = Float64Array.of(100, 1, 2, 100);
    expect(logSumExp(values, 1, 3)).toBeCloseTo(Math.log(Math.E + Math.E ** 2), 14);
    expect(logSumExp(values, 1)).toBeCloseTo(100, 12);
    // Beside values that would leave nothing of those within.
    const apart = Float64Array.of(1e6, 1, 2, 1e6);
    expect(logSumExp(apart, 1, 3)).toBeCloseTo(Math.log(Math.E + Math.E ** 2), 14);
  });

  it('is -Infinity for nothing, and for nothing but -Infinity', () => {
    expect(logSumExp(new Float64Array(0))).toBe(-Infinity);
    expect(logSumExp(Float64Array.of(3, 4), 1, 1)).toBe(-Infinity);
    expect(logSumExp(Float64Array.of(-Infinity, -Infinity))).toBe(-Infinity);
    expect(logSumExp(Float64Array.of(-Infinity, 2))).toBe(2);
  });

  it('moves with its values by any shift', () => {
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), fc.integer({ min: -5000, max: 5000 }), (values, shift) => {
        const moved = logSumExp(Float64Array.from(values, (one) => one + shift));
        expect(moved - shift).toBeCloseTo(logSumExp(Float64Array.from(values)), 10);
      }),
    );
  });
});
