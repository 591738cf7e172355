import { type ErrorsOf, withErrors } from '../../contracts/figure-errors.ts';
import { keptErrors } from './kept-evaluations.ts';

/** The part of the records of which the estimate claims most, and one record at least. */
const RISKIEST = 0.01;

/**
 * The mean gain of the riskiest records: those of which the estimate claims that most is gained, whatever it is in truth. Chosen
 * by what was gained they would have more than another release would give them.
 *
 * @param rows what is claimed of every row, and its gain in each evaluation that is kept
 * @param counts records of every row, of which the last one that is needed counts in part
 */
export function riskiestGain(
  { claimed, gains }: { readonly claimed: Float64Array; readonly gains: Float64Array },
  counts: ArrayLike<number>,
): { readonly gainBitsRiskiest: number } & ErrorsOf<'gainBitsRiskiest'> {
  const rows = Uint32Array.from(claimed.keys());
  const records = rows.reduce((sum, row) => sum + counts[row]!, 0);
  const wanted = Math.max(1, Math.round(RISKIEST * records));
  const evaluations = gains.length / rows.length;
  const sums = new Float64Array(evaluations);
  let taken = 0;
  for (const row of rows.sort((a, b) => claimed[b]! - claimed[a]! || a - b)) {
    const count = Math.min(counts[row]!, wanted - taken);
    for (let e = 0; e < evaluations; e++) sums[e]! += (count * gains[row * evaluations + e]!) / wanted;
    taken += count;
    if (taken === wanted) break;
  }
  return withErrors('gainBitsRiskiest', sums[0]!, keptErrors(sums));
}
