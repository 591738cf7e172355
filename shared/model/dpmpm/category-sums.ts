import { categoryOffsets } from '../../table/category-sizes.ts';
import type { ChainState } from '../chains/chain-sampler.ts';

/**
 * Running sums of phi over the categories of each variable, from which categories are drawn: for each variable an array
 * of classes x categories.
 *
 * @param sizes number of categories of each variable
 */
export function categorySums(
  { weights, probabilities }: Pick<ChainState, 'weights' | 'probabilities'>,
  sizes: readonly number[],
): Float64Array[] {
  const classes = weights.length;
  const offsets = categoryOffsets(sizes);
  return sizes.map((size, k) => {
    const sums = new Float64Array(classes * size);
    for (let f = 0; f < classes; f++) {
      let sum = 0;
      for (let c = 0; c < size; c++) {
        sum += probabilities[(offsets[k]! + c) * classes + f]!;
        sums[f * size + c] = sum;
      }
    }
    return sums;
  });
}
