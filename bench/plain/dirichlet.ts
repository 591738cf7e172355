import { exp } from '../../shared/numeric/portable-math.ts';
import { gamma, logBetaPair, logGammaVariate } from '../../shared/random/distributions.ts';
import type { RandomSource } from '../../shared/random/random-source.ts';

/** Beta(a, b) variate; may round to 0 or 1 for small parameters, where {@link logBetaPair} does not. */
export function beta(random: RandomSource, a: number, b: number): number {
  return exp(logBetaPair(random, a, b)[0]);
}

/**
 * Dirichlet variate. `shapes` and the result have one entry a category; the result sums to 1 to rounding.
 * Gammas are taken in logs when any shape is below 1, so that not all of them can underflow.
 */
export function dirichlet(random: RandomSource, shapes: ArrayLike<number>): Float64Array {
  const values = new Float64Array(shapes.length);
  let smallest = Infinity;
  for (let c = 0; c < shapes.length; c++) smallest = Math.min(smallest, shapes[c]!);
  if (smallest >= 1) {
    for (let c = 0; c < shapes.length; c++) values[c] = gamma(random, shapes[c]!);
  } else {
    let largest = -Infinity;
    for (let c = 0; c < shapes.length; c++) {
      values[c] = logGammaVariate(random, shapes[c]!);
      largest = Math.max(largest, values[c]!);
    }
    for (let c = 0; c < shapes.length; c++) values[c] = exp(values[c]! - largest);
  }
  let total = 0;
  for (const value of values) total += value;
  for (let c = 0; c < shapes.length; c++) values[c]! /= total;
  return values;
}
