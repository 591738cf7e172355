import { InvalidConfigError } from '../contracts/errors.ts';
import type { Combinations } from './combinations.ts';

/** The combinations of a table that its synthesizer is fitted to, and where each combination of the table is among them. */
export interface FittedCombinations {
  readonly combinations: Combinations;
  /** For each combination of the table its place among those fitted, -1 where it is left out; null where none is. */
  readonly places: Int32Array | null;
}

/** Records that must be left: one alone would have nobody beside it. */
const FEWEST_RECORDS = 2;

/**
 * The combinations of a table but for those that are left out, with all their records.
 *
 * @param leaveOut numbers of combinations (from 1); none are left out where it is undefined
 * @throws InvalidConfigError `unknown-combination`, `nothing-left`; neither tells which or how many
 */
export function fittedCombinations(all: Combinations, leaveOut: readonly number[] | undefined): FittedCombinations {
  if (leaveOut === undefined) return { combinations: all, places: null };
  const { count, variables, codes, counts } = all;
  if (leaveOut.some((number) => number > count)) {
    throw new InvalidConfigError(
      'unknown-combination',
      'synthesis.leaveOut (--leave-out) names a combination that the table does not have: expected numbers of the column `combination` in the attribute-risk.csv of this table, read with the same settings.',
    );
  }
  const places = new Int32Array(count);
  for (const number of leaveOut) places[number - 1] = -1;
  const kept = [...places.keys()].filter((row) => places[row] !== -1);
  const fitted: Combinations = {
    count: kept.length,
    variables,
    codes: new Uint16Array(kept.length * variables),
    counts: Uint32Array.from(kept, (row) => counts[row]!),
  };
  for (const [place, row] of kept.entries()) {
    places[row] = place;
    fitted.codes.set(codes.subarray(row * variables, (row + 1) * variables), place * variables);
  }
  if (fitted.counts.reduce((sum, records) => sum + records, 0) < FEWEST_RECORDS) {
    throw new InvalidConfigError(
      'nothing-left',
      'synthesis.leaveOut (--leave-out) leaves fewer than two records to fit the model to: leave fewer combinations out.',
    );
  }
  return { combinations: fitted, places };
}
