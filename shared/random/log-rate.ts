import { exp, expm1, log } from '../numeric/portable-math.ts';
import type { RandomSource } from './random-source.ts';
import { exponential } from './ziggurat.ts';

/** Newton's method ends with a step below this: what is left is its square. */
const LAST_STEP = 1e-6;

/** Where tangents of a normal log-density, sqrt(2) standard deviations out, leave the least area. */
const TANGENT_SQUARED = 2;

/**
 * The mode: the root of count - e^y - precision (y - mean), which falls and bends downwards. From the right of it
 * Newton's method comes down to it without overshooting.
 */
function modeOf(count: number, mean: number, precision: number): number {
  let y: number;
  if (count === 0) {
    // The root is mean - w with w below log 2 + max(log(e^mean / precision), 0), for w + log w = log(e^mean / precision).
    const logPrecision = log(precision);
    const largest = Math.max(mean - logPrecision, 0) + Math.LN2;
    y = Math.min(mean, logPrecision + log(largest));
  } else {
    const logCount = log(count);
    y = logCount + (precision * (mean - logCount)) / (count + precision);
    // The root is no less than log(count) here, so that e^y is no more than this.
    if (mean > logCount) y = Math.min(y, log(count + precision * (mean - logCount)));
  }
  for (;;) {
    const rate = exp(y);
    const step = (count - rate - precision * (y - mean)) / (rate + precision);
    y += step;
    if (!(step < -LAST_STEP)) return y;
  }
}

/**
 * Logarithm of a Poisson rate given its count, and given that it is normal beforehand: a variate with the density
 * proportional to exp(count y - e^y - precision (y - mean)^2 / 2). Exact, by rejection (Devroye 1986, section VII.2): the
 * log-density is concave, and lies below its maximum and its tangents on either side. About 1.2 proposals a variate
 * where counts are large, and 1.6 at most where it matters.
 *
 * @param count at least 0; it need not be whole
 * @throws RangeError when an argument is not a number, or the precision not positive
 */
export function logRate(random: RandomSource, count: number, mean: number, precision: number): number {
  const mode = modeOf(count, mean, precision);
  const rate = exp(mode);
  const curvature = rate + precision;
  if (!(Math.abs(mode) < Infinity && precision > 0 && curvature < Infinity)) {
    throw new RangeError('the mode of a log rate is not a number');
  }
  /** Log-density at a distance from the mode, where it is 0: what is linear in it cancels. */
  const height = (d: number) => -rate * (expm1(d) - d) - 0.5 * precision * d * d;
  const distance = Math.sqrt(TANGENT_SQUARED / curvature);
  // Tangents at both distances, and where they reach the height of the mode.
  const growth = expm1(distance);
  const decline = growth / (1 + growth);
  const square = 0.5 * precision * distance * distance;
  const fall = rate * growth + precision * distance;
  const rise = rate * decline + precision * distance;
  const right = distance - (rate * (growth - distance) + square) / fall;
  const left = distance - (rate * (distance - decline) + square) / rise;
  const area = 1 / rise + left + right + 1 / fall;
  for (;;) {
    const place = random.uniform() * area - 1 / rise;
    let d: number;
    let bound = 0;
    if (place < 0) {
      const beyond = exponential(random);
      d = -left - beyond / rise;
      bound = -beyond;
    } else if (place < left + right) {
      d = place - left;
    } else {
      const beyond = exponential(random);
      d = right + beyond / fall;
      bound = -beyond;
    }
    if (bound - exponential(random) <= height(d)) return mode + d;
  }
}
