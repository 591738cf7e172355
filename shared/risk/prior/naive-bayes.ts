import { log } from '../../numeric/portable-math.ts';
import { standing } from '../../numeric/ties.ts';
import type { AskedRows, GuessedValue } from './commonest-share.ts';

/** What every count has beside its records, so that no value is impossible for having been seen with no other. */
const SMOOTHING = 1;

/**
 * How many values of a variable naive Bayes guesses right from the other values of the record, each record left out: with n_v
 * the other records of value v, and n_vj those of them that have the record's value in variable j as well, the largest
 *
 *     (n_v + 1) prod_j (n_vj + 1) / (n_v. + d_j)
 *
 * n_v. being those of value v that have any value in j, and d_j its categories. A variable that the record lacks is left out,
 * and so are records that lack the value to be guessed. Of t values that tie each counts 1 / t.
 *
 * @param sizes categories of each variable; any other code stands for a missing value
 * @param variable that is guessed
 * @param others variables that the intruder knows, without that one
 */
export function naiveBayes(
  { counts, codesOf, isAsked }: AskedRows,
  sizes: readonly number[],
  variable: number,
  others: readonly number[],
): GuessedValue {
  // Continuous ones have no categories.
  const known = others.filter((j) => sizes[j]! > 0);
  const values = sizes[variable]!;
  const own = new Float64Array(values);
  // Of each known variable, end to end: records by its category and the value, and of any category by the value.
  const pairs = known.map((j) => new Float64Array(sizes[j]! * values));
  const present = known.map(() => new Float64Array(values));
  const isThere = (codes: ArrayLike<number>, j: number) => codes[j]! < sizes[j]!;
  let records = 0;
  for (let row = 0; row < counts.length; row++) {
    const codes = codesOf(row);
    const count = counts[row]!;
    if (!isThere(codes, variable)) continue;
    const value = codes[variable]!;
    records += count;
    own[value]! += count;
    for (const [place, j] of known.entries()) {
      if (!isThere(codes, j)) continue;
      pairs[place]![codes[j]! * values + value]! += count;
      present[place]![value]! += count;
    }
  }
  // Counts are whole: every logarithm is taken once.
  const most = known.reduce((largest, j) => Math.max(largest, sizes[j]!), SMOOTHING);
  const logs = Float64Array.from({ length: records + most + 1 }, (_, whole) => log(whole));
  const scores = new Float64Array(values);
  let right = 0;
  let asked = 0;
  for (let row = 0; row < counts.length; row++) {
    const codes = codesOf(row);
    if (!isAsked(row, variable) || !isThere(codes, variable)) continue;
    const truth = codes[variable]!;
    for (let value = 0; value < values; value++) {
      // Without the record itself.
      const less = value === truth ? 1 : 0;
      let score = logs[own[value]! - less + SMOOTHING]!;
      for (const [place, j] of known.entries()) {
        if (!isThere(codes, j)) continue;
        score += logs[pairs[place]![codes[j]! * values + value]! - less + SMOOTHING]!;
        score -= logs[present[place]![value]! - less + sizes[j]! * SMOOTHING]!;
      }
      scores[value] = score;
    }
    right += counts[row]! * standing(scores, 0, values, truth).first;
    asked += counts[row]!;
  }
  return { right, asked };
}
