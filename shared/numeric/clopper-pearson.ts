import { lgamma } from './gamma-function.ts';
import { exp, log, log1p } from './portable-math.ts';

/** Smallest number that a denominator of the continued fraction may have (Lentz's method). */
const TINY = 1e-300;

/** Halvings of [0, 1] after which a double has no bits left to find. */
const HALVINGS = 60;

/** Terms of the continued fraction at most: about the square root of the larger parameter is needed. */
const MOST_TERMS = 100_000;

/**
 * The regularized incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22) in Lentz's form; relative
 * error about 1e-9 for parameters of a million, which is that of their log-gammas.
 *
 * @param a above 0
 * @param b above 0
 * @param x from 0 to 1
 */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on one side of the mean, and the other side is its complement.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  return (exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a) * betaFraction(a, b, x);
}

/** The continued fraction of I_x(a, b), for x below the mean. */
export function betaFraction(a: number, b: number, x: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

/** The x at which I_x(a, b) is a probability, by halving. */
function betaQuantile(a: number, b: number, probability: number): number {
  let low = 0;
  let high = 1;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(a, b, middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The exact interval of Clopper and Pearson (1934) for a share: it holds the true one with at least the probability that
 * is asked for, whatever that is.
 *
 * @param successes from 0 to `trials`
 * @param trials at least 1
 */
export function clopperPearson(successes: number, trials: number, confidence = 0.95): [number, number] {
  const tail = (1 - confidence) / 2;
  const low = successes === 0 ? 0 : betaQuantile(successes, trials - successes + 1, tail);
  const high = successes === trials ? 1 : betaQuantile(successes + 1, trials - successes, 1 - tail);
  return [low, high];
}
