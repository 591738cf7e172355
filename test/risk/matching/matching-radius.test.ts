import { describe, expect, it } from 'vitest';
import { isSameValue, widthRule } from '../../../shared/risk/matching/radius-grid.ts';

describe('widthRule()', () => {
  it('is a share of the true value, or a distance, one part in 10^9 wider than written', () => {
    expect(widthRule({ relative: 0.1 })).toEqual({ scale: 0.1 * (1 + 1e-9), offset: 0 });
    expect(widthRule({ absolute: 500 })).toEqual({ scale: 0, offset: 500 * (1 + 1e-9) });
  });

  it('matches everything where it is infinite, around zero as well', () => {
    const everything = { scale: 0, offset: Number.POSITIVE_INFINITY };
    expect(widthRule({ relative: Number.POSITIVE_INFINITY })).toEqual(everything);
    expect(widthRule({ absolute: Number.POSITIVE_INFINITY })).toEqual(everything);
  });
});

describe('isSameValue()', () => {
  it.each([
    [1234.5, 1234.5, true],
    [0, 0, true],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
    [1, 1 + 5e-10, true],
    [1 + 5e-10, 1, true],
    [-1e6, -1e6 - 5e-4, true],
    [1, 1 + 2e-9, false],
    [1e6, 1e6 + 2e-3, false],
    [1e-6, 2e-6, false],
    [1, -1, false],
    [0, 1e-12, false],
    [1e-12, 0, false],
  ])('of %d and %d is %s', (a, b, expected) => {
    expect(isSameValue(a, b)).toBe(expected);
  });
});
