import { log } from '../../numeric/portable-math.ts';
import { standing } from '../../numeric/ties.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
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
  const known = Uint32Array.from(others.filter((j) => sizes[j]! > 0));
  const values = sizes[variable]!;
  const own = new Float64Array(values);
  // Records by a category of a known variable and the value, those of all variables end to end; and of any category by the value.
  const starts = categoryOffsets(Array.from(known, (j) => sizes[j]! * values));
  const pairs = new Float64Array(starts.at(-1)!);
  const present = new Float64Array(known.length * values);
  let records = 0;
  for (let row = 0; row < counts.length; row++) {
    const codes = codesOf(row);
    const count = counts[row]!;
    const value = codes[variable]!;
    if (value >= values) continue;
    records += count;
    own[value]! += count;
    for (let place = 0; place < known.length; place++) {
      const code = codes[known[place]!]!;
      if (code >= sizes[known[place]!]!) continue;
      pairs[starts[place]! + code * values + value]! += count;
      present[place * values + value]! += count;
    }
  }
  // Counts are whole: every logarithm is taken once.
  const most = known.reduce((largest, j) => Math.max(largest, sizes[j]!), SMOOTHING);
  const logs = Float64Array.from({ length: records + most + 1 }, (_, whole) => log(whole));
  /** Logarithms of smoothed counts, as they are or without one of the records. */
  const logsOf = (list: Float64Array, less: number, beside: (at: number) => number) =>
    list.map((count, at) => logs[Math.max(0, count - less) + beside(at)]!);
  const ofPair = () => SMOOTHING;
  const ofPlace = (at: number) => sizes[known[Math.floor(at / values)]!]! * SMOOTHING;
  const [ownLogs, pairLogs, presentLogs] = [logsOf(own, 0, ofPair), logsOf(pairs, 0, ofPair), logsOf(present, 0, ofPlace)];
  const [ownLess, pairLess, presentLess] = [logsOf(own, 1, ofPair), logsOf(pairs, 1, ofPair), logsOf(present, 1, ofPlace)];
  const scores = new Float64Array(values);
  let right = 0;
  let asked = 0;
  for (let row = 0; row < counts.length; row++) {
    const codes = codesOf(row);
    const truth = codes[variable]!;
    if (truth >= values || !isAsked(row, variable)) continue;
    scores.set(ownLogs);
    // Without the record itself.
    let ofTruth = ownLess[truth]!;
    for (let place = 0; place < known.length; place++) {
      const code = codes[known[place]!]!;
      if (code >= sizes[known[place]!]!) continue;
      const from = starts[place]! + code * values;
      const any = place * values;
      for (let value = 0; value < values; value++) scores[value] = scores[value]! + pairLogs[from + value]! - presentLogs[any + value]!;
      ofTruth = ofTruth + pairLess[from + truth]! - presentLess[any + truth]!;
    }
    scores[truth] = ofTruth;
    right += counts[row]! * standing(scores, 0, values, truth).first;
    asked += counts[row]!;
  }
  return { right, asked };
}
