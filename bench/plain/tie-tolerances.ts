import { TIES } from '../../shared/numeric/ties.ts';
import { addByValue } from '../../shared/risk/attribute/value-figures.ts';
import type { ValueSet } from '../../shared/risk/intruder/value-sets.ts';

/**
 * How far each of some scores may be from the first of them and tie with it: {@link TIES} of the error that its distance has
 * over resamples; no less than rounding, and no more than the most.
 *
 * @param evaluations the scores in the estimate, and in some resamples
 */
export function tieTolerances(evaluations: readonly ArrayLike<number>[]): Float64Array {
  const [estimate, ...resamples] = evaluations;
  return Float64Array.from({ length: estimate!.length }, (_, x) => {
    const distance = estimate![x]! - estimate![0]!;
    let squares = 0;
    for (const scores of resamples) {
      const deviation = scores[x]! - scores[0]! - distance;
      squares += deviation * deviation;
    }
    const tolerance = TIES.errors * Math.sqrt(squares / resamples.length);
    // Of what is impossible in a resample nothing is known.
    return tolerance > TIES.rounding && tolerance < Infinity ? Math.min(TIES.most, tolerance) : TIES.rounding;
  });
}

/**
 * How far apart the weights of values before the release may be and tie, in the estimate and after the release too, so that
 * one that tells nothing leaves all as it was: see {@link tieTolerances}.
 *
 * @param priors logarithms of the candidates' prior in the estimate, and in `TIE_RESAMPLES` resamples
 */
export function valueTolerances(set: ValueSet, priors: readonly Float64Array[]): Float64Array {
  return tieTolerances(priors.map((prior) => addByValue(set, (x) => prior[x]!)));
}
