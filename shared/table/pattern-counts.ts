import { UnsupportedOptionError } from '../contracts/errors.ts';
import { CombinationIndex } from './combination-index.ts';
import type { Combinations } from './combinations.ts';

/** A table as counts of one variable's categories within each pattern, a distinct row of the other variables. */
export interface PatternCounts {
  /** The variable that is counted, by its column. */
  readonly counted: number;
  /** Columns of the other variables, in order. */
  readonly known: readonly number[];
  /** Number of patterns, B. */
  readonly patterns: number;
  /** Patterns x known variables, in order of first appearance. */
  readonly codes: Uint16Array;
  /** Number of categories of the variable that is counted, G. */
  readonly categories: number;
  /** Records of each category in each pattern, zeros included: patterns x categories. */
  readonly counts: Float64Array;
}

/** The patterns of combinations, and the pattern of each combination. */
function splitPatterns({ codes, count, variables }: Combinations, known: readonly number[]) {
  const index = new CombinationIndex(known.length);
  const row = new Uint16Array(known.length);
  const patternOf = Uint32Array.from({ length: count }, (_, c) => {
    for (const [k, column] of known.entries()) row[k] = codes[c * variables + column]!;
    return index.add(row, 0, 1);
  });
  return { patterns: index.combinations(), patternOf };
}

/**
 * Counts one variable within the patterns of the others.
 *
 * @param counted columns of the variables to count: one
 * @throws UnsupportedOptionError `several-synthesized` when there are several, since the model is of one
 * @throws RangeError when there is none
 */
export function patternCounts(
  combinations: Combinations,
  sizes: readonly number[],
  counted: readonly number[],
): PatternCounts {
  const [column, ...others] = counted;
  if (column === undefined) throw new RangeError('no variable to count within patterns');
  if (others.length > 0) {
    throw new UnsupportedOptionError(
      'several-synthesized',
      `The areal model synthesizes one variable, and these would be ${counted.length}. Join them into one variable whose categories are their combinations.`,
    );
  }
  const { codes, counts, variables } = combinations;
  const known = [...sizes.keys()].filter((k) => k !== column);
  const { patterns, patternOf } = splitPatterns(combinations, known);
  const categories = sizes[column]!;
  const cells = new Float64Array(patterns.count * categories);
  for (const [c, pattern] of patternOf.entries()) {
    cells[pattern * categories + codes[c * variables + column]!]! += counts[c]!;
  }
  return {
    counted: column,
    known,
    patterns: patterns.count,
    codes: patterns.codes,
    categories,
    counts: cells,
  };
}

/**
 * The pattern of each row of codes, rows x variables: the number of patterns, or more, where the table has none.
 */
export function patternsOfRows(
  { known, patterns, codes: own }: PatternCounts,
  codes: Uint16Array,
  variables: number,
): Uint32Array {
  const index = new CombinationIndex(known.length);
  for (let b = 0; b < patterns; b++) index.add(own, b * known.length, 1);
  const row = new Uint16Array(known.length);
  return Uint32Array.from({ length: codes.length / variables }, (_, r) => {
    for (const [k, column] of known.entries()) row[k] = codes[r * variables + column]!;
    return index.add(row, 0, 1);
  });
}

/**
 * The counts of other combinations in the patterns of a table: patterns x categories.
 *
 * @throws RangeError when some combination has a pattern that the table does not have
 */
export function countsInPatterns(table: PatternCounts, combinations: Combinations): Float64Array {
  const { counted, patterns, categories } = table;
  const cells = new Float64Array(patterns * categories);
  const { codes, counts, variables } = combinations;
  for (const [c, pattern] of patternsOfRows(table, codes, variables).entries()) {
    if (pattern >= patterns)
      throw new RangeError(`combination ${c + 1} has a pattern that the table has not`);
    cells[pattern * categories + codes[c * variables + counted]!]! += counts[c]!;
  }
  return cells;
}
