import { type ErrorsOf, withErrors } from '../../contracts/figure-errors.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';
import { recordsOf } from './attribute-summary.ts';
import { keptErrors } from './kept-evaluations.ts';

/** The part of the records of which the estimate claims most, and one record at least. */
const RISKIEST = 0.01;

/** The rows of most claimed gain, from the largest, each with how many of its records count. */
export interface RiskiestRows {
  readonly rows: Uint32Array;
  readonly counts: Uint32Array;
}

/**
 * The riskiest records: those of which the estimate claims that most is gained, whatever it is in truth. Chosen by what was gained they
 * would have more than another release would give them.
 *
 * @param claimed what is claimed of every row
 * @param counts records of every row, of which the last one that is needed counts in part
 */
export function riskiestByClaim(claimed: Float64Array, counts: ArrayLike<number>): RiskiestRows {
  const wanted = Math.max(1, Math.round(RISKIEST * recordsOf(counts)));
  const order = sortedOrder(claimed.map((bits) => -bits));
  const taken: number[] = [];
  for (let left = wanted; left > 0; left -= taken.at(-1)!) taken.push(Math.min(counts[order[taken.length]!]!, left));
  return { rows: order.slice(0, taken.length), counts: Uint32Array.from(taken) };
}

/**
 * The mean gain of the riskiest records.
 *
 * @param gains of every one of these rows in each evaluation that is kept
 */
export function riskiestGain(
  { rows, counts }: RiskiestRows,
  gains: Float64Array,
): { readonly gainBitsRiskiest: number } & ErrorsOf<'gainBitsRiskiest'> {
  const wanted = recordsOf(counts);
  const evaluations = gains.length / rows.length;
  const sums = new Float64Array(evaluations);
  for (const [place, count] of counts.entries()) {
    for (let e = 0; e < evaluations; e++) sums[e]! += (count * gains[place * evaluations + e]!) / wanted;
  }
  return withErrors('gainBitsRiskiest', sums[0]!, keptErrors(sums));
}
