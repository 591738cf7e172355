import { inverse } from '../../numeric/cholesky.ts';
import { lgamma } from '../../numeric/gamma-function.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { gamma } from '../../random/distributions.ts';
import { logRate } from '../../random/log-rate.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';
import { type PatternCounts, patternCounts } from '../../table/pattern-counts.ts';
import type { ChainSampler, ChainState } from '../chains/chain-sampler.ts';
import {
  type ArealCells,
  type ArealParameters,
  type ArealShape,
  arealCells,
  arealParameters,
  type CellGroups,
  groupCells,
  groupMeans,
  type IterationSettings,
  latentLength,
  PRECISION,
  type RateLikelihood,
} from './cells.ts';
import { allocateCells, drawWeights } from './clusters.ts';
import { drawCoefficients, drawEmptyClusters, moveCoefficients } from './coefficients.ts';
import { dividedByScales, drawPrecisions, effectsOfClusters, moveCoefficientScales, updateCovariance } from './covariance.ts';

interface IterationResult {
  /** alpha. */
  readonly concentration: number;
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

/** Draws the log rates given their counts, weights and means (Hu & Savitsky 2018, eq. 7-8). */
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
 * One iteration of the sampler of DP-areal, in place of the parameters (docs/explanation/synthesizers.md).
 *
 * @param alpha before the iteration
 * @throws RangeError when a conditional distribution is not of numbers
 */
function iterate(
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

/** Settings of DP-areal (Hu & Savitsky 2018, section 2.2). */
export interface DpArealSettings {
  /** K, the number of clusters at which stick breaking is truncated; 50 in Hu & Savitsky (2018). */
  readonly clusters: number;
  /** Prior of alpha, Gamma(shape, rate), or a fixed value; Gamma(1, 1) in Hu & Savitsky (2018). */
  readonly concentration: { readonly shape: number; readonly rate: number } | { readonly value: number };
  /** Moves of each kind between labels in an iteration; as many as clusters unless said otherwise. */
  readonly labelMoves?: number;
}

/** Added to the counts where a fresh chain begins, so that none has the logarithm of zero. */
const START_COUNT = 0.5;

/** Probabilities of the kept variables, 1 for the category of each pattern: categories of all variables x patterns. */
function keptProbabilities({ known, patterns, codes }: PatternCounts, offsets: Uint32Array): Float64Array {
  const probabilities = new Float64Array(offsets[offsets.length - 1]! * patterns);
  for (let b = 0; b < patterns; b++) {
    for (const [k, variable] of known.entries()) {
      probabilities[(offsets[variable]! + codes[b * known.length + k]!) * patterns + b] = 1;
    }
  }
  return probabilities;
}

/** Where a fresh chain begins: all clusters alike, so that cells fall into them at random. */
function startingLatent(shape: ArealShape, counts: Float64Array): Float64Array {
  const latent = new Float64Array(latentLength(shape));
  const { logRates, scales, correlations, precisions } = arealParameters(latent, shape);
  for (const [cell, count] of counts.entries()) logRates[cell] = log(count + START_COUNT);
  scales.fill(1);
  precisions.fill(1);
  for (let r = 0; r < shape.regressors; r++) correlations[r * shape.regressors + r] = 1;
  return latent;
}

/** Log-likelihood of the counts given lambda, and of the synthetic ones given its shares, without their coefficients. */
function logLikelihoodOf(cells: ArealCells, logRates: Float64Array): number {
  const { patterns, categories, counts, allCounts, syntheticRecords } = cells;
  let sum = 0;
  for (let b = 0; b < patterns; b++) {
    const from = b * categories;
    for (let cell = from; cell < from + categories; cell++) {
      const value = logRates[cell]!;
      sum += allCounts[cell]! * value - exp(value) - lgamma(counts[cell]! + 1);
    }
    const records = syntheticRecords[b]!;
    if (records > 0) sum -= records * logSumExp(logRates, from, from + categories);
  }
  return sum;
}

/**
 * Binds DP-areal, the Poisson-lognormal model with Dirichlet process random effects (Hu & Savitsky 2018, eq. 7-12), to a table. Its
 * patterns are the distinct rows of the kept variables; each has a count, zeros included, of every category of the
 * synthesized variable. Where synthetic values stand beside the table, the posterior is that given both, each a draw from
 * the probabilities of its record's pattern (eq. 13-14).
 *
 * States have the layout of the DPMPM's. The classes are the B patterns: a weight is 1 / B; phi of a kept variable is 1
 * for the pattern's own category; phi of the synthesized one is lambda_i / sum of lambda (eq. 13). `occupiedClasses`
 * counts clusters, and `latent` holds the other parameters. The sampler, and where it departs from Hu & Savitsky (2018):
 * docs/explanation/synthesizers.md.
 *
 * @param synthesized the synthesized variables: one
 * @param variableOfColumn as `patternCounts` takes it; a column a variable if not said otherwise
 * @throws UnsupportedOptionError `several-synthesized`, and RangeError, as `patternCounts`
 */
export function createDpAreal(
  combinations: Combinations,
  sizes: readonly number[],
  synthesized: readonly number[],
  settings: DpArealSettings,
  variableOfColumn?: readonly number[],
): ChainSampler {
  const { clusters, concentration, labelMoves = clusters } = settings;
  const table = patternCounts(combinations, sizes, synthesized, variableOfColumn);
  const cells = arealCells(table, sizes, clusters);
  const { patterns, categories } = cells;
  const offsets = categoryOffsets(sizes);
  const kept = keptProbabilities(table, offsets);
  const weights = new Float64Array(patterns).fill(1 / patterns);

  function stateOf(latent: Float64Array, { concentration: alpha, occupied }: IterationResult): ChainState {
    const { logRates } = arealParameters(latent, cells);
    const probabilities = kept.slice();
    for (let b = 0; b < patterns; b++) {
      const from = b * categories;
      const logTotal = logSumExp(logRates, from, from + categories);
      for (let i = 0; i < categories; i++) {
        probabilities[(offsets[table.counted]! + i) * patterns + b] = exp(logRates[from + i]! - logTotal);
      }
    }
    return { weights: weights.slice(), probabilities, concentration: alpha, occupiedClasses: occupied, latent };
  }

  function run(
    latent: Float64Array,
    start: IterationResult,
    random: RandomStream,
    iterations: number,
    onIteration: () => void,
  ): ChainState {
    const parameters = arealParameters(latent, cells);
    let result = start;
    for (let i = 0; i < iterations; i++) {
      result = iterate(cells, parameters, result.concentration, { concentration, labelMoves }, random);
      onIteration();
    }
    return stateOf(latent, result);
  }

  function latentOf({ latent }: ChainState): Float64Array {
    if (latent === undefined) throw new RangeError('a state of DP-areal needs its latent numbers');
    return latent;
  }

  return {
    init(random) {
      const alpha = 'value' in concentration ? concentration.value : 1;
      const start = { concentration: alpha, occupied: 0 };
      return run(startingLatent(cells, cells.counts), start, random, 1, () => undefined);
    },
    step(state, random, iterations = 1, onIteration = () => undefined) {
      const start = { concentration: state.concentration, occupied: state.occupiedClasses };
      return run(latentOf(state).slice(), start, random, iterations, onIteration);
    },
    logLikelihood(state) {
      return logLikelihoodOf(cells, arealParameters(latentOf(state), cells).logRates);
    },
  };
}
