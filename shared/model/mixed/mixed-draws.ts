import type { Allocation, ChainState } from '../chains/chain-sampler.ts';

/** Parameters of one continuous variable; vectors over classes. */
export interface NormalParameters {
  /** mu, unit scale. */
  readonly means: Float64Array;
  /** sigma squared, unit scale. */
  readonly variances: Float64Array;
}

/** Numbers of `latent` in a state of the model `mixed`: for each continuous variable mu, then sigma squared, of every class. */
export const latentNumbers = (continuous: number, classes: number): number => 2 * continuous * classes;

/** `latent` of a state or draw; throws RangeError without it. */
export function requireLatent({ latent }: Pick<ChainState, 'latent'>): Float64Array {
  if (latent === undefined) throw new RangeError('a state of the model mixed needs its latent numbers');
  return latent;
}

/** Parameters of each continuous variable in a state or draw, sharing its array. */
export function normalParameters(state: Pick<ChainState, 'latent' | 'weights'>): NormalParameters[] {
  const latent = requireLatent(state);
  const classes = state.weights.length;
  return Array.from({ length: latent.length / (2 * classes) }, (_, j) => {
    const from = 2 * j * classes;
    return { means: latent.subarray(from, from + classes), variances: latent.subarray(from + classes, from + 2 * classes) };
  });
}

/** Values of one continuous variable in each class, from which its parameters are integrated out; vectors over classes. */
export interface NormalSums {
  /** How many values; those in a mass and missing ones are not counted. */
  readonly numbers: Float64Array;
  /** Their mean; 0 without any. */
  readonly averages: Float64Array;
  /** Sum of their squared distances from that mean. */
  readonly squares: Float64Array;
}

/** Numbers of `valueSums` in an allocation: for each continuous variable the three vectors of {@link NormalSums}. */
export const sumNumbers = (continuous: number, classes: number): number => 3 * continuous * classes;

/** The sums of each continuous variable in the allocation behind a draw, sharing its array. */
export function normalSums({ valueSums }: Pick<Allocation, 'valueSums'>, classes: number): NormalSums[] {
  if (valueSums === undefined) throw new RangeError('an allocation of the model mixed needs its sums of values');
  return Array.from({ length: valueSums.length / (3 * classes) }, (_, j) => {
    const vector = (which: number) => valueSums.subarray((3 * j + which) * classes, (3 * j + which + 1) * classes);
    return { numbers: vector(0), averages: vector(1), squares: vector(2) };
  });
}
