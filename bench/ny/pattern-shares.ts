import { keptPatterns } from '../../shared/risk/bounds/kept-patterns.ts';
import type { Table } from '../../shared/table/table.ts';

/** The patterns of a table's known variables, all but the last, with the counts of the last in each. */
export interface Patterns {
  /** For each record its pattern, in a dataset as in the table. */
  readonly ofRecord: Uint32Array;
  /** Records of each pattern. */
  readonly records: Float64Array;
  /** Number of categories of the last variable. */
  readonly categories: number;
  /** Records of each category in each pattern of the table: patterns x categories. */
  readonly counts: Float64Array;
}

/** The patterns of a table whose last variable is synthesized, the others being known. */
export function patternsOf(table: Table): Patterns {
  const { variables } = table.schema;
  const last = variables.at(-1);
  if (last?.type !== 'categorical') throw new RangeError('the last variable is not categorical');
  const { ofRecord, count } = keptPatterns(table, [...variables.keys()].slice(0, -1), 1);
  const records = new Float64Array(count);
  for (const pattern of ofRecord) records[pattern]! += 1;
  const patterns = { ofRecord, records, categories: last.categories.length };
  return { ...patterns, counts: countsOf(patterns, table) };
}

/** The counts of a dataset in the patterns of its table: patterns x categories. */
export function countsOf(
  { ofRecord, records, categories }: Omit<Patterns, 'counts'>,
  dataset: Table,
): Float64Array {
  const column = dataset.columns.at(-1);
  if (column?.type !== 'categorical') throw new RangeError('the last variable is not categorical');
  const counts = new Float64Array(records.length * categories);
  for (const [record, pattern] of ofRecord.entries()) {
    counts[pattern * categories + column.codes[record]!]! += 1;
  }
  return counts;
}

/** For each pattern the total variation distance between the shares of the table and those of a dataset: 0 to 1. */
export function patternDistances(patterns: Patterns, dataset: Table): Float64Array {
  const { categories, counts } = patterns;
  const drawn = countsOf(patterns, dataset);
  return patterns.records.map((records, b) => {
    let sum = 0;
    for (let i = b * categories; i < (b + 1) * categories; i++) sum += Math.abs(drawn[i]! - counts[i]!);
    return sum / (2 * records);
  });
}
