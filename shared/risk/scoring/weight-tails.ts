import { fitGeneralizedPareto } from '../../numeric/generalized-pareto.ts';
import { exp, log } from '../../numeric/portable-math.ts';

/** Fewer draws than these in a tail say nothing of its shape (Vehtari et al. 2024). */
const LEAST_TAIL = 5;

/** Beyond this shape no number of draws that anybody has makes a mean reliable (Vehtari et al. 2024). */
const LARGEST_SHAPE = 0.7;

/** Draws in the tail of S draws that is fitted: min(S / 5, 3 sqrt(S)), rounded up (Vehtari et al. 2024). */
export function tailLength(draws: number): number {
  return Math.ceil(Math.min(draws / 5, 3 * Math.sqrt(draws)));
}

/**
 * The shape k above which the mean of S draws and its standard error are not to be relied upon:
 * min(1 - 1 / log10 S, 0.7) (Vehtari et al. 2024).
 */
export function shapeThreshold(draws: number): number {
  return Math.min(1 - log(10) / log(draws), LARGEST_SHAPE);
}

/**
 * The Pareto k of the largest weights: shape of the generalized Pareto distribution that fits how far they exceed the
 * largest weight below them.
 *
 * @param logs logarithms of the weights: the tail and the one below it, in any order
 * @returns NaN where the tail has fewer than five draws, or a quarter of them exceed it by nothing
 */
function tailShape(logs: Float64Array): number {
  const sorted = logs.slice().sort();
  const tail = sorted.subarray(1);
  if (tail.length < LEAST_TAIL) return NaN;
  const largest = tail[tail.length - 1]!;
  const cut = exp(sorted[0]! - largest);
  return fitGeneralizedPareto(tail.map((value) => exp(value - largest) - cut))?.k ?? NaN;
}

/** The Pareto k of weights that are given by their logarithms; NaN as {@link WeightTails.shapes} has it. */
export function paretoShape(logWeights: Float64Array): number {
  return tailShape(
    logWeights
      .slice()
      .sort()
      .subarray(-tailLength(logWeights.length) - 1),
  );
}

/**
 * The tails of the weights 1 / f(x_i | Theta) over the draws of an expectation: of each row it keeps the largest, chain
 * after chain, so that its memory hardly grows with the draws.
 */
export class WeightTails {
  readonly #rows: number;
  readonly #kept: number;
  /** rows x kept: of each row a heap, its least first. */
  readonly #heaps: Float64Array;

  /** @param draws of all chains together */
  constructor(rows: number, draws: number) {
    this.#rows = rows;
    this.#kept = Math.min(draws, tailLength(draws) + 1);
    this.#heaps = new Float64Array(rows * this.#kept).fill(-Infinity);
  }

  /**
   * Adds the draws of a chain, relative to the chain's geometric mean: how far chains lie from each other is what
   * resampling them measures, and a mode of its own far from the others would be taken for a tail.
   *
   * @param logWeights draws x rows
   */
  add(logWeights: Float64Array): void {
    const rows = this.#rows;
    const draws = logWeights.length / rows;
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let at = row; at < logWeights.length; at += rows) sum += logWeights[at]!;
      const level = sum / draws;
      for (let at = row; at < logWeights.length; at += rows) {
        this.#addTo(row * this.#kept, logWeights[at]! - level);
      }
    }
  }

  /** The Pareto k of every row; NaN where its tail has fewer than five draws, or does not vary. */
  shapes(): Float64Array {
    return Float64Array.from({ length: this.#rows }, (_, row) => tailShape(this.#heaps.subarray(row * this.#kept, (row + 1) * this.#kept)));
  }

  /** Puts a value in the place of the least one of the heap that begins at `from`, if it is larger. */
  #addTo(from: number, value: number): void {
    const heap = this.#heaps;
    if (!(value > heap[from]!)) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#kept) break;
      if (child + 1 < this.#kept && heap[from + child + 1]! < heap[from + child]!) child++;
      if (heap[from + child]! >= value) break;
      heap[from + at] = heap[from + child]!;
      at = child;
    }
    heap[from + at] = value;
  }
}
