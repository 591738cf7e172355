/**
 * When two logarithms of probabilities count as equal, so that they share a place (docs/explanation/estimators.md, ties).
 * Numbers that are equal in theory differ by rounding, and by the error of the simulation where they are simulated: whichever
 * of them came out larger would be the first guess, and the truth, whose ratio is exactly 1, more often than its share.
 */
export const TIES = {
  /** Rounding, 2^-36: a mean over 100,000 draws, each rounded to 2^-53, is off by less. */
  rounding: 1 / 68_719_476_736,
  /** Standard errors of simulation: a true tie is missed once in 370 (normal distribution). */
  errors: 3,
  /**
   * Log odds that are no tie, however noisy the simulation: sharing a guess there would cost a hundredth of it (the better of two
   * is right with 51.25 %), and beyond it more than a tie is worth.
   */
  most: 0.05,
} as const;

/** Where a score stands among others, itself included. */
export interface Standing {
  /** 1 = the largest, ties at their mean. */
  readonly rank: number;
  /** The chance that it is the first guess: of t that share the first place 1 / t. */
  readonly first: number;
}

/**
 * Where a score stands among `count` scores.
 *
 * @param scores logarithms, `scores[from .. from + count)`; `one` is its place among them
 * @param tolerances of each score, how far it may be from this one and tie with it; those of rounding if left out
 */
export function standing(scores: ArrayLike<number>, from: number, count: number, one: number, tolerances?: ArrayLike<number>): Standing {
  const own = scores[from + one]!;
  let above = 0;
  let ties = 0;
  for (let x = 0; x < count; x++) {
    if (x === one) continue;
    const gap = scores[from + x]! - own;
    const tolerance = tolerances?.[x] ?? TIES.rounding;
    if (gap > tolerance) above++;
    else if (gap >= -tolerance) ties++;
  }
  return { rank: 1 + above + ties / 2, first: above === 0 ? 1 / (1 + ties) : 0 };
}
