import { exp, log } from '../../numeric/portable-math.ts';
import { categoricalFromSums } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { isImpossible, type Support } from '../../table/support/support.ts';
import type { ChainState } from '../chains/chain-sampler.ts';

/** Running sums of phi over the categories of each variable, from which categories are drawn: for each classes x categories. */
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

/**
 * Fully synthetic records drawn from one draw of the parameters: a class from pi, then every variable from its phi in
 * that class (Hu et al. 2014, section 2). An impossible record is drawn again, class and all: possible records have the distribution
 * truncated to them.
 *
 * @param support the possible cells, when some are not
 * @returns codes, records x variables
 */
export function synthesizeRecords(
  state: Pick<ChainState, 'weights' | 'probabilities'>,
  sizes: readonly number[],
  records: number,
  random: RandomSource,
  support?: Support,
): Uint16Array {
  const variables = sizes.length;
  const classes = state.weights.length;
  const classSums = runningSums(state.weights);
  const sums = categorySums(state, sizes);
  const codes = new Uint16Array(records * variables);
  for (let i = 0; i < records; i++) {
    do {
      const f = categoricalFromSums(random, classSums, 0, classes);
      for (let k = 0; k < variables; k++) {
        codes[i * variables + k] = categoricalFromSums(random, sums[k]!, f * sizes[k]!, sizes[k]!);
      }
    } while (support !== undefined && isImpossible(support, codes, i * variables, sizes));
  }
  return codes;
}

/** Sums of the first entry, of the first two and so on. */
export function runningSums(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}

/** Below this a sum of products may have lost digits to underflow in classes that matter, and is formed again in logs. */
const SAFE_SUM = 1e-250;

type Parameters = Pick<ChainState, 'weights' | 'probabilities'>;

/** What is synthesized of records. */
export interface SynthesizedColumns {
  readonly sizes: readonly number[];
  readonly synthesized: readonly number[];
  /** Further variables whose missing values are to be filled in. */
  readonly completed?: readonly number[];
  readonly support?: Support | undefined;
}

/**
 * Partially synthetic records drawn from one draw of the parameters: for each record a class given its values,
 * proportional to pi_f prod_k phi[f][k][x_k], then every synthesized variable from its phi in that class, independently
 * of the record's own value (docs/explanation/estimators.md, partial synthesis).
 *
 * Missing values are drawn from the class first. Where cells are impossible, class and missing values are drawn until the
 * record is possible, then its synthesized values until they are possible beside those that are kept. Combinations are
 * walked in their order, and the records of each in theirs: that is the order of the random numbers.
 *
 * @returns codes of every variable synthesized, then of those completed, one entry a record
 * @throws RangeError when every class gives some combination probability zero
 */
export function synthesizeFromOwnClass(
  state: Parameters,
  { combinations, combinationOfRecord }: CombinationsOfRecords,
  { sizes, synthesized, completed = [], support }: SynthesizedColumns,
  random: RandomSource,
): Uint16Array[] {
  const classes = state.weights.length;
  const offsets = categoryOffsets(sizes);
  const sums = categorySums(state, sizes);
  const released = [...synthesized, ...completed];
  const codes = released.map(() => new Uint16Array(combinationOfRecord.length));
  const { variables } = combinations;
  const record = new Uint16Array(variables);
  const draw = (k: number, f: number) => {
    record[k] = categoricalFromSums(random, sums[k]!, f * sizes[k]!, sizes[k]!);
  };
  const isOutside = () => support !== undefined && isImpossible(support, record, 0, sizes);
  const { starts, records } = recordsByCombination(combinations.count, combinationOfRecord);
  const classSums = new Float64Array(classes);
  for (let combination = 0; combination < combinations.count; combination++) {
    const row = combinations.codes.subarray(combination * variables, (combination + 1) * variables);
    const missing = [...sizes.keys()].filter((k) => row[k] === sizes[k]);
    sumClasses(state, row, sizes, offsets, classSums);
    for (let at = starts[combination]!; at < starts[combination + 1]!; at++) {
      record.set(row);
      let f: number;
      do {
        f = categoricalFromSums(random, classSums, 0, classes);
        for (const k of missing) draw(k, f);
      } while (missing.length > 0 && isOutside());
      do {
        for (const k of synthesized) draw(k, f);
      } while (isOutside());
      for (const [j, k] of released.entries()) codes[j]![records[at]!] = record[k]!;
    }
  }
  return codes;
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

/** Running sums over classes of pi_f prod_k phi[f][k][x_k] over the values of a row that are there, up to a factor. */
function sumClasses(
  { weights, probabilities }: Parameters,
  row: Uint16Array,
  sizes: readonly number[],
  offsets: Uint32Array,
  sums: Float64Array,
): void {
  const classes = weights.length;
  const categories = [...row].flatMap((code, k) => (code === sizes[k] ? [] : [(offsets[k]! + code) * classes]));
  let sum = 0;
  for (let f = 0; f < classes; f++) {
    let product = weights[f]!;
    for (const category of categories) product *= probabilities[category + f]!;
    sum += product;
    sums[f] = sum;
  }
  if (sum > SAFE_SUM) return;
  const logs = weights.map((weight, f) => categories.reduce((value, category) => value + log(probabilities[category + f]!), log(weight)));
  const largest = logs.reduce((most, value) => Math.max(most, value), -Infinity);
  if (!(largest > -Infinity)) throw new RangeError('every class gives some combination probability zero');
  sum = 0;
  for (let f = 0; f < classes; f++) {
    sum += exp(logs[f]! - largest);
    sums[f] = sum;
  }
}
