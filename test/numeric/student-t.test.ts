import { describe, expect, it } from 'vitest';
import { studentHalfWidth } from '../../shared/numeric/student-t.ts';

describe('studentHalfWidth()', () => {
  // qt(0.975, df) of R 4.2.2.
  it.each([
    [0.3, 6582.0356994008],
    [1, 12.7062047361747],
    [2.5, 3.57465484200369],
    [4, 2.77644510519779],
    [30, 2.0422724563012],
    [1000, 1.96233908082641],
    [1e6, 1.95996635681411],
    [Infinity, 1.95996398454005],
  ])('is the quantile of R for %d degrees of freedom', (df, expected) => {
    expect(Math.abs(studentHalfWidth(df) / expected - 1)).toBeLessThan(1e-12);
  });

  it('goes over into the series without a step', () => {
    expect(studentHalfWidth(9_999.999) - studentHalfWidth(10_000.001)).toBeLessThan(1e-9);
    expect(studentHalfWidth(9_999.999)).toBeGreaterThan(studentHalfWidth(10_000.001));
  });

  it('is infinite where no number is large enough', () => {
    expect(studentHalfWidth(0.005)).toBe(Infinity);
  });
});
