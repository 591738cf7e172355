import { exp } from '../numeric/portable-math.ts';
import { categoricalFromSums, gamma } from '../random/distributions.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { ArealCells } from './dp-areal-cells.ts';
import type { RateLikelihood } from './dp-areal-interweaving.ts';
import { type ArealParameters, PRECISION } from './dp-areal-latent.ts';
import { swapWithoutSticks, switchLabels } from './label-moves.ts';
import { drawSticks } from './sticks.ts';

/** A cluster this many nats behind the likeliest one has nothing left beside it in double precision. */
const NEGLIGIBLE = 40;

/** Which cluster each cell is in, and how many cells each cluster has. */
export interface CellClusters {
  /** z, one entry a cell. */
  readonly clusterOf: Uint32Array;
  readonly sizes: Float64Array;
}

/** Means of log rates: mu + theta*_k + the phi*_k of a pattern; patterns x clusters. */
export function clusterMeans(cells: ArealCells, parameters: ArealParameters, means: Float64Array): void {
  const { patterns, clusters, terms, columns, regressors } = cells;
  const { coefficients, intercept } = parameters;
  const width = 1 + regressors;
  for (let b = 0; b < patterns; b++) {
    for (let k = 0; k < clusters; k++) {
      let mean = intercept[0]!;
      for (let t = 0; t < terms; t++) mean += coefficients[k * width + columns[b * terms + t]!]!;
      means[b * clusters + k] = mean;
    }
  }
}

/** Draws a cluster from log weights, which it overwrites. */
function drawCluster(logWeights: Float64Array, random: RandomStream): number {
  const clusters = logWeights.length;
  let largest = -Infinity;
  for (let k = 0; k < clusters; k++) if (logWeights[k]! > largest) largest = logWeights[k]!;
  if (!(Math.abs(largest) < Infinity)) throw new RangeError('a cluster weight is not a number');
  let sum = 0;
  for (let k = 0; k < clusters; k++) {
    const behind = logWeights[k]! - largest;
    if (behind > -NEGLIGIBLE) sum += exp(behind);
    logWeights[k] = sum;
  }
  return categoricalFromSums(random, logWeights, 0, clusters);
}

/** Draws z of every cell given the log rates and all clusters (001 eq. 8-9). */
export function allocateCells(
  { patterns, categories, clusters }: ArealCells,
  { logRates, logWeights, precisions }: ArealParameters,
  means: Float64Array,
  { clusterOf, sizes }: CellClusters,
  random: RandomStream,
): void {
  const half = 0.5 * precisions[PRECISION.rates]!;
  const own = new Float64Array(clusters);
  sizes.fill(0);
  for (let b = 0; b < patterns; b++) {
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const logRate = logRates[cell]!;
      for (let k = 0; k < clusters; k++) {
        const distance = logRate - means[b * clusters + k]!;
        own[k] = logWeights[k]! - half * distance * distance;
      }
      const k = drawCluster(own, random);
      clusterOf[cell] = k;
      sizes[k]!++;
    }
  }
}

/**
 * Moves every cell to a cluster, and its log rate along, so that what it lies from its mean stays: z is drawn given the
 * count and this distance. {@link allocateCells} draws the same given the log rate, which of a cell with a small count
 * hardly leaves its cluster.
 */
export function moveCells(
  { patterns, categories, clusters }: ArealCells,
  { logRates, logWeights }: ArealParameters,
  means: Float64Array,
  { clusterOf, sizes }: CellClusters,
  { counts, weights }: RateLikelihood,
  random: RandomStream,
): void {
  const own = new Float64Array(clusters);
  const rates = new Float64Array(clusters);
  sizes.fill(0);
  for (let b = 0; b < patterns; b++) {
    for (let k = 0; k < clusters; k++) rates[k] = weights[b]! * exp(means[b * clusters + k]!);
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const distance = logRates[cell]! - means[b * clusters + clusterOf[cell]!]!;
      const factor = exp(distance);
      const count = counts[cell]!;
      for (let k = 0; k < clusters; k++) {
        own[k] = logWeights[k]! + count * means[b * clusters + k]! - factor * rates[k]!;
      }
      const k = drawCluster(own, random);
      clusterOf[cell] = k;
      sizes[k]!++;
      logRates[cell] = means[b * clusters + k]! + distance;
    }
  }
}

/**
 * Draws the weights given the clusters of the cells, with as many moves between labels as asked for: the moves, sticks and
 * conditional of alpha of the DPMPM (docs/estimators.md), with cells in the place of records. Clusters change their
 * labels with their cells; their coefficients are drawn afterwards.
 *
 * @returns alpha
 */
export function drawWeights(
  { logWeights }: ArealParameters,
  { clusterOf, sizes }: CellClusters,
  previousAlpha: number,
  prior: { readonly shape: number; readonly rate: number } | { readonly value: number },
  labelMoves: number,
  random: RandomStream,
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
    'value' in prior ? prior.value : gamma(random, prior.shape + clusters - 1) / (prior.rate - logRest);
  if (!(alpha < Infinity)) throw new RangeError('the concentration is not a number');
  return alpha;
}
