import { upperBound } from '../../numeric/bound-search.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations, CombinationsOfRecords } from '../../table/combinations.ts';

/**
 * Draws records one after the other, each in cell j with probability (c_j + alpha) / (n + K alpha) (McClure & Reiter 2012, eq. 3): as n + K
 * alpha is made up, that of a record of the table, or else a cell out of all K, so that no empty cell is listed; `sizes`
 * are in column order.
 */
export function drawRecords(
  { codes, counts, variables }: Combinations,
  sizes: readonly number[],
  alpha: number,
  records: number,
  random: RandomSource,
): CombinationsOfRecords {
  const cells = sizes.reduce((product, size) => product * size, 1);
  let n = 0;
  const sums = Float64Array.from(counts, (count) => {
    n += count;
    return n;
  });
  const total = n + cells * alpha;
  const index = new CombinationIndex(variables);
  const combinationOfRecord = new Uint32Array(records);
  const cell = new Uint16Array(variables);
  for (let record = 0; record < records; record++) {
    const at = random.uniform() * total;
    if (at < n) {
      const drawn = upperBound(sums, at);
      combinationOfRecord[record] = index.add(codes, drawn * variables, 1);
      continue;
    }
    for (let k = 0; k < variables; k++) cell[k] = random.below(sizes[k]!);
    combinationOfRecord[record] = index.add(cell, 0, 1);
  }
  return { combinations: index.combinations(), combinationOfRecord };
}
