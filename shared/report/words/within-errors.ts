import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';

/** 97.5 % quantile of the standard normal distribution. */
const NORMAL_QUANTILE = 1.96;

/** Whether a difference is no larger than its errors make of none, in either direction; never of one without a standard error. */
export const isWithinErrors = (difference: number, se: number | null): boolean =>
  se !== null && se > 0 && Math.abs(difference) <= NORMAL_QUANTILE * se;

/**
 * What is said after values guessed right with the release and without: nothing where they differ beyond errors. Both come from
 * the same chains, so that the sum of their errors bounds that of the difference.
 */
export function guessesWithinErrors(risk: AttributeRiskSummary): string {
  const { firstGuessRightBefore: before, firstGuessRightAfter: after } = risk;
  const { firstGuessRightBeforeSe: seBefore, firstGuessRightAfterSe: seAfter } = risk;
  if (before === null || after === null || seBefore === null || seAfter === null) return '';
  if (!isWithinErrors(after - before, seBefore + seAfter)) return '';
  return ' The difference is within the errors: it shows neither a gain nor protection.';
}
