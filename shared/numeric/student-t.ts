import { betaFraction } from './clopper-pearson.ts';
import { lgamma } from './gamma-function.ts';
import { exp, log } from './portable-math.ts';

/** Probability outside of a 95 % interval, and how many standard errors of the normal distribution that is. */
const TAILS = 0.05;
const NORMAL = 1.959963984540054;

/** From so many degrees of freedom on the series about the normal distribution is exact to the last digits. */
const SERIES_FROM = 10_000;

/** The regularized incomplete beta function I_x(a, b), with 1 - x beside x so that neither loses digits. */
function incompleteBeta(x: number, complement: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(complement, x, b, a);
  return (exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(complement)) / a) * betaFraction(a, b, x);
}

/** Probability that Student's t is farther from zero than a value from 0. */
function twoTails(t: number, df: number): number {
  const square = t * t;
  const sum = df + square;
  return incompleteBeta(df / sum, square / sum, df / 2, 0.5);
}

/**
 * Half the width of a 95 % interval by Student's t, in standard errors: t exceeds it in absolute value with probability
 * 0.05. For very many degrees of freedom by the series of Abramowitz and Stegun 26.7.5.
 *
 * @param df degrees of freedom, positive; not necessarily whole, Infinity for the normal distribution
 * @returns Infinity where it is above 10^150
 */
export function studentHalfWidth(df: number): number {
  if (df >= SERIES_FROM) {
    const square = NORMAL * NORMAL;
    const first = (NORMAL * (square + 1)) / 4;
    const second = (NORMAL * ((5 * square + 16) * square + 3)) / 96;
    return NORMAL + (first + second / df) / df;
  }
  let high = 1;
  while (high < 1e150 && twoTails(high, df) > TAILS) high *= 2;
  if (high >= 1e150) return Infinity;
  let low = high === 1 ? 0 : high / 2;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return high;
    if (twoTails(middle, df) > TAILS) low = middle;
    else high = middle;
  }
}
