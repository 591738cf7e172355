import { log } from '../../numeric/portable-math.ts';
import type { CandidateSpace } from '../intruder/candidate-space.ts';
import { createRatioScorer } from '../scoring/likelihood-ratio.ts';
import type { RatioScorer } from '../scoring/ratio-scorer.ts';
import type { CalibrationTargets } from './calibration-targets.ts';

/**
 * A scorer for records that were replaced by one of their candidates: the candidates are those around the values
 * that a record had, and r_x is taken against the value that it has, f(x | Theta) / f(truth | Theta), as the
 * identity of docs/estimators.md asks of a table that holds the truth.
 *
 * @param scorer of the candidates against the centres
 */
export function createTruthScorer(
  space: CandidateSpace,
  { centres, truths }: Pick<CalibrationTargets, 'centres' | 'truths'>,
  scorer: RatioScorer = createRatioScorer(space, centres),
): RatioScorer {
  const candidates = space.perCombination;
  return (weights, probabilities, ratios, logWeights) => {
    scorer(weights, probabilities, ratios, logWeights);
    for (let t = 0; t < truths.length; t++) {
      const from = t * candidates;
      const truth = ratios[from + truths[t]!]!;
      for (let x = 0; x < candidates; x++) ratios[from + x]! /= truth;
      if (logWeights) logWeights[t]! -= log(truth);
    }
  };
}
