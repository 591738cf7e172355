/** The variate of shared/random/gamma-below.ts, operation by operation. */
import { exp, expm1 } from '../math/portable-math';
import { gamma } from './gamma';
import { uniform } from './stream';
import { exponential } from './ziggurat';

/** Gamma(shape, 1) given that it is at most `limit`. */
export function gammaBelow(shape: f64, limit: f64): f64 {
  if (limit >= shape - 0.5 * sqrt<f64>(shape)) {
    while (true) {
      const variate = gamma(shape);
      if (variate <= limit) return variate;
    }
  }
  const slope = shape - limit;
  while (true) {
    const x = -exponential() / slope;
    if (uniform() < exp(limit * (x - expm1(x)))) return limit * exp(x);
  }
  return NaN;
}
