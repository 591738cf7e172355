import { expect, it } from 'vitest';
import { addedCount } from '../../../shared/model/conjugate/added-count.ts';
import { logBayesFactor, riskUnderPrior } from '../../../shared/risk/privacy/bayes-factor.ts';

it('is the example of McClure & Reiter 2012, section 3.2: a risk of .88 from X* = 3 with one 1 among 1000 records, epsilon 1000', () => {
  const alpha = addedCount(1000, 1000);
  expect(alpha).toBeCloseTo(0.58, 2);
  const factor = logBayesFactor({ records: 1000, ones: 1, draws: 1000, syntheticOnes: 3, alpha });
  expect(riskUnderPrior(factor, 0.5).absolute).toBeCloseTo(0.88, 2);
});

it('is the ratio of binomial probabilities of McClure & Reiter 2012, eq. 5, of a 0 in a table without a 1', () => {
  for (const { n, draws, epsilon } of [
    { n: 6, draws: 6, epsilon: 2 },
    { n: 4, draws: 9, epsilon: 30 },
  ]) {
    const alpha = addedCount(epsilon, draws);
    const likelihood = (ones: number, syntheticOnes: number) => {
      const p = (ones + alpha) / (n + 2 * alpha);
      return p ** syntheticOnes * (1 - p) ** (draws - syntheticOnes);
    };
    for (let ones = 0; ones <= n; ones++) {
      for (let syntheticOnes = 0; syntheticOnes <= draws; syntheticOnes++) {
        const other = ones > 0 ? ones - 1 : 1;
        const ratio = likelihood(ones, syntheticOnes) / likelihood(other, syntheticOnes);
        const found = logBayesFactor({ records: n, ones, draws, syntheticOnes, alpha });
        expect(found).toBeCloseTo(Math.log(ratio), 10);
        expect(Math.abs(found)).toBeLessThanOrEqual(epsilon * (1 + 1e-12));
      }
    }
  }
});
