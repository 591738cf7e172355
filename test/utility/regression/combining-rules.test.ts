import { describe, expect, it } from 'vitest';
import { studentHalfWidth } from '../../../shared/numeric/student-t.ts';
import { combineEstimates, intervalOverlap } from '../../../shared/utility/regression/combining-rules.ts';

const of = (se: number, ...estimates: number[]) => estimates.map((estimate) => ({ estimate, se }));
/** An interval of Student's t. */
const interval = (estimate: number, variance: number, df: number) => {
  const half = Math.sqrt(variance) * studentHalfWidth(df);
  const close = (value: number) => expect.closeTo(value, 12);
  return {
    estimate,
    se: close(Math.sqrt(variance)),
    df: df === Infinity ? null : close(df),
    low: close(estimate - half),
    high: close(estimate + half),
  };
};

describe('combineEstimates()', () => {
  it('adds the variance between datasets to that within them for partial synthesis (Reiter 2003)', () => {
    // b = 2, u = 1 / 4: T = 2 / 2 + 1 / 4, with (1 + 2 x 1 / 4 / 2)^2 degrees of freedom.
    expect(combineEstimates(of(0.5, 1, 3), 'partial')).toEqual(interval(2, 1.25, 1.5625));
    expect(combineEstimates(of(0.5, 2, 2), 'partial')).toEqual(interval(2, 0.25, Infinity));
  });

  it('takes the variance within datasets off for full synthesis, or is that alone (Raghunathan et al. 2003, Reiter 2002)', () => {
    // b = 1, u = 1 / 4: T = 4 / 3 - 1 / 4, with 2 (1 - 3 / 16)^2 degrees of freedom.
    expect(combineEstimates(of(0.5, 1, 2, 3), 'full')).toEqual(interval(2, 13 / 12, 2 * (13 / 16) ** 2));
    expect(combineEstimates(of(0.5, 2, 2), 'full', 3)).toEqual(interval(2, 0.75, Infinity));
  });

  it('has no interval below one degree of freedom, and no error from one dataset', () => {
    // b = 2, u = 1: (1 - 1 / 3)^2 degrees of freedom.
    const few = combineEstimates(of(1, 1, 3), 'full');
    expect(few).toMatchObject({ estimate: 2, se: expect.closeTo(Math.SQRT2, 12), df: expect.closeTo(4 / 9, 12), low: null, high: null });
    expect(few.reason).toBeDefined();
    expect(combineEstimates(of(1, 5), 'partial')).toMatchObject({ estimate: 5, se: null, df: null, low: null, high: null });
  });
});

describe('intervalOverlap()', () => {
  it('is the mean share of each that lies in the other, below 0 where they are apart', () => {
    expect(intervalOverlap({ low: 0, high: 4 }, { low: 2, high: 4 })).toBe(0.75);
    expect(intervalOverlap({ low: 2, high: 4 }, { low: 0, high: 3 })).toBeCloseTo((1 / 2 + 1 / 3) / 2, 12);
    expect(intervalOverlap({ low: 0, high: 1 }, { low: 3, high: 4 })).toBe(-2);
    expect(intervalOverlap({ low: 1, high: 2 }, { low: 1, high: 2 })).toBe(1);
  });
});
