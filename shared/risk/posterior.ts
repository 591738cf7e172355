import { exp, LN2, log } from '../numeric/portable-math.ts';

/** Posterior probabilities of candidates with equal priors, from log-likelihoods `values[from .. from + count)`. */
export function posterior(values: Float64Array, from: number, count: number): Float64Array {
  let largest = -Infinity;
  for (let x = 0; x < count; x++) largest = Math.max(largest, values[from + x]!);
  const probabilities = new Float64Array(count);
  let total = 0;
  for (let x = 0; x < count; x++) {
    probabilities[x] = exp(values[from + x]! - largest);
    total += probabilities[x]!;
  }
  for (let x = 0; x < count; x++) probabilities[x]! /= total;
  return probabilities;
}

/** Rank of `values[from + candidate]` among `count` values, 1 = largest, ties at their mean. */
export function rank(values: Float64Array, from: number, count: number, candidate: number): number {
  const own = values[from + candidate]!;
  let larger = 0;
  let equal = -1;
  for (let x = 0; x < count; x++) {
    const value = values[from + x]!;
    if (value > own) larger++;
    else if (value === own) equal++;
  }
  return 1 + larger + equal / 2;
}

/** Information of a distribution against the uniform one on the same candidates, in bits; at least 0. */
export function informationBits(probabilities: Float64Array): number {
  let nats = 0;
  for (const p of probabilities) if (p > 0) nats += p * log(p * probabilities.length);
  return Math.max(0, nats / LN2);
}
