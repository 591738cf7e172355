import { exp } from '../../shared/numeric/portable-math.ts';
import { categoricalFromSums } from '../../shared/random/distributions.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';

/** Categories of the variables that are kept: 72 patterns. */
const KEPT = [2, 6, 6];

/** Records of each pattern on average. */
const PATTERN_RECORDS = 100;

/** A table with a variable to synthesize, the last, within patterns that all occur. */
export interface CountedTable {
  readonly combinations: Combinations;
  readonly sizes: readonly number[];
  readonly cells: number;
}

/**
 * Records of three kept variables and one of so many categories, whose shares differ from pattern to pattern: its log
 * rates are of two kinds of category, common ones and rare ones, and vary about these.
 */
export function countedTable(categories: number): CountedTable {
  const random = new RandomStream(1, `counted-table/${categories}`);
  const patterns = KEPT.reduce((product, size) => product * size, 1);
  const codes: number[] = [];
  for (let b = 0; b < patterns; b++) {
    let sum = 0;
    const sums = Float64Array.from({ length: categories }, (_, i) => {
      sum += exp((i % 3 === 0 ? 2 : 0) + 0.5 * normal(random));
      return sum;
    });
    for (let record = 0; record < PATTERN_RECORDS; record++) {
      const i = categoricalFromSums(random, sums, 0, categories);
      codes.push(Math.floor(b / 36), Math.floor(b / 6) % 6, b % 6, i);
    }
  }
  const sizes = [...KEPT, categories];
  const { combinations } = combinationsFromCodes(Uint16Array.from(codes), patterns * PATTERN_RECORDS, sizes.length);
  return { combinations, sizes, cells: patterns * categories };
}
