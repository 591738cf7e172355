import { exp, LN2, log } from '../../numeric/portable-math.ts';

/**
 * Sums over candidates are the sum over even ones plus the sum over odd ones, so that kernels can add two at a
 * time to the same bits.
 */
function addByParity(count: number, summand: (x: number) => number): number {
  const sums: [number, number] = [0, 0];
  for (let x = 0; x < count; x++) sums[(x & 1) as 0 | 1] += summand(x);
  return sums[0] + sums[1];
}

function largestOf(values: Float64Array, from: number, count: number): number {
  let largest = -Infinity;
  for (let x = 0; x < count; x++) largest = Math.max(largest, values[from + x]!);
  return largest;
}

/** Posterior probabilities of candidates with equal priors, from log-likelihoods `values[from .. from + count)`. */
export function posterior(values: Float64Array, from: number, count: number): Float64Array {
  const largest = largestOf(values, from, count);
  const probabilities = new Float64Array(count);
  for (let x = 0; x < count; x++) probabilities[x] = exp(values[from + x]! - largest);
  const total = addByParity(count, (x) => probabilities[x]!);
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

/**
 * Information of the {@link posterior} against the uniform distribution on the same candidates, in bits; at least
 * 0. With w_x = exp(v_x - largest) and W their sum, sum of p log(C p) = log(C / W) + sum of w (v - largest) / W.
 */
export function informationBits(values: Float64Array, from: number, count: number): number {
  const largest = largestOf(values, from, count);
  const weights = Float64Array.from({ length: count }, (_, x) => exp(values[from + x]! - largest));
  const total = addByParity(count, (x) => weights[x]!);
  const moment = addByParity(count, (x) => weights[x]! * (values[from + x]! - largest));
  return Math.max(0, (log(count / total) + moment / total) / LN2);
}
