import { expect, it } from 'vitest';
import { standardDeviation } from '../../shared/numeric/spread.ts';

it('standardDeviation() has the divisor n - 1, whatever the mean', () => {
  expect(standardDeviation([3, 7])).toBeCloseTo(2 * Math.SQRT2, 14);
  expect(standardDeviation(Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9))).toBeCloseTo(Math.sqrt(32 / 7), 14);
  expect(standardDeviation([1002, 1004, 1004, 1004, 1005, 1005, 1007, 1009])).toBeCloseTo(Math.sqrt(32 / 7), 12);
  expect(standardDeviation([5, 5, 5])).toBe(0);
});
