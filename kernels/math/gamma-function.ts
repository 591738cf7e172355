/** The functions of shared/numeric/gamma-function.ts, operation by operation: the same bits. See there. */
import { log } from './portable-math';

const STIRLING_FROM: f64 = 10;
const DIGAMMA_OF_TWO: f64 = 0.42278433509846713;
const STIRLING_CONSTANT: f64 = 0.4189385332046727;

/** zeta(k) - 1 for k = 2, 3, ..., 29. */
const ZETAS: i32 = 28;
const zetaLessOne: usize = memory.data<f64>([
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993,
  0.01734306198444914, 0.008349277381922827, 0.00407735619794434, 0.0020083928260822143,
  0.0009945751278180853, 0.0004941886041194645, 0.0002460865533080483, 0.00012271334757848915,
  6.124813505870483e-05, 3.058823630702049e-05, 1.528225940865187e-05, 7.637197637899763e-06,
  3.81729326499984e-06, 1.908212716553939e-06, 9.539620338727962e-07, 4.769329867878064e-07,
  2.38450502727733e-07, 1.1921992596531106e-07, 5.960818905125948e-08, 2.980350351465228e-08,
  1.4901554828365043e-08, 7.45071178983543e-09, 3.725334024788457e-09, 1.862659723513049e-09,
]);

/** B_2n / 2n for n = 1, 2, ..., 8. */
const BERNOULLIS: i32 = 8;
const bernoulliShares: usize = memory.data<f64>([
  1.0 / 12.0,
  -1.0 / 120.0,
  1.0 / 252.0,
  -1.0 / 240.0,
  1.0 / 132.0,
  -691.0 / 32760.0,
  1.0 / 12.0,
  -3617.0 / 8160.0,
]);

function entry(table: usize, index: i32): f64 {
  return load<f64>(table + (<usize>index << 3));
}

function lgammaAboutTwo(d: f64): f64 {
  let sum: f64 = 0;
  for (let k = ZETAS + 1; k >= 2; k--) sum = entry(zetaLessOne, k - 2) / <f64>k - d * sum;
  return DIGAMMA_OF_TWO * d + d * d * sum;
}

function stirlingSeries(x: f64): f64 {
  const inverseSquare = 1 / (x * x);
  let sum: f64 = 0;
  for (let n = BERNOULLIS; n >= 1; n--) {
    sum = entry(bernoulliShares, n - 1) / <f64>(2 * n - 1) + inverseSquare * sum;
  }
  return sum / x;
}

/** What Stirling's formula leaves of `lgamma` at a positive number. */
export function stirlingRemainder(x: f64): f64 {
  return x >= STIRLING_FROM ? stirlingSeries(x) : lgamma(x) - ((x - 0.5) * (log(x) - 1) + STIRLING_CONSTANT);
}

/** Logarithm of the gamma function at a positive number. */
export function lgamma(x: f64): f64 {
  if (!(x > 0)) return x == 0 ? Infinity : NaN;
  if (x == Infinity) return Infinity;
  if (x >= STIRLING_FROM) return (x - 0.5) * (log(x) - 1) + (STIRLING_CONSTANT + stirlingSeries(x));
  if (x < 0.5) return lgammaAboutTwo(x) - log(x * (1 + x));
  if (x < 1.5) return lgammaAboutTwo(x - 1) - log(x);
  let product: f64 = 1;
  let rest = x;
  while (rest > 2.5) {
    rest -= 1;
    product *= rest;
  }
  return log(product) + lgammaAboutTwo(rest - 2);
}
