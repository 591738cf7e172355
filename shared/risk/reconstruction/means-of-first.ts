import { sortedOrder } from '../../numeric/sorted-order.ts';

/**
 * Means of some values over the first things in the order of their scores, from the largest. Of things that tie at the cut
 * each counts with the same share, as if they came in any order: what nothing tells apart has no first.
 *
 * @param values of each thing, some
 * @param cuts how many are the first, in rising order; as many as there are things at most
 * @returns cuts x values
 */
export function meansOfFirst(scores: Float64Array, values: readonly ArrayLike<number>[], cuts: readonly number[]): number[][] {
  const order = sortedOrder(scores).reverse();
  const sums = values.map(() => 0);
  const means: number[][] = [];
  let start = 0;
  for (const cut of cuts) {
    let tied = sums.map(() => 0);
    let end = start;
    while (end < order.length && start < cut) {
      tied = sums.map(() => 0);
      for (; end < order.length && scores[order[end]!] === scores[order[start]!]; end++) {
        for (let v = 0; v < values.length; v++) tied[v]! += values[v]![order[end]!]!;
      }
      if (end > cut) break;
      for (const v of sums.keys()) sums[v]! += tied[v]!;
      start = end;
    }
    const part = start < cut ? (cut - start) / (end - start) : 0;
    means.push(sums.map((sum, v) => (sum + part * tied[v]!) / cut));
  }
  return means;
}
