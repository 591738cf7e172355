import { exp, log } from '../../numeric/portable-math.ts';
import { gamma } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { drawSticks, swapWithoutSticks, switchLabels } from '../chains/label-moves.ts';
import type { CellClusters } from './cells.ts';
import { type ArealCells, type ArealParameters, type IterationSettings, PRECISION, type RateLikelihood } from './cells.ts';

/** Below this a sum of weights may have lost digits to underflow. */
const SMALLEST_SUM = 1e-200;

/** Clusters from the heaviest to the lightest: the arrays have an entry a place in this order. */
interface RankedClusters {
  readonly labels: Uint32Array;
  readonly logWeights: Float64Array;
  readonly weights: Float64Array;
  /** Sum of the weights of all places after each. */
  readonly tails: Float64Array;
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
 * Draws a place with probability proportional to its weight times its likelihood, by inversion. Likelihoods, at most 1,
 * are asked for in order, and no further than until the place is the same wherever the sum over all lies: of many light
 * clusters few are looked at, and the distribution is that of all (as in retrospective sampling, Papaspiliopoulos &
 * Roberts 2008, Biometrika 95(1)).
 *
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

/**
 * Draws z of every cell twice: given its log rate (Hu & Savitsky 2018, eq. 8-9), then together with the log rate, which moves along with
 * the mean of its cluster. The first hardly takes a cell with a small count out of its cluster. Both likelihoods are
 * divided by the most that they can be: 1 at a distance of 0, and that of the rate that the count has by itself.
 */
export function allocateCells(
  { patterns, categories, clusters, terms, columns, regressors, logCounts }: ArealCells,
  { logRates, coefficients, logWeights, intercept, precisions }: ArealParameters,
  { clusterOf, sizes }: CellClusters,
  { counts, weights }: RateLikelihood,
  random: RandomSource,
): void {
  const half = 0.5 * precisions[PRECISION.rates]!;
  const width = 1 + regressors;
  const ranked = rankClusters(logWeights);
  // By the places of the clusters; of a pattern as many are known as were asked for.
  const means = new Float64Array(clusters);
  const rates = new Float64Array(clusters);
  let pattern = 0;
  let knownMeans = 0;
  let knownRates = 0;
  // Of the cell that is drawn. Numbers of an object are written in its place, where each of a closure is made anew.
  const own = { logRate: Number.NaN, count: Number.NaN, surplus: Number.NaN, factor: Number.NaN };
  const meanAt = (place: number) => {
    if (place === knownMeans) {
      const from = ranked.labels[place]! * width;
      let mean = intercept[0]!;
      for (let t = pattern * terms; t < (pattern + 1) * terms; t++) mean += coefficients[from + columns[t]!]!;
      means[knownMeans++] = mean;
    }
    return means[place]!;
  };
  const givenRate = (place: number) => {
    const distance = own.logRate - meanAt(place);
    return -half * distance * distance;
  };
  const givenDistance = (place: number) => {
    const mean = meanAt(place);
    if (place === knownRates) rates[knownRates++] = weights[pattern]! * exp(mean);
    return own.count * (mean + own.surplus) - own.factor * rates[place]!;
  };
  sizes.fill(0);
  for (; pattern < patterns; pattern++) {
    knownMeans = 0;
    knownRates = 0;
    const logWeight = log(weights[pattern]!);
    for (let cell = pattern * categories; cell < (pattern + 1) * categories; cell++) {
      own.logRate = logRates[cell]!;
      const distance = own.logRate - means[drawRanked(ranked, givenRate, random)]!;
      own.count = counts[cell]!;
      own.surplus = distance + logWeight - logCounts[cell]! + 1;
      own.factor = exp(distance);
      const place = drawRanked(ranked, givenDistance, random);
      const k = ranked.labels[place]!;
      clusterOf[cell] = k;
      sizes[k]!++;
      logRates[cell] = means[place]! + distance;
    }
  }
}

/**
 * Draws the weights given the clusters of the cells, and returns alpha: the moves, sticks and conditional of alpha of the
 * DPMPM (docs/explanation/synthesizers.md), with cells in the place of records. Coefficients of clusters are drawn
 * afterwards.
 */
export function drawWeights(
  { logWeights }: ArealParameters,
  { clusterOf, sizes }: CellClusters,
  previousAlpha: number,
  { concentration, labelMoves }: IterationSettings,
  random: RandomSource,
): number {
  const clusters = sizes.length;
  const holder = Uint32Array.from({ length: clusters }, (_, k) => k);
  const labelled = { counts: sizes, holder };
  swapWithoutSticks(labelled, previousAlpha, random, labelMoves);
  const sticks = drawSticks(sizes, previousAlpha, random);
  const logRest = sticks.logWeights[clusters - 1]!;
  switchLabels(labelled, sticks, random, labelMoves);
  logWeights.set(sticks.logWeights);
  const labels = new Uint32Array(clusters);
  for (let k = 0; k < clusters; k++) labels[holder[k]!] = k;
  for (let cell = 0; cell < clusterOf.length; cell++) clusterOf[cell] = labels[clusterOf[cell]!]!;
  const alpha =
    'value' in concentration ? concentration.value : gamma(random, concentration.shape + clusters - 1) / (concentration.rate - logRest);
  if (!(alpha < Infinity)) throw new RangeError('the concentration is not a number');
  return alpha;
}
