import { UnsupportedOptionError } from '../contracts/errors.ts';
import { CombinationIndex } from './combination-index.ts';
import type { Combinations } from './combinations.ts';

/** A table as counts of one variable's categories within each pattern, a distinct row of the other variables. */
export interface PatternCounts {
  /** The variable that is counted. */
  readonly counted: number;
  /** The other variables, in column order. */
  readonly known: readonly number[];
  /** Number of patterns, B. */
  readonly patterns: number;
  /** Patterns x known variables, in order of first appearance. */
  readonly codes: Uint16Array;
  /** Number of categories of the variable that is counted, G. */
  readonly categories: number;
  /** For each column of that variable, the records of each category in each pattern, zeros too: patterns x categories. */
  readonly counts: readonly Float64Array[];
}

/**
 * Counts one variable within the patterns of the others.
 *
 * @param counted the variables to count: one
 * @param variableOfColumn the variable of each column of the combinations: every variable in its own column, then further
 * columns of the one that is counted, which are counted too
 * @throws UnsupportedOptionError `several-synthesized` when there are several, since the model is of one
 * @throws RangeError when there is none, or a further column is of another variable
 */
export function patternCounts(
  combinations: Combinations,
  sizes: readonly number[],
  counted: readonly number[],
  variableOfColumn: readonly number[] = [...sizes.keys()],
): PatternCounts {
  const [own, ...others] = counted;
  if (own === undefined) throw new RangeError('no variable to count within patterns');
  if (others.length > 0) {
    throw new UnsupportedOptionError(
      'several-synthesized',
      `The areal model synthesizes one variable, and these would be ${counted.length}. Join them into one variable whose categories are their combinations.`,
    );
  }
  if (variableOfColumn.some((variable, column) => variable !== (column < sizes.length ? column : own))) {
    throw new RangeError('further columns must be of the variable that is counted within patterns');
  }
  const { codes, counts, variables } = combinations;
  const known = [...sizes.keys()].filter((variable) => variable !== own);
  const columns = [...variableOfColumn.keys()].filter((column) => variableOfColumn[column] === own);
  const categories = sizes[own]!;
  const index = new CombinationIndex(known.length);
  const patternOf = indexedPatterns(index, known, codes, variables);
  const patterns = index.combinations();
  return {
    counted: own,
    known,
    patterns: patterns.count,
    codes: patterns.codes,
    categories,
    counts: columns.map((column) => {
      const cells = new Float64Array(patterns.count * categories);
      for (const [c, pattern] of patternOf.entries()) {
        cells[pattern * categories + codes[c * variables + column]!]! += counts[c]!;
      }
      return cells;
    }),
  };
}

/** The pattern of each row of codes, rows x variables: the number of patterns, or more, where the table has none. */
export function patternsOfRows({ known, patterns, codes: own }: PatternCounts, codes: Uint16Array, variables: number): Uint32Array {
  const index = new CombinationIndex(known.length);
  for (let b = 0; b < patterns; b++) index.add(own, b * known.length, 1);
  return indexedPatterns(index, known, codes, variables);
}

/** The position of the known codes of each row, rows x variables, in an index to which they are added. */
function indexedPatterns(index: CombinationIndex, known: readonly number[], codes: Uint16Array, variables: number): Uint32Array {
  const row = new Uint16Array(known.length);
  return Uint32Array.from({ length: codes.length / variables }, (_, r) => {
    for (const [k, column] of known.entries()) row[k] = codes[r * variables + column]!;
    return index.add(row, 0, 1);
  });
}
