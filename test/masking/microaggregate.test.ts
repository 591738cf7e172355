import { describe, expect, it } from 'vitest';
import { aggregated, countGroups, rankingGroups } from '../../shared/masking/microaggregate.ts';

const values = Float64Array.of(9, 1, 5, 2, 30, 6, 4, 8);

describe('individual ranking', () => {
  it('puts k neighbours together, and what is left over into the last group', () => {
    const groups = rankingGroups(values, 3);
    expect([...groups]).toEqual([1, 0, 1, 0, 1, 1, 0, 1]);
    expect([...aggregated(values, groups, 'mean')]).toEqual([11.6, 7 / 3, 11.6, 7 / 3, 11.6, 11.6, 7 / 3, 11.6]);
    expect([...aggregated(values, groups, 'median')]).toEqual([8, 2, 8, 2, 8, 8, 2, 8]);
  });

  it('takes the mean of the middle two for the median of an even number', () => {
    expect([...aggregated(values, rankingGroups(values, 4), 'median')]).toEqual([8.5, 3, 3, 3, 8.5, 8.5, 3, 8.5]);
  });

  it('keeps the sum, forms floor(n / k) groups, and is one group for k above n / 2', () => {
    const sum = (numbers: Float64Array) => numbers.reduce((a, b) => a + b, 0);
    for (let k = 2; k <= values.length; k++) {
      const groups = rankingGroups(values, k);
      expect(countGroups(groups)).toBe(Math.floor(values.length / k));
      expect(sum(aggregated(values, groups, 'mean'))).toBeCloseTo(sum(values), 10);
    }
  });

  it('divides equal values by the order of the table', () => {
    expect([...rankingGroups(Float64Array.of(1, 1, 1, 1), 2)]).toEqual([0, 0, 1, 1]);
  });
});
