import { exp, log } from './portable-math.ts';

/** log of the sum of exponentials of `values[from .. to)`, free of overflow; -Infinity for none, or for -Infinity alone. */
export function logSumExp(values: Float64Array, from = 0, to = values.length): number {
  let largest = -Infinity;
  for (let i = from; i < to; i++) if (values[i]! > largest) largest = values[i]!;
  if (largest === -Infinity) return -Infinity;
  let sum = 0;
  for (let i = from; i < to; i++) sum += exp(values[i]! - largest);
  return largest + log(sum);
}
