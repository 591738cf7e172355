import { describe, expect, it } from 'vitest';
import { type ChainDraws, someDraws } from '../../../shared/model/chains/chain-draws.ts';
import { halfOf, ratioMeans, weightedRatioMeans } from '../../../shared/risk/scoring/ratio-means.ts';
import type { RatioScorer } from '../../../shared/risk/scoring/ratio-scorer.ts';

/** Three draws of one class and two categories; the scorer below gives 1 and the ratio of the categories. */
const draws: ChainDraws = {
  draws: 3,
  classes: 1,
  categories: 2,
  weights: Float64Array.of(1, 1, 1),
  probabilities: Float64Array.of(0.5, 0.5, 0.25, 0.75, 0.2, 0.8),
  concentration: new Float64Array(3),
  occupiedClasses: new Uint16Array(3),
  logLikelihood: new Float64Array(3),
};
const scorer: RatioScorer = (weights, probabilities, ratios) => {
  ratios.set([weights[0]!, probabilities[1]! / probabilities[0]!]);
};

describe('ratioMeans()', () => {
  it('averages the ratios and their squares over draws, each draw with its own parameters', () => {
    const { mean, meanSquare } = ratioMeans(scorer, draws, 2);
    expect(mean[0]).toBe(1);
    expect(mean[1]).toBeCloseTo((1 + 3 + 4) / 3, 14);
    expect(meanSquare[1]).toBeCloseTo((1 + 9 + 16) / 3, 14);
  });
});

it('the log weights of each draw go to its own rows', () => {
  const weighing: RatioScorer = (_, probabilities, ratios, logWeights) => {
    ratios.fill(1);
    logWeights?.set([probabilities[0]!, probabilities[1]!]);
  };
  for (const half of [0, halfOf(3)]) {
    const found = new Float64Array(6);
    ratioMeans(weighing, draws, 2, half, found);
    expect([...found]).toEqual([...draws.probabilities]);
  }
});

describe('the half of a chain', () => {
  it('is averaged by itself beside all draws: of three the first two', () => {
    const { mean, meanSquare, firstHalf } = ratioMeans(scorer, draws, 2, halfOf(3));
    expect(mean[1]).toBeCloseTo(8 / 3, 14);
    expect(meanSquare[1]).toBeCloseTo(26 / 3, 14);
    expect(firstHalf![1]).toBeCloseTo(2, 14);
  });

  it('is none of a single draw', () => {
    const { mean, firstHalf } = ratioMeans(scorer, someDraws(draws, 1, 2), 2, halfOf(1));
    expect([mean[1], firstHalf]).toEqual([3, null]);
  });
});

describe('weightedRatioMeans()', () => {
  it('averages under each set of weights, which are given in logs and need no scale', () => {
    const sets = [
      Float64Array.of(-5000, -5000 + Math.log(2), -5000 + Math.log(3)),
      Float64Array.of(0, 0, 0),
      Float64Array.of(-2000, -100, -2000),
    ];
    const [weighted, equal, single] = weightedRatioMeans(scorer, draws, 2, sets);
    expect(weighted![1]).toBeCloseTo((1 + 2 * 3 + 3 * 4) / 6, 12);
    expect(equal![1]).toBeCloseTo(8 / 3, 12);
    expect(single![1]).toBeCloseTo(3, 12);
    for (const means of [weighted, equal, single]) expect(means![0]).toBeCloseTo(1, 12);
  });
});
