import { log } from '../../numeric/portable-math.ts';

/**
 * Where the scoring cuts the variables in two: it decides in which order factors are multiplied, hence the last bits
 * of the ratios, and so it depends on the numbers of categories alone, never on the rows of a batch.
 */

/** Values that a block of unknown variables should hold at least. */
const BLOCK_VALUES = 16;

/**
 * For changes: the number of variables in the left half, so that both halves have about as many possible values
 * and rows share the products of either. At least 1; the right half is empty when there is one variable only.
 */
export function leftVariables(sizes: readonly number[]): number {
  const logs = sizes.map((size) => log(size));
  const all = logs.reduce((sum, value) => sum + value, 0);
  let best = 1;
  let smallest = Infinity;
  let left = 0;
  for (let k = 1; k < sizes.length; k++) {
    left += logs[k - 1]!;
    const difference = Math.abs(all - 2 * left);
    if (difference < smallest) {
      smallest = difference;
      best = k;
    }
  }
  return best;
}

/**
 * For unknown variables with the given numbers of categories: how many of the first ones are the head. The others
 * are the block: the fewest last variables that have 16 values together, or all of them.
 */
export function headVariables(unknownSizes: readonly number[]): number {
  let head = unknownSizes.length - 1;
  let values = unknownSizes[head]!;
  while (head > 0 && values < BLOCK_VALUES) values *= unknownSizes[--head]!;
  return head;
}
