import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { informationBits, posterior, rank } from '../../shared/risk/posterior.ts';

describe('posterior()', () => {
  it('is proportional to the exponentials of a range, wherever it lies', () => {
    const values = Float64Array.of(99, Math.log(1), Math.log(2), Math.log(5), 99);
    const expected = [1 / 8, 2 / 8, 5 / 8];
    for (const shift of [0, -3000, 3000]) {
      const shifted = values.map((value) => value + shift);
      for (const [x, p] of posterior(shifted, 1, 3).entries()) expect(p).toBeCloseTo(expected[x]!, 12);
    }
  });

  it('sums to one and leaves its input alone', () => {
    const numbers = fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(numbers, (list) => {
        const values = Float64Array.from(list);
        const total = posterior(values, 0, values.length).reduce((sum, p) => sum + p, 0);
        expect(total).toBeCloseTo(1, 12);
        expect([...values]).toEqual([...Float64Array.from(list)]);
      }),
    );
  });
});

describe('rank()', () => {
  const values = Float64Array.of(100, 3, 5, 3, 1, 5, 3, 100);

  it('is 1 for the largest in the range', () => {
    expect(rank(values, 3, 3, 2)).toBe(1);
    expect(rank(values, 3, 3, 1)).toBe(3);
  });

  it('puts ties at their mean', () => {
    // 5, 5 share ranks 1 and 2; 3, 3, 3 share ranks 3 to 5; 1 is last.
    expect([0, 1, 2, 3, 4, 5].map((x) => rank(values, 1, 6, x))).toEqual([4, 1.5, 4, 6, 1.5, 4]);
  });

  it('adds up to n (n + 1) / 2 over all candidates, ties or not', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 }), (list) => {
        const ties = Float64Array.from(list);
        const total = list.reduce((sum, _, x) => sum + rank(ties, 0, list.length, x), 0);
        expect(total).toBe((list.length * (list.length + 1)) / 2);
      }),
    );
  });
});

describe('informationBits()', () => {
  it('is zero for equal probabilities and log2 of the candidates for certainty', () => {
    expect(informationBits(new Float64Array(8).fill(1 / 8))).toBe(0);
    expect(informationBits(Float64Array.of(0, 0, 1, 0, 0, 0, 0, 0))).toBeCloseTo(3, 14);
  });

  it('is the divergence from the uniform distribution, in bits', () => {
    // 1/2 log2(2) + 2 x 1/4 log2(1) + 0 on four candidates.
    expect(informationBits(Float64Array.of(0.5, 0.25, 0.25, 0))).toBeCloseTo(0.5, 14);
  });

  it('is never below zero, however its rounding falls', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 30 }),
        (weights) => {
          const near = weights.map((weight) => 1 + weight * 1e-16);
          const total = near.reduce((sum, one) => sum + one, 0);
          expect(informationBits(Float64Array.from(near, (one) => one / total))).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
