import { type ChainDraws, someDraws } from '../../model/chains/chain-draws.ts';
import { exp } from '../../numeric/portable-math.ts';
import type { AveragingScorer, RatioMeans, RatioScorer } from './ratio-scorer.ts';

/** Calls `use` with the ratios of every draw in turn (the same buffer each time). */
function eachDraw(
  scorer: RatioScorer,
  draws: ChainDraws,
  ratios: Float64Array,
  use: (draw: number) => void,
  logWeights?: Float64Array,
): void {
  const { classes } = draws;
  const rows = (logWeights?.length ?? 0) / draws.draws;
  const size = draws.probabilities.length / draws.draws;
  for (let draw = 0; draw < draws.draws; draw++) {
    scorer(
      draws.weights.subarray(draw * classes, (draw + 1) * classes),
      draws.probabilities.subarray(draw * size, (draw + 1) * size),
      ratios,
      logWeights?.subarray(draw * rows, (draw + 1) * rows),
    );
    use(draw);
  }
}

/**
 * Means of the likelihood ratios over one chain's draws: added up by the scorer where it can, and here for others.
 *
 * @param length combinations x candidates
 * @param logWeights receives log 1 / f(x_i | Theta), draws x combinations, where it is asked for
 */
export function ratioMeans(
  scorer: RatioScorer | AveragingScorer,
  draws: ChainDraws,
  length: number,
  logWeights?: Float64Array,
): RatioMeans {
  if ('means' in scorer) return scorer.means(draws, logWeights);
  const ratios = new Float64Array(length);
  const mean = new Float64Array(length);
  const meanSquare = new Float64Array(length);
  const add = () => {
    for (let i = 0; i < length; i++) {
      const ratio = ratios[i]!;
      mean[i]! += ratio;
      meanSquare[i]! += ratio * ratio;
    }
  };
  eachDraw(scorer, draws, ratios, add, logWeights);
  for (let i = 0; i < length; i++) {
    mean[i]! /= draws.draws;
    meanSquare[i]! /= draws.draws;
  }
  return { mean, meanSquare };
}

/**
 * Means of the likelihood ratios over one chain's draws, and over the first half of them, rounded up.
 *
 * @param length combinations x candidates
 * @param logWeights receives log 1 / f(x_i | Theta), draws x combinations
 * @returns `firstHalf` is null for a chain of one draw
 */
export function ratioMeansByHalf(
  scorer: RatioScorer | AveragingScorer,
  draws: ChainDraws,
  length: number,
  logWeights: Float64Array,
): { readonly all: RatioMeans; readonly firstHalf: Float64Array | null } {
  const half = Math.ceil(draws.draws / 2);
  if (half === draws.draws) return { all: ratioMeans(scorer, draws, length, logWeights), firstHalf: null };
  const rows = logWeights.length / draws.draws;
  const first = ratioMeans(scorer, someDraws(draws, 0, half), length, logWeights.subarray(0, half * rows));
  const rest = ratioMeans(
    scorer,
    someDraws(draws, half, draws.draws),
    length,
    logWeights.subarray(half * rows),
  );
  const share = half / draws.draws;
  const together = (figure: keyof RatioMeans) =>
    first[figure].map((value, i) => share * value + (1 - share) * rest[figure][i]!);
  return { all: { mean: together('mean'), meanSquare: together('meanSquare') }, firstHalf: first.mean };
}

/**
 * Means of the likelihood ratios over one chain's draws under several sets of weights, for importance
 * sampling (000 eq. 14-15).
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
