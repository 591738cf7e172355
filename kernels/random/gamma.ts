/** The gamma variates of shared/random/distributions.ts, operation by operation. */
import { exp, log } from '../math/portable-math';
import { uniform } from './stream';
import { exponential, normal } from './ziggurat';

/** Gamma(shape, 1) for shape >= 1. */
export function gammaFromOne(shape: f64): f64 {
  if (shape == 1) return exponential();
  const d = shape - 1.0 / 3.0;
  const c = 1 / sqrt<f64>(9 * d);
  while (true) {
    const x = normal();
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = uniform();
    const square = x * x;
    if (u < 1 - 0.0331 * square * square) return d * v;
    if (log(u) < 0.5 * square + d * (1 - v + log(v))) return d * v;
  }
  return NaN;
}

/** Logarithm of a Gamma(shape, 1) variate. */
export function logGammaVariate(shape: f64): f64 {
  if (shape >= 1) return log(gammaFromOne(shape));
  return log(gammaFromOne(shape + 1)) + log(uniform()) / shape;
}

/** Gamma variate of the given shape and rate 1. */
export function gamma(shape: f64): f64 {
  return shape >= 1 ? gammaFromOne(shape) : exp(logGammaVariate(shape));
}
