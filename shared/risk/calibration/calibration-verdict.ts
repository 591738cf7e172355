import type { Calibration } from './calibration.ts';

/** What a calibration says of an estimate. */
export interface CalibrationVerdict {
  readonly code: 'calibrated' | 'overclaims' | 'underclaims' | 'cannot-tell';
  /**
   * Targets beyond those at hand that would settle a verdict of `cannot-tell`, as far as these tell; null with any
   * other verdict, and where the estimate tells nothing.
   */
  readonly moreTargets: number | null;
}

/** A difference of so many standard errors is no longer taken for chance. */
const STANDARD_ERRORS = 2;

/** An estimate is called calibrated when its slope is known to within this of 1. */
const SLOPE_TOLERANCE = 0.25;

/**
 * Judges an estimate by what it claims against what it achieves. It overclaims when it claims more than it achieves by
 * more than two standard errors, and its slope is below 1 by more than two of its own; it underclaims when both are
 * the other way round. Otherwise it is calibrated within error, provided that two standard errors of the slope are a
 * quarter at most; with wider errors nothing can be said. Differences of exactly two standard errors count as chance.
 *
 * @param targets targets behind the figures, over all replicates
 */
export function calibrationVerdict(found: Calibration, targets: number): CalibrationVerdict {
  const { excess, excessSe, slope, slopeSe } = found;
  const claimsMore = excess > STANDARD_ERRORS * excessSe;
  const claimsLess = -excess > STANDARD_ERRORS * excessSe;
  if (claimsMore && 1 - slope > STANDARD_ERRORS * slopeSe) return { code: 'overclaims', moreTargets: null };
  if (claimsLess && slope - 1 > STANDARD_ERRORS * slopeSe) return { code: 'underclaims', moreTargets: null };
  const width = (STANDARD_ERRORS * slopeSe) / SLOPE_TOLERANCE;
  if (width <= 1) return { code: 'calibrated', moreTargets: null };
  // Standard errors fall with the root of the number of targets.
  const needed = Math.ceil(targets * (width * width - 1));
  return { code: 'cannot-tell', moreTargets: Number.isSafeInteger(needed) ? needed : null };
}

/**
 * Whether some targets claim more or less than they achieve, by more than two standard errors of the difference; null
 * when neither. The slope is not asked: of few targets it is known too badly.
 */
export function excessVerdict({ excess, excessSe }: Pick<Calibration, 'excess' | 'excessSe'>): 'overclaims' | 'underclaims' | null {
  if (Math.abs(excess) <= STANDARD_ERRORS * excessSe) return null;
  return excess > 0 ? 'overclaims' : 'underclaims';
}
