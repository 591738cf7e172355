import { type ChainDraws, oneDraw } from '../../model/chains/chain-draws.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { AveragingScorer, HalvedMeans, RatioScorer } from './ratio-scorer.ts';

/** Calls `use` with the ratios of every draw in turn (the same buffer each time). */
function eachDraw(
  scorer: RatioScorer,
  draws: ChainDraws,
  ratios: Float64Array,
  use: (draw: number) => void,
  logWeights?: Float64Array,
): void {
  const rows = (logWeights?.length ?? 0) / draws.draws;
  for (let draw = 0; draw < draws.draws; draw++) {
    const { weights, probabilities, allocation } = oneDraw(draws, draw);
    const drawLogWeights = logWeights?.subarray(draw * rows, (draw + 1) * rows);
    scorer(weights, probabilities, ratios, drawLogWeights, allocation);
    use(draw);
  }
}

/**
 * Means of the likelihood ratios over one chain's draws, and over the first of them: added up by the scorer where it can,
 * and here for others.
 *
 * @param length combinations x candidates
 * @param half how many draws the first ones are; 0 where they are not asked for
 * @param logWeights receives log 1 / f(x_i | Theta), draws x combinations, where it is asked for
 */
export function ratioMeans(
  scorer: RatioScorer | AveragingScorer,
  draws: ChainDraws,
  length: number,
  half = 0,
  logWeights?: Float64Array,
): HalvedMeans {
  if ('means' in scorer) return scorer.means(draws, half, logWeights);
  const ratios = new Float64Array(length);
  const mean = new Float64Array(length);
  const meanSquare = new Float64Array(length);
  let firstHalf: Float64Array | null = null;
  const add = (draw: number) => {
    for (let i = 0; i < length; i++) {
      const ratio = ratios[i]!;
      mean[i]! += ratio;
      meanSquare[i]! += ratio * ratio;
    }
    if (draw + 1 === half) firstHalf = mean.map((sum) => sum / half);
  };
  eachDraw(scorer, draws, ratios, add, logWeights);
  for (let i = 0; i < length; i++) {
    mean[i]! /= draws.draws;
    meanSquare[i]! /= draws.draws;
  }
  return { mean, meanSquare, firstHalf };
}

/** Draws of a chain that make its first half, rounded up; 0 for a chain of one draw, which has none. */
export function halfOf(draws: number): number {
  return draws > 1 ? Math.ceil(draws / 2) : 0;
}

/**
 * Means of the likelihood ratios over one chain's draws under several sets of weights, for importance
 * sampling (Hu et al. 2014, eq. 14-15).
 *
 * @param logWeights for each set, the log weight of each draw
 * @returns for each set, the weighted mean (combinations x candidates)
 */
export function weightedRatioMeans(
  scorer: RatioScorer,
  draws: ChainDraws,
  length: number,
  logWeights: readonly Float64Array[],
): Float64Array[] {
  const ratios = new Float64Array(length);
  const shares = logWeights.map((values) => {
    const largest = values.reduce((most, value) => Math.max(most, value), -Infinity);
    const weights = values.map((value) => exp(value - largest));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  });
  const means = logWeights.map(() => new Float64Array(length));
  eachDraw(scorer, draws, ratios, (draw) => {
    for (const [set, mean] of means.entries()) {
      const share = shares[set]![draw]!;
      if (share === 0) continue;
      for (let i = 0; i < length; i++) mean[i]! += share * ratios[i]!;
    }
  });
  return means;
}
