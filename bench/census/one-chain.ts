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
import { ratioMeans, weightedRatioMeans } from '../../shared/risk/scoring/ratio-means.ts';

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
 * H draws of one chain that goes on from a state, as 000 has them from the chain that also made the datasets (section 3.2).
 *
 * @param thin iterations between two draws
 */
export function proposals(
  model: ChainSampler,
  start: ChainState,
  { draws, thin }: { readonly draws: number; readonly thin: number },
  random: RandomStream,
): ChainDraws {
  return sampleChain(model, start, random, { burnIn: 0, draws, thin, keepLatent: false }, 'proposals').draws;
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

/** log p_j of every dataset (000 eq. 14): one vector of draws a dataset. */
export function logWeights(datasets: readonly ChainSampler[], chain: ChainDraws): Float64Array[] {
  return datasets.map((model) =>
    Float64Array.from({ length: chain.draws }, (_, j) => model.logLikelihood(stateOfDraw(chain, j))),
  );
}

/**
 * Ranks and probabilities of the truths by 000 (eq. 12-15), under a uniform prior.
 *
 * @param codes combinations x variables
 * @param weights log p_j, one vector of draws a dataset
 */
export function oneChainRisk(
  space: CandidateSpace,
  codes: Uint16Array,
  chain: ChainDraws,
  weights: readonly Float64Array[],
): OneChainRisk {
  const candidates = space.perCombination;
  const rows = codes.length / space.sizes.length;
  const scorer = createRatioScorer(space, codes);
  const { mean } = ratioMeans(scorer, chain, rows * candidates);
  const weighted = weightedRatioMeans(scorer, chain, rows * candidates, weights);
  const estimates = mean.map((value, at) =>
    weighted.reduce((sum, means) => sum + log(means[at]!), -weighted.length * log(value)),
  );
  return {
    ...truthRanks(estimates, candidates),
    effectiveDraws: weights.map(effectiveWeights),
    survivors: weights.map(largestAt),
    spreads: weights.map(standardDeviation),
  };
}

/** Ranks and probabilities of candidate 0 by log-likelihoods, rows x candidates. */
function truthRanks(estimates: Float64Array, candidates: number): TruthRanks {
  const rows = estimates.length / candidates;
  return {
    rank: Float64Array.from({ length: rows }, (_, row) => rank(estimates, row * candidates, candidates, 0)),
    probability: Float64Array.from(
      { length: rows },
      (_, row) => posterior(estimates, row * candidates, candidates)[0]!,
    ),
  };
}

const largestAt = (values: Float64Array) =>
  values.reduce((best, value, j) => (value > values[best]! ? j : best), 0);

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
      const total = logSumExp(drawn);
      addLogMean(
        estimates,
        ratios,
        drawn.map((value, j) => counts[j]! * exp(value - total)),
        1,
      );
    }
    return truthRanks(estimates, candidates).rank;
  });
}

/** Adds a coefficient times the logarithm of a weighted sum of vectors. */
function addLogMean(
  sums: Float64Array,
  vectors: readonly Float64Array[],
  shares: Float64Array,
  coefficient: number,
): void {
  const mean = new Float64Array(sums.length);
  for (const [j, vector] of vectors.entries()) {
    const share = shares[j]!;
    if (share === 0) continue;
    for (let at = 0; at < mean.length; at++) mean[at]! += share * vector[at]!;
  }
  for (let at = 0; at < sums.length; at++) sums[at]! += coefficient * log(mean[at]!);
}
