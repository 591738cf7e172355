import { type ChainDraws, oneDraw, type ScoredDraw } from '../../model/chains/chain-draws.ts';
import type { Allocation } from '../../model/chains/chain-sampler.ts';

/**
 * Scores every candidate of a set of combinations under one draw of the parameters:
 * r_x = f(x | Theta) / f(x_i | Theta), with f the DPMPM's mixture of products (Hu et al. 2014, eq. 15). With an allocation, phi is
 * integrated out given the classes of all other records, and Theta is pi and these classes (docs/explanation/estimators.md).
 *
 * @param weights pi, one entry a class
 * @param probabilities phi, categories of all variables end to end x classes, classes innermost
 * @param ratios receives combinations x candidates
 * @param logWeights receives log 1 / f(x_i | Theta) of every combination, where it is asked for
 * @param allocation the classes behind the draw, those of the scored combinations in their order. Scorers that cannot
 * integrate phi out refuse it with a RangeError
 */
export type RatioScorer = (
  weights: Float64Array,
  probabilities: Float64Array,
  ratios: Float64Array,
  logWeights?: Float64Array,
  allocation?: Allocation,
) => void;

/** A scorer that also averages over the draws of a chain by itself. */
export interface AveragingScorer extends RatioScorer {
  /**
   * @param half how many draws, the first ones, the means of `firstHalf` are over; none are found of 0
   * @param logWeights receives log 1 / f(x_i | Theta), draws x combinations, where it is asked for
   */
  readonly means: (draws: ChainDraws, half: number, logWeights?: Float64Array) => HalvedMeans;
}

/** Means over draws of r_x and of its square: combinations x candidates each. */
export interface RatioMeans {
  readonly mean: Float64Array;
  readonly meanSquare: Float64Array;
}

/** The same, and the means of r_x over the first draws alone, where these are asked for. */
export interface HalvedMeans extends RatioMeans {
  readonly firstHalf: Float64Array | null;
}

/** Adds up ratios over draws, and their squares. */
export interface RatioSums {
  /** Adds those of a draw; arguments as {@link RatioScorer} takes them. */
  readonly add: (draw: ScoredDraw, logWeights?: Float64Array) => void;
  /** The means over the draws added: combinations x candidates. */
  readonly take: (which: 'sums' | 'squares', out: Float64Array) => void;
}

/**
 * The scorer that goes with such sums.
 *
 * @param cleared sums of no draw yet, for draws of so many classes
 */
export function averagingScorer(
  { rows, candidates }: { readonly rows: number; readonly candidates: number },
  cleared: (classes: number) => RatioSums,
): AveragingScorer {
  const score: RatioScorer = (weights, probabilities, ratios, logWeights, allocation) => {
    const sums = cleared(weights.length);
    sums.add({ weights, probabilities, ...(allocation && { allocation }) }, logWeights);
    sums.take('sums', ratios);
  };
  const means: AveragingScorer['means'] = (chain, half, logWeights) => {
    const sums = cleared(chain.classes);
    const room = () => new Float64Array(rows * candidates);
    const firstHalf = half > 0 ? room() : null;
    for (let draw = 0; draw < chain.draws; draw++) {
      sums.add(oneDraw(chain, draw), logWeights?.subarray(draw * rows, (draw + 1) * rows));
      if (firstHalf && draw + 1 === half) sums.take('sums', firstHalf);
    }
    const [mean, meanSquare] = [room(), room()];
    sums.take('sums', mean);
    sums.take('squares', meanSquare);
    return { mean, meanSquare, firstHalf };
  };
  return Object.assign(score, { means });
}
