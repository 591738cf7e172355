import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import type { Combinations } from '../../shared/table/combinations.ts';

/**
 * Exact attribute disclosures that a draw of the parameters leads to on average: the sum over records of the probability
 * that the record keeps its value when it is synthesized from its own class. It does not depend on the classes' labels,
 * and is free of the chance of a single dataset, so that chains are compared by it.
 *
 * @param synthesized the variable that is synthesized
 * @throws RangeError when every class gives some combination probability zero
 */
export function expectedDisclosures(
  { weights, probabilities }: Pick<ChainState, 'weights' | 'probabilities'>,
  { codes, counts, variables }: Combinations,
  sizes: readonly number[],
  synthesized: number,
): number {
  const classes = weights.length;
  const offsets = categoryOffsets(sizes);
  let expected = 0;
  for (const [combination, records] of counts.entries()) {
    const rows = Array.from(
      codes.subarray(combination * variables, (combination + 1) * variables),
      (code, k) => (offsets[k]! + code) * classes,
    );
    let total = 0;
    let kept = 0;
    for (let f = 0; f < classes; f++) {
      let share = weights[f]!;
      for (const row of rows) share *= probabilities[row + f]!;
      total += share;
      kept += share * probabilities[rows[synthesized]! + f]!;
    }
    if (!(total > 0)) throw new RangeError('every class gives some combination probability zero');
    expected += (records * kept) / total;
  }
  return expected;
}
