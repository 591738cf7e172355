import { describe, expect, it } from 'vitest';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { addedCount } from '../../../shared/model/conjugate/added-count.ts';
import { evaluatePrivacy, privacyUnits, simulatePairs, tabulateIncrease } from '../../../shared/risk/privacy/evaluate-privacy.ts';

const scenarios = [
  { p0: 0.001, epsilon: 100, n: 200, prior: 0.2 },
  { p0: 0.5, epsilon: 2, n: 200, prior: 0.2 },
];

describe('evaluatePrivacy', () => {
  it('simulates the same pairs again, whatever else it simulates, and others by another seed', () => {
    const both = finish(evaluatePrivacy(scenarios, 5, 1)).scenarios;
    const alone = finish(evaluatePrivacy(scenarios.slice(1), 5, 1)).scenarios;
    expect(both[1]).toEqual(alone[0]);
    expect(finish(evaluatePrivacy(scenarios.slice(1), 5, 2)).scenarios[0]!.pairs).not.toEqual(alone[0]!.pairs);
  });

  it('takes the risk of a 0, under the prior of a 0, from a table without a 1', () => {
    const pairs = finish(simulatePairs(scenarios[0]!, 60, 1));
    expect(new Set(pairs.map(({ trueValue }) => trueValue))).toEqual(new Set([0, 1]));
    for (const { ones, trueValue, prior, absolute, relative } of pairs) {
      expect(trueValue).toBe(ones > 0 ? 1 : 0);
      expect(prior).toBe(ones > 0 ? 0.2 : 0.8);
      expect(absolute).toBeCloseTo(prior * relative, 12);
    }
  });

  it('gains on average over pairs what the sum over all of them says', () => {
    const [rare] = scenarios;
    const pairs = finish(simulatePairs(rare!, 4000, 3));
    const gains = pairs.map(({ absolute, prior }) => Math.max(0, absolute - prior));
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1);
    const expected = finish(tabulateIncrease([rare!])).rows[0]!.expectedIncrease;
    expect(Math.abs(mean - expected)).toBeLessThan(4 * Math.sqrt(variance / gains.length));
  });

  it('draws synthetic records by the smoothed share of the table', () => {
    const [, common] = scenarios;
    const alpha = addedCount(common!.epsilon, common!.n);
    const pairs = finish(simulatePairs(common!, 1000, 4));
    // Drawn by the share of the table alone, they would have a variance of 1.25.
    const scores = pairs.map(({ ones, syntheticOnes }) => {
      const share = (ones + alpha) / (common!.n + 2 * alpha);
      return (syntheticOnes - common!.n * share) / Math.sqrt(common!.n * share * (1 - share));
    });
    const mean = scores.reduce((sum, z) => sum + z, 0) / scores.length;
    const variance = scores.reduce((sum, z) => sum + z * z, 0) / scores.length;
    expect(Math.abs(mean)).toBeLessThan(4.5 / Math.sqrt(scores.length));
    expect(Math.abs(variance - 1)).toBeLessThan(4.5 * Math.sqrt(2 / scores.length));
    const slope = pairs.reduce((sum, { ones, syntheticOnes }) => sum + (ones - 100) * (syntheticOnes - 100), 0);
    expect(slope).toBeGreaterThan(0);
  });

  it('tells how far it is, up to the units that it has', () => {
    const steps = [...evaluatePrivacy(scenarios, 5, 1)];
    expect(steps.every((step, index) => index === 0 || step > steps[index - 1]!)).toBe(true);
    expect(steps.at(-1)).toBe(privacyUnits(scenarios, 5));
  });
});
