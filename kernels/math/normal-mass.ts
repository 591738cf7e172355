/** The probability of a normal within an interval, of shared/numeric/normal-mass.ts, operation by operation; see there. */
import { exp, log, log1p } from './portable-math';

const HALF_LOG_TWO_PI: f64 = 0.9189385332046727;
const NARROW: f64 = 1e-3;
const FAR: f64 = 1e6;
const REACH: f64 = 40;

const points: usize = memory.data<f64>([0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363], 16);
const weights: usize = memory.data<f64>([0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763], 16);

/** Logarithm of the probability that a standard normal variate lies from `a` to `b`. */
export function logNormalMass(a: f64, b: f64): f64 {
  const width = b - a;
  const middle = a + width / 2;
  if (width < NARROW && abs(middle) * width < 1) {
    const bend = ((middle * middle - 1) * width * width) / 24;
    return -(middle * middle) / 2 - HALF_LOG_TWO_PI + log(width) + log1p(bend);
  }
  const densest = min(max<f64>(0, a), b);
  const top = -(densest * densest) / 2;
  const distance = abs(densest);
  if (distance > FAR) return top - HALF_LOG_TWO_PI - log(distance) + log1p(-exp(-width * (distance + width / 2)));
  const unit = 1 / max<f64>(1, abs(densest));
  const from = max(a, densest - REACH * unit);
  const to = min(b, densest + REACH * unit);
  const pieces = ceil<f64>((to - from) / unit);
  const half = (to - from) / pieces / 2;
  let sum: f64 = 0;
  for (let piece: f64 = 0; piece < pieces; piece++) {
    const centre = from + (2 * piece + 1) * half;
    for (let i: usize = 0; i < 32; i += 8) {
      const step = half * load<f64>(points + i);
      const left = centre - step;
      const right = centre + step;
      sum += load<f64>(weights + i) * (exp(-(left * left) / 2 - top) + exp(-(right * right) / 2 - top));
    }
  }
  return top - HALF_LOG_TWO_PI + log(sum * half);
}
