import { inverse } from '../../numeric/cholesky.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { gamma } from '../../random/distributions.ts';
import { logRate } from '../../random/log-rate.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { ArealCells, IterationSettings, RateLikelihood } from './cells.ts';
import { allocateCells, drawWeights } from './clusters.ts';
import { drawCoefficients, drawEmptyClusters } from './coefficients.ts';
import { dividedByScales, effectsOfClusters, updateCovariance } from './covariance.ts';
import { type CellGroups, groupCells, groupMeans } from './groups.ts';
import { moveCoefficients } from './interweaving.ts';
import { type ArealParameters, PRECISION } from './latent.ts';
import { drawPrecisions } from './precisions.ts';
import { moveCoefficientScales } from './scale-moves.ts';

/** What an iteration gives beside the parameters. */
export interface IterationResult {
  /** alpha. */
  readonly concentration: number;
  /** Clusters that hold at least one cell. */
  readonly occupied: number;
}

/**
 * The weight of exp(l) in the likelihood of the log rates of each pattern. Without synthetic records it is 1. With S of
 * them their likelihood has the factor (sum of lambda)^-S, which is the integral of u^(S-1) exp(-u sum of lambda) over
 * u, up to a constant: u is drawn from its gamma, and given u the log rates are independent with weight 1 + u.
 */
function drawRateWeights(
  { patterns, categories, syntheticRecords }: ArealCells,
  logRates: Float64Array,
  random: RandomSource,
): Float64Array {
  const weights = new Float64Array(patterns).fill(1);
  for (let b = 0; b < patterns; b++) {
    const records = syntheticRecords[b]!;
    if (records === 0) continue;
    let total = 0;
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) total += exp(logRates[cell]!);
    weights[b]! += gamma(random, records) / total;
  }
  return weights;
}

/** Draws the log rates given their counts, weights and means (001 eq. 7-8). */
function drawLogRates(
  { patterns, categories }: ArealCells,
  { logRates, precisions }: ArealParameters,
  { groupOf }: CellGroups,
  { counts, weights, means }: RateLikelihood & { readonly means: Float64Array },
  random: RandomSource,
): void {
  const tau = precisions[PRECISION.rates]!;
  for (let b = 0; b < patterns; b++) {
    const logWeight = log(weights[b]!);
    for (let cell = b * categories; cell < (b + 1) * categories; cell++) {
      const mean = means[groupOf[cell]!]!;
      logRates[cell] = logRate(random, counts[cell]!, mean + logWeight, tau) - logWeight;
    }
  }
}

/**
 * One iteration of the sampler of DP-areal, in place of the parameters (docs/explanation/estimators.md).
 *
 * @param alpha before the iteration
 * @throws RangeError when a conditional distribution is not of numbers
 */
export function iterate(
  cells: ArealCells,
  parameters: ArealParameters,
  alpha: number,
  settings: IterationSettings,
  random: RandomSource,
): IterationResult {
  const { clusters, regressors, allCounts: counts } = cells;
  const { logRates, coefficients, scales, correlations } = parameters;
  const allocation = { clusterOf: new Uint32Array(counts.length), sizes: new Float64Array(clusters) };
  const likelihood = { counts, weights: drawRateWeights(cells, logRates, random) };
  allocateCells(cells, parameters, allocation, likelihood, random);
  const newAlpha = drawWeights(parameters, allocation, alpha, settings, random);

  const groups = groupCells(cells, allocation);
  const before = inverse(correlations, regressors);
  const inverseCovariance = dividedByScales(before, scales);
  drawCoefficients(cells, parameters, groups, inverseCovariance, random);
  moveCoefficients(cells, parameters, groups, { ...likelihood, inverseCovariance }, random);

  const means = groupMeans(cells, parameters, groups);
  moveCoefficientScales(cells, parameters, groups, means, random);
  drawPrecisions(cells, parameters, groups, means, random);
  const effects = effectsOfClusters(coefficients, allocation.sizes, regressors);
  updateCovariance(parameters, before, effects, random);
  const after = dividedByScales(inverse(correlations, regressors), scales);
  drawEmptyClusters(cells, parameters, allocation, after, random);
  drawLogRates(cells, parameters, groups, { ...likelihood, means }, random);

  let occupied = 0;
  for (const size of allocation.sizes) if (size > 0) occupied++;
  return { concentration: newAlpha, occupied };
}
