import { oneDraw } from '../../model/chains/chain-draws.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import type { CandidateSpace } from '../intruder/candidate-space.ts';
import type { AveragingScorer } from './ratio-scorer.ts';

/**
 * A scorer of densities in the place of their ratios, for records that are in none of the tables behind the draws: f(x |
 * Theta) times the number of cells, so that every candidate of every draw is on one scale, on which the uniform
 * distribution has 1. As log weights it gives log f(x_i | Theta) on that scale: what it averages.
 *
 * @param ratios a scorer of the same rows
 * @param rows combinations that it scores
 */
export function createDensityScorer(
  ratios: AveragingScorer,
  { sizes, perCombination }: Pick<CandidateSpace, 'sizes' | 'perCombination'>,
  rows: number,
): AveragingScorer {
  const logCells = sizes.reduce((sum, size) => sum + log(size), 0);
  const logTruths = new Float64Array(rows);
  const score: AveragingScorer = Object.assign(
    (...[weights, probabilities, densities, logDensities, allocation]: Parameters<AveragingScorer>) => {
      if (allocation) throw new RangeError('densities are those of phi as it was drawn');
      ratios(weights, probabilities, densities, logTruths);
      for (let row = 0; row < rows; row++) {
        // The weights of a ratio are the reciprocals of the truth's density.
        const logTruth = logCells - logTruths[row]!;
        if (logDensities) logDensities[row] = logTruth;
        const truth = exp(logTruth);
        const to = (row + 1) * perCombination;
        for (let at = row * perCombination; at < to; at++) densities[at]! *= truth;
      }
    },
    {
      means: (...[draws, half, logDensities]: Parameters<AveragingScorer['means']>) => {
        const length = rows * perCombination;
        const densities = new Float64Array(length);
        const mean = new Float64Array(length);
        const meanSquare = new Float64Array(length);
        let firstHalf: Float64Array | null = null;
        for (let draw = 0; draw < draws.draws; draw++) {
          const { weights, probabilities } = oneDraw(draws, draw);
          score(weights, probabilities, densities, logDensities?.subarray(draw * rows, (draw + 1) * rows));
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
