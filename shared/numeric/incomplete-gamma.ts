import { lgamma } from './gamma-function.ts';
import { exp, log, log1p } from './portable-math.ts';

/** Relative size of a term that no longer counts. */
const EPSILON = 1e-16;

/** A share that is missing from 1 and makes no difference: exp(-28) is below 1e-12. */
const NEGLIGIBLE = 28;

/** True where Q(a, x) = 1 - P(a, x) is below 1e-12, by Chernoff's bound. */
export const isWhole = (a: number, x: number): boolean => x > a && x - a - a * log(x / a) > NEGLIGIBLE;

/**
 * Logarithm of the regularized lower incomplete gamma function P(a, x), the probability that a Gamma(a, 1) variable is at most x:
 * by its series (DLMF 8.11.4) below a + 1, above by the continued fraction of its complement (DLMF 8.9.2) in Lentz's form.
 *
 * @param a positive
 * @param x positive
 */
export function logLowerGamma(a: number, x: number): number {
  if (x === Infinity) return 0;
  const logFactor = a * log(x) - x - lgamma(a);
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * EPSILON; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return logFactor + log(sum);
  }
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; ; n++) {
    const numerator = n * (a - n);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    const change = c * d;
    fraction *= change;
    if (Math.abs(change - 1) < 4 * EPSILON) break;
  }
  return log1p(-Math.min(1, exp(logFactor) * fraction));
}
