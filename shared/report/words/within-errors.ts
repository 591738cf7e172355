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
 * the same chains, so that the sum of the halves of their intervals bounds that of the difference.
 */
export function guessesWithinErrors(risk: AttributeRiskSummary): string {
  const { firstGuessRightBefore: before, firstGuessRightAfter: after } = risk;
  const ofAfter = halfWidthOf(risk, 'firstGuessRightAfter');
  if (before === null || after === null || risk.firstGuessRightBeforeSe === null || ofAfter === null) return '';
  if (!isWithinErrors(after - before, NORMAL_QUANTILE * risk.firstGuessRightBeforeSe + ofAfter)) return '';
  return ' The difference is within the errors: it shows neither a gain nor protection.';
}
