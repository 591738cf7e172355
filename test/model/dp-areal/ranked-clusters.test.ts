import { describe, expect, it } from 'vitest';
import { drawRanked, rankClusters } from '../../../shared/model/dp-areal/clusters.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

const CLUSTERS = 30;

/** Log weights and log likelihoods of clusters, the likelihoods all so many nats below what they may be. */
function drawLogs(random: RandomStream, below: number) {
  const draw = (scale: number) => Float64Array.from({ length: CLUSTERS }, () => scale * Math.log(random.uniform()));
  return { logWeights: draw(4), logLikelihoods: draw(3).map((value) => value - below) };
}

/** What inversion of the sums over all clusters gives, in the order of their weights. */
function drawnFromAll(logWeights: Float64Array, logLikelihoods: Float64Array, uniform: number): number {
  const order = [...logWeights.keys()].sort((a, b) => logWeights[b]! - logWeights[a]!);
  const largest = Math.max(...logLikelihoods);
  const weights = order.map((k) => Math.exp(logWeights[k]! + logLikelihoods[k]! - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  const place = weights.findIndex((weight) => {
    sum += weight;
    return sum > uniform * total;
  });
  return order[place]!;
}

describe('drawRanked()', () => {
  it.each([
    ['as they are', 0],
    ['a little below what they may be', 5],
    ['so small that they underflow', 800],
  ])('draws what all clusters would, with likelihoods %s', (_, below) => {
    const random = new RandomStream(71, 'ranked');
    for (let i = 0; i < 2000; i++) {
      const { logWeights, logLikelihoods } = drawLogs(random, below);
      const ranked = rankClusters(logWeights);
      const name = `ranked/${i}`;
      const place = drawRanked(ranked, (at) => logLikelihoods[ranked.labels[at]!]!, new RandomStream(72, name));
      const uniform = new RandomStream(72, name).uniform();
      expect(ranked.labels[place]).toBe(drawnFromAll(logWeights, logLikelihoods, uniform));
    }
  });

  it('looks at no more clusters than decide it', () => {
    const ranked = rankClusters(Float64Array.from({ length: CLUSTERS }, (_, k) => -5 * k));
    let asked = 0;
    for (let i = 0; i < 100; i++) {
      drawRanked(
        ranked,
        () => {
          asked++;
          return 0;
        },
        new RandomStream(73, `few/${i}`),
      );
    }
    expect(asked).toBeLessThan(300);
  });

  it('refuses weights that are not numbers', () => {
    const random = new RandomStream(74, 'nan');
    expect(() => drawRanked(rankClusters(new Float64Array(3)), () => Number.NaN, random)).toThrow(RangeError);
  });
});
