import { exp, expm1 } from '../numeric/portable-math.ts';
import { gamma } from './distributions.ts';
import type { RandomSource } from './random-source.ts';
import { exponential } from './ziggurat.ts';

/**
 * Gamma(shape, 1) given that it is at most `limit`. Where the limit is half a standard deviation below the mean or less, the
 * logarithm of the variate has a concave log density that rises up to the limit, and a tangent there lies above it: the
 * distance below the limit is drawn from an exponential, and accepted by what the tangent is too high.
 */
export function gammaBelow(random: RandomSource, shape: number, limit: number): number {
  if (limit >= shape - 0.5 * Math.sqrt(shape)) {
    for (;;) {
      const variate = gamma(random, shape);
      if (variate <= limit) return variate;
    }
  }
  const slope = shape - limit;
  for (;;) {
    const x = -exponential(random) / slope;
    if (random.uniform() < exp(limit * (x - expm1(x)))) return limit * exp(x);
  }
}
