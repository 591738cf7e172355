import type { UtilitySummary } from '../contracts/results/utility.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { studentHalfWidth } from '../numeric/student-t.ts';
import type { CountedRows } from '../table/counted-rows.ts';
import { sizesOf } from './cell-counts.ts';
import { codesOf } from './regression/column-of.ts';

type PatternsOfVariable = NonNullable<UtilitySummary['patterns']>['variables'][number];

/** Records from which a pattern belongs to the next class of sizes. */
const SIZE_LIMITS = [10, 50, 200, Infinity];

/** Shares of the patterns from the largest on, at which those stand that are shown. */
const SHOWN_RANKS = [0, 1 / 8, 1 / 3, 2 / 3];

/** Values that are shown of a pattern, the most frequent ones. */
const SHOWN_VALUES = 30;

/** The patterns of some categorical variables in a table, with the counts of another variable in each. */
export interface Patterns {
  /** Variables whose patterns they are, and the one whose values are counted. */
  readonly by: readonly number[];
  readonly of: number;
  /** For each of the variables `by`: the number of what stood before it by its categories, plus its own code. */
  readonly index: readonly ReadonlyMap<number, number>[];
  readonly categories: number;
  /** Records of each pattern, in order of first appearance. */
  readonly records: Float64Array;
  /** Patterns x categories. */
  readonly counts: Float64Array;
}

/** The patterns that records of a table have. */
export function patternsOf(table: CountedRows, by: readonly number[], of: number): Patterns {
  const [categories] = sizesOf(table, [of]);
  const index = by.map(() => new Map<number, number>());
  const ofRow = findPatterns(index, table, by, true);
  const count = ofRow.reduce((most, pattern) => Math.max(most, pattern), -1) + 1;
  return { by, of, index, categories: categories!, ...countByPattern(ofRow, count, categories!, table, of) };
}

/** Records and counts of other rows in the patterns of a table: what lies in none of them is left out. */
export function countPatterns({ by, of, index, categories, records }: Patterns, rows: CountedRows): Pick<Patterns, 'records' | 'counts'> {
  // What is looked up only is left as it is.
  const ofRow = findPatterns(index as Map<number, number>[], rows, by, false);
  return countByPattern(ofRow, records.length, categories, rows, of);
}

/** For each row the number of its pattern, variable after variable; -1 for one that there is not. */
function findPatterns(index: readonly Map<number, number>[], rows: CountedRows, by: readonly number[], adding: boolean): Int32Array {
  const sizes = sizesOf(rows, by);
  const patterns = new Int32Array(rows.rows);
  for (const [k, v] of by.entries()) {
    const codes = codesOf(rows, v);
    const numbers = index[k]!;
    for (let row = 0; row < rows.rows; row++) {
      if (patterns[row] === -1) continue;
      const key = patterns[row]! * sizes[k]! + codes[row]!;
      let number = numbers.get(key);
      if (number === undefined && adding) {
        number = numbers.size;
        numbers.set(key, number);
      }
      patterns[row] = number ?? -1;
    }
  }
  return patterns;
}

function countByPattern(
  ofRow: Int32Array,
  count: number,
  categories: number,
  rows: CountedRows,
  of: number,
): Pick<Patterns, 'records' | 'counts'> {
  const codes = codesOf(rows, of);
  const records = new Float64Array(count);
  const counts = new Float64Array(count * categories);
  for (let row = 0; row < rows.rows; row++) {
    const pattern = ofRow[row]!;
    if (pattern === -1) continue;
    records[pattern]! += rows.counts[row]!;
    counts[pattern * categories + codes[row]!]! += rows.counts[row]!;
  }
  return { records, counts };
}

/**
 * For each pattern the total variation distance between the shares of the values in a table and in a dataset, from 0 to 1;
 * 1 where nobody in the dataset has the pattern.
 */
export function patternDistances(patterns: Patterns, dataset: CountedRows): Float64Array {
  const { categories, counts } = patterns;
  const drawn = countPatterns(patterns, dataset);
  return patterns.records.map((records, b) => {
    const others = drawn.records[b]!;
    if (others === 0) return 1;
    let sum = 0;
    for (let i = b * categories; i < (b + 1) * categories; i++) {
      sum += Math.abs(drawn.counts[i]! / others - counts[i]! / records);
    }
    return sum / 2;
  });
}

/**
 * Compares the distributions of a variable within the patterns of others in a table and in its datasets (Hu & Savitsky 2018,
 * section 3.3).
 */
export function comparePatterns(
  table: CountedRows,
  datasets: readonly CountedRows[],
  by: readonly number[],
  of: number,
): PatternsOfVariable {
  const { variables } = table.schema;
  const patterns = patternsOf(table, by, of);
  const distances = datasets.map((dataset) => patternDistances(patterns, dataset));
  const all = [...patterns.records.keys()];
  const classes = SIZE_LIMITS.flatMap((limit, place) => {
    const from = SIZE_LIMITS[place - 1] ?? 1;
    const chosen = all.filter((b) => patterns.records[b]! >= from && patterns.records[b]! < limit);
    return chosen.length === 0
      ? []
      : [{ from, to: limit === Infinity ? null : limit - 1, patterns: chosen.length, ...meanOver(distances, chosen) }];
  });
  return {
    of: variables[of]!.name,
    patterns: all.length,
    meanDistance: meanOver(distances, all).meanDistance,
    classes,
    shown: shownPatterns(patterns, table, datasets),
  };
}

function meanOver(distances: readonly Float64Array[], chosen: readonly number[]) {
  const means = distances.map((one) => chosen.reduce((sum, b) => sum + one[b]!, 0) / chosen.length);
  const meanDistance = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  if (means.length < 2) return { meanDistance, low: null, high: null };
  const half = (standardDeviation(means) / Math.sqrt(means.length)) * studentHalfWidth(means.length - 1);
  return { meanDistance, low: meanDistance - half, high: meanDistance + half };
}

function shownPatterns(patterns: Patterns, table: CountedRows, datasets: readonly CountedRows[]): PatternsOfVariable['shown'] {
  const { records, counts, categories, of } = patterns;
  const variable = table.schema.variables[of]!;
  const names = variable.type === 'categorical' ? variable.categories : [];
  const order = [...records.keys()].sort((a, b) => records[b]! - records[a]! || a - b);
  const drawn = datasets.map((dataset) => countPatterns(patterns, dataset));
  const places = new Set(SHOWN_RANKS.map((rank) => order[Math.floor(rank * order.length)]!));
  return [...places].map((b) => {
    const at = (of: Float64Array, value: number) => of[b * categories + value]!;
    const values = [...Array(categories).keys()].sort((x, y) => at(counts, y) - at(counts, x) || x - y).slice(0, SHOWN_VALUES);
    return {
      records: records[b]!,
      values: values.map((value) => ({
        value: names[value]!,
        original: at(counts, value) / records[b]!,
        synthetic: drawn.reduce((sum, one) => sum + (one.records[b]! > 0 ? at(one.counts, value) / one.records[b]! : 0), 0) / drawn.length,
      })),
    };
  });
}
