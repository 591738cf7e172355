import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { exp, LN2 } from '../../shared/numeric/portable-math.ts';
import type { CandidateRisk } from '../../shared/risk/trees/tree-risk.ts';

/** Probabilities that differ by less than this share are those of equal guesses. */
const TIE = 1e-9;

/** What an intruder believes of a record's candidates before and after the release, and what that comes to. */
export interface TreePosterior {
  /** Probability of each candidate before and after; each adds up to 1. */
  readonly prior: Float64Array;
  readonly posterior: Float64Array;
  /** Probability that his first guess is right, ties being guessed among with equal probabilities. */
  readonly rightBefore: number;
  readonly rightAfter: number;
  /** log2 of the truth's posterior over its prior. */
  readonly gainBits: number;
  /** Information of the posterior against the prior, in bits: the gain that the intruder himself expects. */
  readonly claimedBits: number;
  /** True if nothing else could have led to the release. */
  readonly proven: boolean;
}

/**
 * The posterior of a record's candidates by Bayes' theorem.
 *
 * @param truth which of them the record's own values are
 * @param uniform true for equal priors in place of those of the trees
 */
export function treePosterior(
  { logRatios, logPriors }: Pick<CandidateRisk, 'logRatios' | 'logPriors'>,
  truth: number,
  uniform: boolean,
): TreePosterior {
  const logPrior = normalized(uniform ? new Float64Array(logPriors.length) : logPriors);
  const logPosterior = normalized(logRatios.map((ratio, x) => ratio + logPrior[x]!));
  const [prior, posterior] = [logPrior.map(exp), logPosterior.map(exp)];
  let claimed = 0;
  for (const [x, probability] of posterior.entries()) {
    if (probability > 0) claimed += probability * (logPosterior[x]! - logPrior[x]!);
  }
  return {
    ...{ prior, posterior },
    rightBefore: firstGuess(prior, truth),
    rightAfter: firstGuess(posterior, truth),
    gainBits: (logPosterior[truth]! - logPrior[truth]!) / LN2,
    claimedBits: claimed / LN2,
    proven: logRatios.every((ratio, x) => x === truth || ratio === -Infinity),
  };
}

/** Logarithms of weights less that of their sum. */
function normalized(logWeights: Float64Array): Float64Array {
  const total = logSumExp(logWeights);
  return logWeights.map((one) => one - total);
}

function firstGuess(probabilities: Float64Array, truth: number): number {
  const least = probabilities.reduce((a, b) => Math.max(a, b), 0) * (1 - TIE);
  return probabilities[truth]! < least ? 0 : 1 / probabilities.filter((one) => one >= least).length;
}
