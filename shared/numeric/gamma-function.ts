import { log } from './portable-math.ts';

/**
 * log Gamma(x) for positive x, from portable operations alone. Below 10, recurrence Gamma(x + 1) = x Gamma(x) leads to the Taylor series about 2 (DLMF 5.7.3, 5.7.4), above to Stirling's series
 * (DLMF 5.11.1, 5.11.2).
 */

/** From here on eight terms of Stirling's series are more than enough. */
const STIRLING_FROM = 10;

/** 1 - Euler's constant: digamma(2). */
const DIGAMMA_OF_TWO = 0.42278433509846713;

/** (log(2 pi) - 1) / 2. */
const STIRLING_CONSTANT = 0.4189385332046727;

/** zeta(k) - 1 for k = 2, 3, ..., 29. */
const ZETA_LESS_ONE = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914, 0.008349277381922827,
  0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645, 0.0002460865533080483, 0.00012271334757848915,
  6.124813505870483e-5, 3.058823630702049e-5, 1.528225940865187e-5, 7.637197637899763e-6, 3.81729326499984e-6, 1.908212716553939e-6,
  9.539620338727962e-7, 4.769329867878064e-7, 2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8,
  1.4901554828365043e-8, 7.45071178983543e-9, 3.725334024788457e-9, 1.862659723513049e-9,
];

/** B_2n / 2n for n = 1, 2, ..., 8, with the Bernoulli numbers B_2n. */
const BERNOULLI_SHARES = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160];

/** log Gamma(2 + d) for |d| <= 1/2: (1 - gamma) d + sum over k >= 2 of (zeta(k) - 1) (-d)^k / k. */
function lgammaAboutTwo(d: number): number {
  let sum = 0;
  for (let k = ZETA_LESS_ONE.length + 1; k >= 2; k--) sum = ZETA_LESS_ONE[k - 2]! / k - d * sum;
  return DIGAMMA_OF_TWO * d + d * d * sum;
}

/** Stirling's series after its leading terms: sum over n >= 1 of B_2n / (2n (2n - 1) x^(2n - 1)). */
function stirlingSeries(x: number): number {
  const inverseSquare = 1 / (x * x);
  let sum = 0;
  for (let n = BERNOULLI_SHARES.length; n >= 1; n--) {
    sum = BERNOULLI_SHARES[n - 1]! / (2 * n - 1) + inverseSquare * sum;
  }
  return sum / x;
}

/**
 * What Stirling's formula (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2 leaves of {@link lgamma} at a positive number.
 * Differences of log-gammas of large numbers that are put together from it keep their digits.
 */
export function stirlingRemainder(x: number): number {
  return x >= STIRLING_FROM ? stirlingSeries(x) : lgamma(x) - ((x - 0.5) * (log(x) - 1) + STIRLING_CONSTANT);
}

/**
 * Logarithm of the gamma function at a positive number. Infinity at zero and Infinity, NaN for NaN and, since
 * nothing here needs them, for negative numbers. Error: below three units in the last place, beside the zeros 1
 * and 2 too, but up to six between 1.05 and 1.5.
 */
export function lgamma(x: number): number {
  if (!(x > 0)) return x === 0 ? Infinity : NaN;
  if (x === Infinity) return Infinity;
  if (x >= STIRLING_FROM) return (x - 0.5) * (log(x) - 1) + (STIRLING_CONSTANT + stirlingSeries(x));
  if (x < 0.5) return lgammaAboutTwo(x) - log(x * (1 + x));
  if (x < 1.5) return lgammaAboutTwo(x - 1) - log(x);
  let product = 1;
  let rest = x;
  while (rest > 2.5) {
    rest -= 1;
    product *= rest;
  }
  return log(product) + lgammaAboutTwo(rest - 2);
}
