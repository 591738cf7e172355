import { exp } from '../../numeric/portable-math.ts';

/** The risks of one record under one prior (003 eq. 2 and 8). */
export interface RiskUnderPrior {
  /** R: posterior probability of the true value. */
  readonly absolute: number;
  /** RR: posterior over prior probability. */
  readonly relative: number;
}

/**
 * R = w B / (1 - w + w B) and RR = B / (1 - w + w B) for a Bayes factor B of the truth against the other values.
 *
 * @param logFactor log B
 * @param weight w, prior probability of the true value, in the open interval (0, 1)
 */
export function riskUnderPrior(logFactor: number, weight: number): RiskUnderPrior {
  // Divided by B, so that a factor beyond double precision leaves a risk of one, and one below it leaves none.
  const relative = 1 / (weight + (1 - weight) * exp(-logFactor));
  return { absolute: weight * relative, relative };
}
