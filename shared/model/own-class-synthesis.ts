import { exp, log } from '../numeric/portable-math.ts';
import { categoricalFromSums } from '../random/distributions.ts';
import type { RandomStream } from '../random/random-stream.ts';
import type { Combinations, CombinationsOfRecords } from '../table/combinations.ts';
import type { DpmpmState } from './dpmpm.ts';
import { categoryOffsets } from './sharing-order.ts';

/** Below this a sum of products may have lost digits to underflow in classes that matter, and is formed again in logs. */
const SAFE_SUM = 1e-250;

type Parameters = Pick<DpmpmState, 'weights' | 'probabilities'>;

/**
 * Partially synthetic records drawn from one draw of the parameters: for each record a class with the probability
 * that it has given the record's values, proportional to pi_f prod_k phi[f][k][x_k], then every synthesized variable
 * from its phi in that class, independently of the record's own value (docs/estimators.md, partial synthesis).
 *
 * Combinations are walked in their order, and the records of each in theirs: that is the order of the random numbers.
 *
 * @param table the confidential records
 * @param sizes number of categories of each variable
 * @param synthesized variables to synthesize
 * @returns codes of every synthesized variable in the order given, one entry a record, in the order of the records
 * @throws RangeError when every class gives some combination probability zero
 */
export function synthesizeFromOwnClass(
  state: Parameters,
  { combinations, combinationOfRecord }: CombinationsOfRecords,
  sizes: readonly number[],
  synthesized: readonly number[],
  random: RandomStream,
): Uint16Array[] {
  const classes = state.weights.length;
  const offsets = categoryOffsets(sizes);
  const categorySums = synthesized.map((k) => runningSums(state, offsets[k]!, sizes[k]!));
  const codes = synthesized.map(() => new Uint16Array(combinationOfRecord.length));
  const { starts, records } = recordsByCombination(combinations.count, combinationOfRecord);
  const classSums = new Float64Array(classes);
  for (let combination = 0; combination < combinations.count; combination++) {
    sumClasses(state, combinations, combination, offsets, classSums);
    for (let at = starts[combination]!; at < starts[combination + 1]!; at++) {
      const f = categoricalFromSums(random, classSums, 0, classes);
      for (const [j, k] of synthesized.entries()) {
        const size = sizes[k]!;
        codes[j]![records[at]!] = categoricalFromSums(random, categorySums[j]!, f * size, size);
      }
    }
  }
  return codes;
}

/** Running sums of phi over the categories of one variable: classes x categories. */
function runningSums({ weights, probabilities }: Parameters, from: number, size: number): Float64Array {
  const classes = weights.length;
  const sums = new Float64Array(classes * size);
  for (let f = 0; f < classes; f++) {
    let sum = 0;
    for (let c = 0; c < size; c++) {
      sum += probabilities[(from + c) * classes + f]!;
      sums[f * size + c] = sum;
    }
  }
  return sums;
}

/** The records of every combination, by a counting sort: those of combination c are from `starts[c]` on. */
function recordsByCombination(count: number, combinationOfRecord: Uint32Array) {
  const starts = new Uint32Array(count + 1);
  for (const combination of combinationOfRecord) starts[combination + 1]!++;
  for (let c = 0; c < count; c++) starts[c + 1]! += starts[c]!;
  const next = starts.slice();
  const records = new Uint32Array(combinationOfRecord.length);
  for (const [record, combination] of combinationOfRecord.entries()) records[next[combination]!++] = record;
  return { starts, records };
}

/** Running sums over classes of pi_f prod_k phi[f][k][x_k], up to a factor. */
function sumClasses(
  { weights, probabilities }: Parameters,
  { codes, variables }: Combinations,
  combination: number,
  offsets: Uint32Array,
  sums: Float64Array,
): void {
  const classes = weights.length;
  const categories = Array.from(
    codes.subarray(combination * variables, (combination + 1) * variables),
    (code, k) => (offsets[k]! + code) * classes,
  );
  let sum = 0;
  for (let f = 0; f < classes; f++) {
    let product = weights[f]!;
    for (const category of categories) product *= probabilities[category + f]!;
    sum += product;
    sums[f] = sum;
  }
  if (sum > SAFE_SUM) return;
  const logs = weights.map((weight, f) =>
    categories.reduce((value, category) => value + log(probabilities[category + f]!), log(weight)),
  );
  const largest = logs.reduce((most, value) => Math.max(most, value), -Infinity);
  if (!(largest > -Infinity)) throw new RangeError('every class gives some combination probability zero');
  sum = 0;
  for (let f = 0; f < classes; f++) {
    sum += exp(logs[f]! - largest);
    sums[f] = sum;
  }
}
