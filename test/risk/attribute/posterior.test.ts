import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { informationBits, posterior, rank, truthOf } from '../../../shared/risk/attribute/posterior.ts';
import { LOG_ZERO } from '../../../shared/risk/prior/row-priors.ts';

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
    const numbers = fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { minLength: 1, maxLength: 30 });
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

describe('truthOf()', () => {
  const factorOf = (estimates: number[], prior: number[]) => truthOf(Float64Array.from(estimates), Float64Array.from(prior)).logBayesFactor;

  it('weighs the truth against others that weigh too little for a double, before the release and after', () => {
    // The others have the same prior, so that the factor is exp(1) against the mean of exp(3) and exp(0).
    const expected = 1 - Math.log((Math.exp(3) + 1) / 2);
    for (const least of [0, -700, -740, -2000]) expect(factorOf([1, 3, 0], [0, least, least])).toBeCloseTo(expected, 10);
  });

  it('has no factor of a truth beside which nothing is possible', () => {
    expect(factorOf([1, 3, 0], [0, LOG_ZERO, LOG_ZERO])).toBeNaN();
    expect(factorOf([1, 3, 0], [0, LOG_ZERO, -5])).toBeCloseTo(1, 10);
  });
});

describe('informationBits()', () => {
  const bits = (...values: number[]) => informationBits(Float64Array.from(values), 0, values.length);

  it('is zero for equal probabilities and log2 of the candidates for certainty', () => {
    expect(bits(...new Array(8).fill(-3.7))).toBe(0);
    expect(bits(0, -1e4, -1e4, -1e4, -1e4, 1e4, -1e4, -1e4)).toBe(3);
  });

  it('is the divergence from the uniform distribution, in bits, wherever the range lies', () => {
    // 1/2 log2(2) + 2 x 1/4 log2(1) + 0 on four candidates.
    const values = Float64Array.of(99, Math.LN2, 0, 0, -800, 99);
    for (const shift of [0, -3000, 3000]) {
      const shifted = values.map((value) => value + shift);
      expect(informationBits(shifted, 1, 4)).toBeCloseTo(0.5, 12);
    }
  });

  it('is the sum of p log2(C p) over the posterior', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { minLength: 1 }), (list) => {
        const probabilities = posterior(Float64Array.from(list), 0, list.length);
        const sum = probabilities.reduce((total, p) => total + p * Math.log2(p * list.length), 0);
        expect(bits(...list)).toBeCloseTo(sum, 12);
      }),
    );
  });

  it('is never below zero, however its rounding falls', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }), (steps) => {
        expect(bits(...steps.map((step) => step * 1e-16))).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
