import { oneDraw } from '../../model/chains/chain-draws.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import type { AveragingScorer } from './ratio-scorer.ts';

/** What a density scorer has of its candidates. */
interface ScoredDensities {
  /** Of each row. */
  readonly candidates: number;
  /** Logarithm of what a density is multiplied by. */
  readonly logUnit: number;
  /** Whether parameters are integrated out given the allocations of draws, and else are as they were drawn. */
  readonly isIntegrated: boolean;
}

/** Of the cells of such sizes: times their number a density is on a scale on which the uniform distribution has 1. */
export const logCells = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + log(size), 0);

/**
 * A scorer of densities in the place of their ratios, for records that are in none of the tables behind the draws: f(x |
 * Theta) times a unit, so that every candidate of every draw is on one scale. As log weights it gives log f(x_i | Theta) on that
 * scale: what it averages.
 *
 * @param ratios a scorer of the same rows
 * @param rows that it scores
 * @throws RangeError from the scorer, for draws with allocations where parameters are as they were drawn
 */
export function createDensityScorer(
  ratios: AveragingScorer,
  { candidates, logUnit, isIntegrated }: ScoredDensities,
  rows: number,
): AveragingScorer {
  const logTruths = new Float64Array(rows);
  const score: AveragingScorer = Object.assign(
    (...[weights, probabilities, densities, logDensities, allocation]: Parameters<AveragingScorer>) => {
      if (allocation && !isIntegrated) throw new RangeError('densities are those of phi as it was drawn');
      ratios(weights, probabilities, densities, logTruths, allocation);
      for (let row = 0; row < rows; row++) {
        // The weights of a ratio are the reciprocals of the truth's density.
        const logTruth = logUnit - logTruths[row]!;
        if (logDensities) logDensities[row] = logTruth;
        const truth = exp(logTruth);
        const to = (row + 1) * candidates;
        for (let at = row * candidates; at < to; at++) densities[at]! *= truth;
      }
    },
    {
      means: (...[draws, half, logDensities]: Parameters<AveragingScorer['means']>) => {
        const length = rows * candidates;
        const densities = new Float64Array(length);
        const mean = new Float64Array(length);
        const meanSquare = new Float64Array(length);
        let firstHalf: Float64Array | null = null;
        for (let draw = 0; draw < draws.draws; draw++) {
          const { weights, probabilities, allocation } = oneDraw(draws, draw);
          score(weights, probabilities, densities, logDensities?.subarray(draw * rows, (draw + 1) * rows), allocation);
          for (let at = 0; at < length; at++) {
            const density = densities[at]!;
            mean[at]! += density;
            meanSquare[at]! += density * density;
          }
          if (draw + 1 === half) firstHalf = mean.map((sum) => sum / half);
        }
        for (let at = 0; at < length; at++) {
          mean[at]! /= draws.draws;
          meanSquare[at]! /= draws.draws;
        }
        return { mean, meanSquare, firstHalf };
      },
    },
  );
  return score;
}
