import { halfWidthOf, NORMAL_QUANTILE } from '../../contracts/figure-errors.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';

/**
 * Whether a difference is no larger than its errors make of none, in either direction; never of one without errors.
 *
 * @param halfWidth half of the width of its 95 % interval
 */
export const isWithinErrors = (difference: number, halfWidth: number | null): boolean =>
  halfWidth !== null && halfWidth > 0 && Math.abs(difference) <= halfWidth;

/**
 * What is said after values guessed right with the release and without: nothing where they differ beyond errors. Both come from
 * the same chains, so that the sum of the halves of their intervals bounds that of the difference. First guesses are the bluntest
 * of the figures: where the gain in bits is beyond its errors, this one is not said to show that there is none.
 */
export function guessesWithinErrors(risk: AttributeRiskSummary): string {
  const { firstGuessRightBefore: before, firstGuessRightAfter: after } = risk;
  const ofAfter = halfWidthOf(risk, 'firstGuessRightAfter');
  if (before === null || after === null || risk.firstGuessRightBeforeSe === null || ofAfter === null) return '';
  if (!isWithinErrors(after - before, NORMAL_QUANTILE * risk.firstGuessRightBeforeSe + ofAfter)) return '';
  const ofGain = halfWidthOf(risk, 'gainBitsMean');
  return risk.gainBitsMean !== null && ofGain !== null && risk.gainBitsMean > ofGain
    ? ' That difference is within its errors. A finer measure, the gain in bits, is above its errors: the release reveals something about the records.'
    : ' The difference is within the errors: it shows neither a gain nor protection.';
}
