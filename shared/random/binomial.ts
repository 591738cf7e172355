import { stirlingRemainder } from '../numeric/gamma-function.ts';
import { exp, log, log1p } from '../numeric/portable-math.ts';
import type { RandomSource } from './random-source.ts';

/** Mean from which rejection is valid (Hörmann 1993, section 3); below it a search from zero takes few steps. */
const REJECTION_MEAN = 10;

/**
 * Binomial variate: successes among `trials` of probability `probability`, which may be 0 or 1.
 *
 * By inversion where few successes, or few failures, are expected; else by the transformed rejection with squeeze
 * of Hörmann (1993, algorithm BTRS). Either is exact.
 *
 * @param trials a whole number, up to 2^53
 */
export function binomial(random: RandomSource, trials: number, probability: number): number {
  if (probability > 0.5) return trials - fewer(random, trials, 1 - probability);
  return fewer(random, trials, probability);
}

/** For a probability of at most one half. */
function fewer(random: RandomSource, trials: number, probability: number): number {
  const mean = trials * probability;
  if (mean === 0) return 0;
  return mean < REJECTION_MEAN ? byInversion(random, trials, probability) : byRejection(random, trials, probability);
}

function byInversion(random: RandomSource, trials: number, probability: number): number {
  let rest = random.uniform();
  // (1 - p)^n >= 1 - n p: most variates of a small mean are zero, and need no power to say so.
  if (rest < 1 - trials * probability) return 0;
  const odds = probability / (1 - probability);
  let mass = exp(trials * log1p(-probability));
  let successes = 0;
  while (rest >= mass && successes < trials) {
    rest -= mass;
    mass *= ((trials - successes) / (successes + 1)) * odds;
    successes++;
  }
  return successes;
}

function byRejection(random: RandomSource, trials: number, probability: number): number {
  const failure = 1 - probability;
  const deviation = Math.sqrt(trials * probability * failure);
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const c = trials * probability + 0.5;
  const accepted = 0.92 - 4.2 / b;
  for (;;) {
    const u = random.uniform() - 0.5;
    const v = random.uniform();
    const distance = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / distance + b) * u + c);
    if (distance >= 0.07 && v <= accepted) return k;
    if (k < 0 || k > trials) continue;
    const height = (v * (2.83 + 5.1 / b) * deviation) / (a / (distance * distance) + b);
    if (log(height) <= logMassFromMode(trials, probability, k)) return k;
  }
}

/** log of P(k) / P(mode), from Stirling's formula for each factorial, so that large numbers do not cancel. */
function logMassFromMode(trials: number, probability: number, k: number): number {
  const odds = probability / (1 - probability);
  const mode = Math.floor((trials + 1) * probability);
  return (
    (mode + 0.5) * log((mode + 1) / (odds * (trials - mode + 1))) +
    (trials + 1) * log((trials - mode + 1) / (trials - k + 1)) +
    (k + 0.5) * log((odds * (trials - k + 1)) / (k + 1)) +
    (stirlingRemainder(mode + 1) + stirlingRemainder(trials - mode + 1)) -
    (stirlingRemainder(k + 1) + stirlingRemainder(trials - k + 1))
  );
}
