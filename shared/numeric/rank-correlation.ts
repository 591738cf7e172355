import { sortedOrder } from './sorted-order.ts';

/** Ranks of values from 1, ties at their mean. */
export function meanRanks(values: Float64Array): Float64Array {
  const order = sortedOrder(values);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let i = from; i < to; i++) ranks[order[i]!] = (from + to + 1) / 2;
    from = to;
  }
  return ranks;
}

/** Spearman's rank correlation, ties at their mean; null when either side is constant or has fewer than two values. */
export function rankCorrelation(first: Float64Array, second: Float64Array): number | null {
  const a = meanRanks(first);
  const b = meanRanks(second);
  const mean = (a.length + 1) / 2;
  let covariance = 0;
  let varianceA = 0;
  let varianceB = 0;
  for (let i = 0; i < a.length; i++) {
    covariance += (a[i]! - mean) * (b[i]! - mean);
    varianceA += (a[i]! - mean) * (a[i]! - mean);
    varianceB += (b[i]! - mean) * (b[i]! - mean);
  }
  return varianceA > 0 && varianceB > 0 ? covariance / Math.sqrt(varianceA * varianceB) : null;
}
