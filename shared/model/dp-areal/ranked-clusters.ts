import { exp } from '../../numeric/portable-math.ts';
import type { RandomSource } from '../../random/random-source.ts';

/** Below this a sum of weights may have lost digits to underflow. */
const SMALLEST_SUM = 1e-200;

/** Clusters from the heaviest to the lightest: the arrays have an entry a place in this order. */
interface RankedClusters {
  /** Which cluster is in each place. */
  readonly labels: Uint32Array;
  readonly logWeights: Float64Array;
  readonly weights: Float64Array;
  /** Sum of the weights of all places after each. */
  readonly tails: Float64Array;
  /** Room for running sums. */
  readonly sums: Float64Array;
}

/** Puts clusters in order of their log weights, equal ones in that of their labels. */
export function rankClusters(logWeightOf: Float64Array): RankedClusters {
  const labels = Uint32Array.from(logWeightOf.keys()).sort((a, b) => {
    const [first, second] = [logWeightOf[a]!, logWeightOf[b]!];
    if (first === second) return a - b;
    return first > second ? -1 : 1;
  });
  const logWeights = Float64Array.from(labels, (label) => logWeightOf[label]!);
  const weights = logWeights.map(exp);
  const tails = new Float64Array(labels.length);
  for (let place = labels.length - 1; place > 0; place--) tails[place - 1] = tails[place]! + weights[place]!;
  return { labels, logWeights, weights, tails, sums: new Float64Array(labels.length) };
}

/**
 * Draws a place with probability proportional to its weight times its likelihood, by inversion. A likelihood is at most
 * 1, so that the sum over all places is known to lie between that over the first ones and this plus the weights of the
 * rest. Likelihoods are asked for in order, and no further than until the place is the same wherever the sum lies: of
 * many light clusters few are looked at, and the distribution is that of all (as in retrospective sampling,
 * Papaspiliopoulos & Roberts 2008, Biometrika 95(1)).
 *
 * @param logLikelihoodAt of a place; at most 0
 * @throws RangeError when the largest log weight is not a number
 */
export function drawRanked(
  { logWeights, weights, tails, sums }: RankedClusters,
  logLikelihoodAt: (place: number) => number,
  random: RandomSource,
): number {
  const uniform = random.uniform();
  let sum = 0;
  let drawn = 0;
  for (let place = 0; place < weights.length; place++) {
    sum += weights[place]! * exp(logLikelihoodAt(place));
    sums[place] = sum;
    const least = uniform * sum;
    while (drawn < place && sums[drawn]! <= least) drawn++;
    if (sums[drawn]! > uniform * (sum + tails[place]!)) break;
  }
  return sum > SMALLEST_SUM ? drawn : drawnFromLogs(logWeights, logLikelihoodAt, uniform, sums);
}

/** The same, from logarithms of weights of which the largest becomes 1. */
function drawnFromLogs(logWeights: Float64Array, logLikelihoodAt: (place: number) => number, uniform: number, sums: Float64Array): number {
  const logs = logWeights.map((logWeight, place) => logWeight + logLikelihoodAt(place));
  const largest = logs.reduce((most, own) => Math.max(most, own), -Infinity);
  if (!(Math.abs(largest) < Infinity)) throw new RangeError('a cluster weight is not a number');
  let sum = 0;
  for (let place = 0; place < logs.length; place++) {
    sum += exp(logs[place]! - largest);
    sums[place] = sum;
  }
  return sums.findIndex((own) => own > uniform * sum);
}
