import type { ChainDraws } from '../../model/chains/chain-draws.ts';

/**
 * Scores every candidate of a set of combinations under one draw of the parameters:
 * r_x = f(x | Theta) / f(x_i | Theta), with f the DPMPM's mixture of products (000 eq. 15).
 *
 * @param weights pi, one entry a class
 * @param probabilities phi, categories of all variables end to end x classes, classes innermost
 * @param ratios receives combinations x candidates
 * @param logWeights receives log 1 / f(x_i | Theta) of every combination, where it is asked for
 */
export type RatioScorer = (
  weights: Float64Array,
  probabilities: Float64Array,
  ratios: Float64Array,
  logWeights?: Float64Array,
) => void;

/** A scorer that also averages over the draws of a chain by itself. */
export interface AveragingScorer extends RatioScorer {
  /** `logWeights` receives log 1 / f(x_i | Theta), draws x combinations, where it is asked for. */
  readonly means: (draws: ChainDraws, logWeights?: Float64Array) => RatioMeans;
}

/** Means over draws of r_x and of its square: combinations x candidates each. */
export interface RatioMeans {
  readonly mean: Float64Array;
  readonly meanSquare: Float64Array;
}
