import { type ErrorsOf, withErrors } from '../../contracts/figure-errors.ts';
import { keptErrors, keptEvaluations } from './kept-evaluations.ts';
import { type ValueRisk, valueAt } from './value-risk.ts';

/** The part of the records of which the estimate claims most, and one record at least. */
const RISKIEST = 0.01;

/**
 * The mean gain of the riskiest records: those of which the estimate claims that most is gained, whatever it is in truth. Chosen
 * by what was gained they would have more than another release would give them.
 *
 * @param counts records of every row, of which the last one that is needed counts in part
 * @param sets how many value sets a row has; those whose gains add up
 */
export function riskiestGain(
  values: ValueRisk,
  counts: ArrayLike<number>,
  { count: width, counted }: { readonly count: number; readonly counted: readonly number[] },
): { readonly gainBitsRiskiest: number } & ErrorsOf<'gainBitsRiskiest'> {
  const rows = Array.from({ length: counts.length }, (_, row) => row);
  const claimed = rows.map((row) => counted.reduce((sum, s) => sum + valueAt(values, row * width + s, 'claimedBits'), 0));
  const records = rows.reduce((sum, row) => sum + counts[row]!, 0);
  const wanted = Math.max(1, Math.round(RISKIEST * records));
  const evaluations = keptEvaluations(values.datasets);
  const sums = new Float64Array(evaluations);
  let taken = 0;
  for (const row of rows.sort((a, b) => claimed[b]! - claimed[a]! || a - b)) {
    const count = Math.min(counts[row]!, wanted - taken);
    for (let e = 0; e < evaluations; e++) sums[e]! += (count * values.gains[row * evaluations + e]!) / wanted;
    taken += count;
    if (taken === wanted) break;
  }
  return withErrors('gainBitsRiskiest', sums[0]!, keptErrors(sums));
}
