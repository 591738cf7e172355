import type { RandomSource } from './random-source.ts';

/** So many distinct whole numbers below a bound, drawn one after the other without replacement. */
export function drawDistinct(random: RandomSource, bound: number, count: number): Uint32Array {
  const order = Uint32Array.from({ length: bound }, (_, number) => number);
  for (let place = 0; place < count; place++) {
    const other = place + random.below(bound - place);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order.slice(0, count);
}
