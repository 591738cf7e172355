import { type ChainDraws, oneDraw } from '../../shared/model/chains/chain-draws.ts';
import type { ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { sampleChain, stateOfDraw } from '../../shared/model/chains/sample-chain.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { exp, log } from '../../shared/numeric/portable-math.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { effectiveWeights } from '../../shared/risk/attribute/attribute-estimators.ts';
import { posterior, rank } from '../../shared/risk/attribute/posterior.ts';
import type { CandidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import type { RatioScorer } from '../../shared/risk/scoring/ratio-scorer.ts';

/** What a truth is given by one evaluation: one element a combination. */
export interface TruthRanks {
  readonly rank: Float64Array;
  readonly probability: Float64Array;
}

/** An evaluation by the published estimator from the draws of one chain. */
export interface OneChainRisk extends TruthRanks {
  /** Effective number of draws of each dataset's weights p_j. */
  readonly effectiveDraws: readonly number[];
  /** For each dataset, the draw (from 0) of most weight. */
  readonly survivors: readonly number[];
  /** For each dataset, the standard deviation of log p_j. */
  readonly spreads: readonly number[];
}

/**
 * H draws of one chain that goes on from a state, as Hu et al. (2014) have them from the chain that also made the datasets (section 3.2).
 *
 * @param thin iterations between two draws
 */
export function proposals(
  model: ChainSampler,
  start: ChainState,
  { draws, thin }: { readonly draws: number; readonly thin: number },
  random: RandomStream,
): ChainDraws {
  return sampleChain(model, start, random, { burnIn: 0, draws, thin, keepLatent: false }, { name: 'proposals' }).draws;
}

/** The same draws, the last of which give their places to others. */
export function withDraws(chain: ChainDraws, included: readonly ChainState[]): ChainDraws {
  const weights = chain.weights.slice();
  const probabilities = chain.probabilities.slice();
  for (const [i, state] of included.entries()) {
    const draw = chain.draws - included.length + i;
    weights.set(state.weights, draw * chain.classes);
    probabilities.set(state.probabilities, draw * chain.categories * chain.classes);
  }
  return { ...chain, weights, probabilities };
}

/** log p_j of every dataset (Hu et al. 2014, eq. 14): one vector of draws a dataset. */
export function logWeights(datasets: readonly ChainSampler[], chain: ChainDraws): Float64Array[] {
  return datasets.map((model) => Float64Array.from({ length: chain.draws }, (_, j) => model.logLikelihood(stateOfDraw(chain, j))));
}

/**
 * Ranks and probabilities of the truths by Hu et al. (2014, eq. 12-15), under a uniform prior.
 *
 * @param codes combinations x variables
 * @param weights log p_j, one vector of draws a dataset
 */
export function oneChainRisk(space: CandidateSpace, codes: Uint16Array, chain: ChainDraws, weights: readonly Float64Array[]): OneChainRisk {
  const candidates = space.perCombination;
  const rows = codes.length / space.sizes.length;
  const scorer = createRatioScorer(space, codes);
  const { mean } = ratioMeans(scorer, chain, rows * candidates);
  const weighed = weights.map((values) => weighedMean(scorer, chain, rows * candidates, values));
  const estimates = mean.map((value, at) => weighed.reduce((sum, means) => sum + log(means[at]!), -weighed.length * log(value)));
  return {
    ...truthRanks(estimates, candidates),
    effectiveDraws: weights.map(effectiveWeights),
    survivors: weights.map(largestAt),
    spreads: weights.map(standardDeviation),
  };
}

/** Draws with less than this of all weight change no estimate by more than rounding does. */
const NEGLIGIBLE = 1e-18;

/** Shares of weights given in logs, 0 for those that are negligible. */
function sharesOf(values: Float64Array): Float64Array {
  const total = logSumExp(values);
  return values.map((value) => exp(value - total)).map((share) => (share < NEGLIGIBLE ? 0 : share));
}

/** The mean of r_x under the weights of one dataset, from the few draws that have any. */
function weighedMean(scorer: RatioScorer, chain: ChainDraws, length: number, values: Float64Array): Float64Array {
  const mean = new Float64Array(length);
  const ratios = new Float64Array(length);
  for (const [j, share] of sharesOf(values).entries()) {
    if (share === 0) continue;
    const { weights, probabilities } = oneDraw(chain, j);
    scorer(weights, probabilities, ratios);
    for (let at = 0; at < length; at++) mean[at]! += share * ratios[at]!;
  }
  return mean;
}

/** Ranks and probabilities of candidate 0 by log-likelihoods, rows x candidates. */
function truthRanks(estimates: Float64Array, candidates: number): TruthRanks {
  const rows = estimates.length / candidates;
  return {
    rank: Float64Array.from({ length: rows }, (_, row) => rank(estimates, row * candidates, candidates, 0)),
    probability: Float64Array.from({ length: rows }, (_, row) => posterior(estimates, row * candidates, candidates)[0]!),
  };
}

const largestAt = (values: Float64Array) => values.reduce((best, value, j) => (value > values[best]! ? j : best), 0);

/**
 * Ranks of the truths from resamples of the proposals, drawn with replacement as if they were independent: resamples x
 * combinations. Meant for a few combinations, since the ratios under every draw are kept.
 */
export function resampledRanks(
  space: CandidateSpace,
  codes: Uint16Array,
  chain: ChainDraws,
  weights: readonly Float64Array[],
  resamples: number,
  random: RandomStream,
): Float64Array[] {
  const candidates = space.perCombination;
  const length = (codes.length / space.sizes.length) * candidates;
  const scorer = createRatioScorer(space, codes);
  const ratios = Array.from({ length: chain.draws }, (_, j) => {
    const draw = oneDraw(chain, j);
    const ofDraw = new Float64Array(length);
    scorer(draw.weights, draw.probabilities, ofDraw);
    return ofDraw;
  });
  return Array.from({ length: resamples }, () => {
    const counts = new Float64Array(chain.draws);
    for (let j = 0; j < chain.draws; j++) counts[random.below(chain.draws)]!++;
    const estimates = new Float64Array(length);
    addLogMean(estimates, ratios, counts, -weights.length);
    for (const values of weights) {
      const drawn = values.map((value, j) => (counts[j]! > 0 ? value : -Infinity));
      const shares = sharesOf(drawn);
      addLogMean(
        estimates,
        ratios,
        shares.map((share, j) => counts[j]! * share),
        1,
      );
    }
    return truthRanks(estimates, candidates).rank;
  });
}

/** Adds a coefficient times the logarithm of a weighted sum of vectors. */
function addLogMean(sums: Float64Array, vectors: readonly Float64Array[], shares: Float64Array, coefficient: number): void {
  const mean = new Float64Array(sums.length);
  for (const [j, vector] of vectors.entries()) {
    const share = shares[j]!;
    if (share === 0) continue;
    for (let at = 0; at < mean.length; at++) mean[at]! += share * vector[at]!;
  }
  for (let at = 0; at < sums.length; at++) sums[at]! += coefficient * log(mean[at]!);
}
