import { exp } from '../numeric/portable-math.ts';
import type { RandomSource } from './random-source.ts';
import { exponential, normal } from './ziggurat.ts';

/**
 * Normal of a mean and a standard deviation, given that it lies in [0, 1]: as if drawn again while it is outside, but as
 * fast where nearly all of it is. Beyond the end that is nearer to the mean, the distance from that end is drawn uniformly
 * where [0, 1] is narrow beside its scale, else from an exponential (Robert 1995, Statistics and Computing 5(2)).
 */
export function normalWithin(random: RandomSource, mean: number, deviation: number): number {
  if (mean > 0.5) return 1 - normalWithin(random, 1 - mean, deviation);
  if (mean >= 0 && deviation <= 1) {
    for (;;) {
      const value = mean + deviation * normal(random);
      if (value >= 0 && value <= 1) return value;
    }
  }
  /** How high the density is at a value, from 0 to 1, beside its highest within [0, 1]. */
  const height = (value: number) => {
    const nearest = Math.max(mean, 0);
    return exp((-0.5 * (value - nearest) * (value + nearest - 2 * mean)) / (deviation * deviation));
  };
  const low = Math.max(-mean, 0) / deviation;
  const rate = 0.5 * (low + Math.sqrt(low * low + 4));
  if (rate < deviation) {
    for (;;) {
      const value = random.uniform();
      if (random.uniform() < height(value)) return value;
    }
  }
  for (;;) {
    const distance = exponential(random) / rate;
    const excess = distance + low - rate;
    if (distance <= 1 / deviation && random.uniform() < exp(-0.5 * excess * excess)) return distance * deviation;
  }
}
