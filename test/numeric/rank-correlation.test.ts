import { describe, expect, it } from 'vitest';
import { rankCorrelation } from '../../shared/numeric/rank-correlation.ts';

describe('rankCorrelation()', () => {
  it.each([
    // scipy 1.17.1: scipy.stats.spearmanr(a, b).statistic.
    [[1, 2, 2, 4, 5, 5, 5, 8], [3, 1, 4, 4, 2, 6, 9, 7], 0.6112974822990704],
    [[1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233],
    [[0.5, 0.5, 0.5, 2, 3, 3], [9, 8, 8, 8, 1, 2], -0.852573586519139],
  ])('is that of scipy, ties at their mean: %j and %j', (a, b, expected) => {
    const [first, second] = [Float64Array.from(a), Float64Array.from(b)];
    expect(rankCorrelation(first, second)).toBeCloseTo(expected, 14);
    expect(rankCorrelation(second, first)).toBeCloseTo(expected, 14);
    expect([...first]).toEqual(a);
  });

  it('is one for the same order and minus one for the reverse, whatever the values', () => {
    const values = Float64Array.of(-5, 0.1, 3, 1e9);
    expect(rankCorrelation(values, values.map(Math.cbrt))).toBe(1);
    expect(
      rankCorrelation(
        values,
        values.map((value) => -value),
      ),
    ).toBe(-1);
  });

  it('is null where either side is constant, or there is one value or none', () => {
    const varied = Float64Array.of(1, 2, 3);
    expect(rankCorrelation(varied, new Float64Array(3))).toBeNull();
    expect(rankCorrelation(new Float64Array(3), varied)).toBeNull();
    expect(rankCorrelation(Float64Array.of(1), Float64Array.of(2))).toBeNull();
    expect(rankCorrelation(new Float64Array(0), new Float64Array(0))).toBeNull();
  });
});
