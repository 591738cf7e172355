import { lgamma } from '../numeric/gamma-function.ts';
import { exp, log } from '../numeric/portable-math.ts';
import { gamma } from './distributions.ts';
import type { RandomSource } from './random-source.ts';

/** Mean from which rejection is valid (Hörmann 1993b, section 4); below it a search from zero takes few steps. */
const REJECTION_MEAN = 10;

/**
 * Poisson variate of a mean from 0 to 2^50. By inversion where the mean is small, else by the transformed rejection with
 * squeeze of Hörmann (1993b, algorithm PTRS). Either is exact.
 */
export function poisson(random: RandomSource, mean: number): number {
  if (mean === 0) return 0;
  return mean < REJECTION_MEAN ? byInversion(random, mean) : byRejection(random, mean);
}

function byInversion(random: RandomSource, mean: number): number {
  let rest = random.uniform();
  let mass = exp(-mean);
  let events = 0;
  // Rounding can leave a rest when the masses have vanished.
  while (rest >= mass && mass > 0) {
    rest -= mass;
    events++;
    mass *= mean / events;
  }
  return events;
}

function byRejection(random: RandomSource, mean: number): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const accepted = 0.9277 - 3.6224 / (b - 2);
  const logMean = log(mean);
  for (;;) {
    const u = random.uniform() - 0.5;
    const v = random.uniform();
    const distance = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / distance + b) * u + mean + 0.43);
    if (distance >= 0.07 && v <= accepted) return k;
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    const height = (v * inverseAlpha) / (a / (distance * distance) + b);
    if (log(height) <= k * logMean - mean - lgamma(k + 1)) return k;
  }
}

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
