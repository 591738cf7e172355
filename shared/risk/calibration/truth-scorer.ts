import { log } from '../../numeric/portable-math.ts';
import { type CandidateSpace, candidateChanges } from '../intruder/candidate-space.ts';
import { createRatioScorer } from '../scoring/likelihood-ratio.ts';
import type { RatioScorer } from '../scoring/ratio-scorer.ts';
import type { CalibrationTargets } from './calibration-targets.ts';

/**
 * A scorer for records that were replaced by one of their candidates: the candidates are those around the values
 * that a record had, and r_x is taken against the value that it has, f(x | Theta) / f(truth | Theta), as the
 * identity of docs/explanation/estimators.md asks of a table that holds the truth.
 *
 * @param scorer of the candidates against the centres
 */
export function createTruthScorer(
  space: CandidateSpace,
  { centres, truths }: Pick<CalibrationTargets, 'centres' | 'truths'>,
  scorer: RatioScorer = createRatioScorer(space, centres, undefined, heldValues(space, { centres, truths })),
): RatioScorer {
  const candidates = space.perCombination;
  return (weights, probabilities, ratios, logWeights, allocation) => {
    scorer(weights, probabilities, ratios, logWeights, allocation);
    for (let t = 0; t < truths.length; t++) {
      const from = t * candidates;
      const truth = ratios[from + truths[t]!]!;
      for (let x = 0; x < candidates; x++) ratios[from + x]! /= truth;
      if (logWeights) logWeights[t]! -= log(truth);
    }
  };
}

/** What the targets have in the table: targets x variables. */
export function heldValues(space: CandidateSpace, { centres, truths }: Pick<CalibrationTargets, 'centres' | 'truths'>): Uint16Array {
  const variables = space.sizes.length;
  const held = centres.slice();
  for (const [t, truth] of truths.entries()) {
    const centre = centres.subarray(t * variables, (t + 1) * variables);
    for (const { variable, code } of candidateChanges(space, centre, truth)) {
      held[t * variables + variable] = code;
    }
  }
  return held;
}
