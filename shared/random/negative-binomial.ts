import { gamma } from './distributions.ts';
import { poisson } from './poisson.ts';
import type { RandomSource } from './random-source.ts';

/**
 * Negative binomial variate: failures before so many successes, as a Poisson variate whose mean is gamma distributed.
 * Without successes there are no failures.
 *
 * @param odds of a failure against a success, at least 0
 */
export function negativeBinomial(random: RandomSource, successes: number, odds: number): number {
  if (successes === 0 || odds === 0) return 0;
  return poisson(random, gamma(random, successes) * odds);
}
