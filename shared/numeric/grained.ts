/**
 * Sums over records are kept in multiples of 2^-20, which doubles add without rounding: so they do not
 * depend on how combinations fall into batches. They serve means and standard errors, for which that is plenty.
 */
const SUM_GRAIN = 1 / 1_048_576;

/** Squares are smaller, and their sums too. */
const SQUARE_GRAIN = 1 / 1_073_741_824;

/** A number as it is added to a sum over records. */
export function grained(value: number): number {
  return Math.round(value / SUM_GRAIN) * SUM_GRAIN;
}

/** A square as it is added to a sum over records. */
export function grainedSquare(value: number): number {
  return Math.round(value / SQUARE_GRAIN) * SQUARE_GRAIN;
}
