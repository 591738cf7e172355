import { describe, expect, it } from 'vitest';
import { emptyLikeliest, LIKELIEST, likeliestOf, setLikeliest } from '../../../shared/risk/attribute/likeliest-candidates.ts';

describe('setLikeliest()', () => {
  it('keeps the likeliest of many, the first of those that tie', () => {
    const weights = Float64Array.from({ length: 60 }, (_, x) => 1 + ((7 * x) % 20));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const distribution = weights.map((weight) => weight / total);
    const expected = [...distribution.keys()].sort((a, b) => distribution[b]! - distribution[a]! || a - b).slice(0, LIKELIEST);
    const likeliest = emptyLikeliest(2);
    setLikeliest(likeliest, 1, distribution, null);
    expect(likeliestOf(likeliest, 0)).toEqual([]);
    expect(likeliestOf(likeliest, 1)).toEqual(
      expected.map((candidate) => ({ candidate, before: 1 / 60, after: distribution[candidate]! })),
    );
  });

  it('gives the prior of those that are considered, by their numbers among all', () => {
    const likeliest = emptyLikeliest(1);
    const logPrior = Float64Array.of(Math.log(2), Math.log(6), Math.log(8));
    setLikeliest(likeliest, 0, Float64Array.of(0.2, 0.7, 0.1), logPrior, Uint32Array.of(0, 4, 9));
    const found = likeliestOf(likeliest, 0);
    expect(found.map(({ candidate }) => candidate)).toEqual([4, 0, 9]);
    expect(found.map(({ after }) => after)).toEqual([0.7, 0.2, 0.1]);
    for (const [i, before] of [6 / 16, 2 / 16, 8 / 16].entries()) expect(found[i]!.before).toBeCloseTo(before, 14);
  });
});
