import { describe, expect, it } from 'vitest';
import { quantile } from '../../shared/numeric/quantile.ts';

describe('quantile()', () => {
  const sorted = Float64Array.of(1, 2, 4, 8, 16, 32);

  it.each([
    // (n - 1) p = 5 p steps from the first value.
    [0, 1],
    [0.05, 1.25],
    [0.25, 2.5],
    [0.5, 6],
    [0.7, 12],
    [0.9, 24],
    [1, 32],
  ])('interpolates between the two values beside it, at %d', (probability, expected) => {
    expect(quantile(sorted, probability)).toBeCloseTo(expected, 12);
  });

  it('is the only value there is', () => {
    for (const probability of [0, 0.3, 1]) expect(quantile(Float64Array.of(7), probability)).toBe(7);
  });

  it('is a tie to the last bit, between any of its values', () => {
    const tie = 0.1 + 0.2;
    const values = new Float64Array(8).fill(tie);
    for (let p = 0; p <= 1; p += 0.001) expect(quantile(values, p)).toBe(tie);
  });
});
