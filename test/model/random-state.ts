import { dirichlet } from '../../bench/plain/dirichlet.ts';
import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';

/** A state with pi and phi from symmetric Dirichlet distributions, laid out as the model lays them out. */
export function randomState(random: RandomStream, sizes: readonly number[], classes: number, shape = 1): ChainState {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const probabilities = new Float64Array(total * classes);
  for (let f = 0; f < classes; f++) {
    let offset = 0;
    for (const size of sizes) {
      const own = dirichlet(random, new Array<number>(size).fill(shape));
      for (let c = 0; c < size; c++) probabilities[(offset + c) * classes + f] = own[c]!;
      offset += size;
    }
  }
  return { weights: dirichlet(random, new Array<number>(classes).fill(shape)), probabilities, concentration: 1, occupiedClasses: classes };
}

/** Codes of `records` x `sizes.length`, uniform over categories. */
export function randomCodes(random: RandomStream, sizes: readonly number[], records: number): Uint16Array {
  return Uint16Array.from({ length: records * sizes.length }, (_, i) => random.below(sizes[i % sizes.length]!));
}

/** log f(x | Theta) from its definition, one logarithm a factor, so that nothing underflows. */
export function naiveLogDensity(
  state: Pick<ChainState, 'weights' | 'probabilities'>,
  sizes: readonly number[],
  codes: ArrayLike<number>,
): number {
  const classes = state.weights.length;
  const logs: number[] = [];
  for (let f = 0; f < classes; f++) {
    let value = Math.log(state.weights[f]!);
    let offset = 0;
    for (const [k, size] of sizes.entries()) {
      value += Math.log(state.probabilities[(offset + codes[k]!) * classes + f]!);
      offset += size;
    }
    logs.push(value);
  }
  const largest = Math.max(...logs);
  return largest + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - largest), 0));
}
