import type { Streams } from '../../random/streams.ts';
import type { CellSet } from './cell-evaluations.ts';

/** Cells that are added up together; sums are merged chunk by chunk, whatever the blocks. */
export const CELL_CHUNK = 64;

/** Most probable cells that are kept of every combination. */
export const GUESSES = 10;

/**
 * Densities are carried times this power of two, which changes none of their bits and keeps those down to 1e-460
 * from underflow; in r_x it cancels.
 */
export const DENSITY_SCALE = 1.3407807929942597e154;

/** Combinations whose r_x is wanted in all cells, and the chains that give its expectations. */
export interface CellProblem {
  /** Number of categories of each variable, in column order. */
  readonly sizes: readonly number[];
  /** combinations x variables. */
  readonly codes: Uint16Array;
  readonly classes: number;
  readonly sets: readonly CellSet[];
  readonly streams: Streams;
  readonly slope: number;
}

/**
 * What is left of the log-likelihoods l_x (that of the truth is 0) of all cells x that were scored. A weight is
 * w_x = exp(l_x - `largest`). Arrays are combinations x CELL_EVALUATIONS unless another shape is given.
 */
export interface CellSums {
  /** The largest l_x, at least 0. */
  readonly largest: Float64Array;
  /** Sum of w_x. */
  readonly sums: Float64Array;
  /** Sum of w_x l_x. */
  readonly logSums: Float64Array;
  /** Cells with l_x > 0, and with l_x = 0 (the truth among them). */
  readonly above: Float64Array;
  readonly equal: Float64Array;
  /** combinations x GUESSES: the largest l_x of the estimate itself; -1e300 where there are fewer cells. */
  readonly guessValues: Float64Array;
  /** combinations x GUESSES: their cells (see `cell-order.ts`). */
  readonly guessCells: Float64Array;
  /** combinations x categories of all variables: sum of w_x over the cells that have the category. */
  readonly marginals: Float64Array;
}

/** The draws of one chain, as `ChainDraws` has them. */
export interface CellDraws {
  readonly draws: number;
  /** draws x classes. */
  readonly weights: Float64Array;
  /** draws x categories of all variables x classes. */
  readonly probabilities: Float64Array;
}
