import type { ClassCells } from './category-groups.ts';

/** Enough for an order of categories: further steps exchange neighbours, if any, that hardly differ. */
const STEPS = 24;

/**
 * The places of categories in the order of the first principal component of their class probabilities (Coppersmith et al.
 * 1999): with p_k the probabilities in category k, n_k its records and q those in the node, the first eigenvector of Σ_k
 * n_k (p_k - q)(p_k - q)', by power iteration from the p_k - q that adds most to the trace. Categories of one score keep
 * their order.
 */
export function principalOrder(cells: ClassCells, classes: number): number[] {
  const { sizes, starts, classes: classOf, counts } = cells;
  const categories = sizes.length;
  const totals = new Float64Array(classes);
  for (let k = 0; k < categories; k++) {
    for (let i = starts[k]!; i < starts[k + 1]!; i++) {
      totals[classOf[i]!]! += counts[i]!;
    }
  }
  let records = 0;
  for (const total of totals) records += total;
  const shares = totals.map((total) => total / records);
  let direction = farthestDeviation(shares, cells);
  const scores = new Float64Array(categories);
  for (let step = 0; step <= STEPS; step++) {
    let centre = 0;
    for (let j = 0; j < classes; j++) centre += shares[j]! * direction[j]!;
    for (let k = 0; k < categories; k++) {
      let score = 0;
      for (let i = starts[k]!; i < starts[k + 1]!; i++) score += counts[i]! * direction[classOf[i]!]!;
      scores[k] = score / sizes[k]! - centre;
    }
    // The matrix times the direction is Σ_k n_k p_k s_k, because the scores s_k, weighted by n_k, add up to nothing.
    const next = new Float64Array(classes);
    for (let k = 0; k < categories; k++) {
      for (let i = starts[k]!; i < starts[k + 1]!; i++) next[classOf[i]!]! += counts[i]! * scores[k]!;
    }
    let length = 0;
    for (const one of next) length += one * one;
    if (length === 0) break;
    length = Math.sqrt(length);
    direction = next.map((one) => one / length);
  }
  return Array.from(sizes.keys()).sort((a, b) => scores[a]! - scores[b]! || a - b);
}

/** The p_k - q of the greatest n_k |p_k - q|². */
function farthestDeviation(shares: Float64Array, { sizes, starts, classes: classOf, counts }: ClassCells): Float64Array {
  let squares = 0;
  for (const share of shares) squares += share * share;
  let greatest = -Infinity;
  let farthest = 0;
  for (let k = 0; k < sizes.length; k++) {
    let length = sizes[k]! * squares;
    for (let i = starts[k]!; i < starts[k + 1]!; i++) {
      length += counts[i]! * (counts[i]! / sizes[k]! - 2 * shares[classOf[i]!]!);
    }
    if (length > greatest) {
      greatest = length;
      farthest = k;
    }
  }
  const deviation = shares.map((share) => -share);
  for (let i = starts[farthest]!; i < starts[farthest + 1]!; i++) {
    deviation[classOf[i]!]! += counts[i]! / sizes[farthest]!;
  }
  return deviation;
}
