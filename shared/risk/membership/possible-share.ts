import type { ScoredDraw } from '../../model/chains/chain-draws.ts';
import { log } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { Box, Support } from '../../table/support/support.ts';

/**
 * The probability of possible cells under draws of the parameters, 1 - pi_0, by which the density of a possible cell is divided: a
 * ratio of two cells does without it, a density does not.
 *
 * @returns logarithms, an entry a draw
 */
export function logPossibleShares(draws: readonly ScoredDraw[], { possible, impossible }: Support, sizes: readonly number[]): Float64Array {
  const offsets = categoryOffsets(sizes);
  const boxes = possible.length < impossible.length ? possible : impossible;
  return Float64Array.from(draws, (draw) => {
    const share = boxes.reduce((sum, box) => sum + shareOf(box, draw, offsets), 0);
    return log(boxes === possible ? share : 1 - share);
  });
}

function shareOf(box: Box, { weights, probabilities }: ScoredDraw, offsets: Uint32Array): number {
  const classes = weights.length;
  const products = weights.slice();
  for (const { variable, categories } of box) {
    for (let f = 0; f < classes; f++) {
      let sum = 0;
      for (const code of categories) sum += probabilities[(offsets[variable]! + code) * classes + f]!;
      products[f]! *= sum;
    }
  }
  return products.reduce((sum, product) => sum + product, 0);
}
