import type { RandomStream } from '../../random/random-stream.ts';

/** One draw of the parameters, and all that the next iteration needs. */
export interface ChainState {
  /** pi, one entry a class, summing to 1. */
  readonly weights: Float64Array;
  /** phi, categories of all variables end to end x classes, classes innermost. */
  readonly probabilities: Float64Array;
  /** alpha. */
  readonly concentration: number;
  /** Classes that held at least one record of the table in the allocation behind this draw. */
  readonly occupiedClasses: number;
  /** What the next iteration of another model needs beside these; see `dp-areal/latent.ts`. */
  readonly latent?: Float64Array;
}

/** The classes of the records that a state was drawn given, by its labels. */
export interface Allocation {
  /** Records of each class that have each category: categories of all variables end to end x classes. */
  readonly counts: Uint32Array;
  /** Class of one record of each combination; which one does not matter, since they are exchangeable. */
  readonly classOfCombination: Uint16Array;
  /** Where values are continuous, their sums; see `mixed/mixed-draws.ts`. */
  readonly valueSums?: Float64Array;
}

/** The sampler of a model with classes, bound to the records that the model is fitted to. */
export interface ChainSampler {
  /** A state drawn given an allocation of the records over all classes at random. */
  init(random: RandomStream): ChainState;
  /**
   * Iterations of the Gibbs sampler, one if not said otherwise, each followed by `onIteration`. The states between are
   * not looked at, which saves copying them. Throws RangeError when a weight is not a number.
   */
  step(state: ChainState, random: RandomStream, iterations?: number, onIteration?: () => void): ChainState;
  /**
   * The allocation behind the state that `step` gave last. Absent where phi cannot be integrated out given it alone, one
   * variable at a time: where cells are impossible, or a record has several values of a variable.
   */
  allocation?(): Allocation;
  /** Log-likelihood of the records under a state's parameters (nats). */
  logLikelihood(state: ChainState): number;
}
