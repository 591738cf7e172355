import type { Stepwise } from '../../contracts/stepwise.ts';
import { type CandidatePairs, NO_LEVEL } from './candidate-pairs.ts';
import type { Comparison } from './comparison.ts';

/** Pairs that are looked at for the patterns: of a file with more, those of every so many rows, but of some rows always. */
const MOST_PAIRS = 2e6;
const FEWEST_ROWS = 200;

/** Rows between steps. */
const ROWS_A_STEP = 256;

/** Patterns of levels of agreement, with the pairs of rows and records that have them. */
export interface AgreementPatterns {
  /** Patterns x comparisons; `NO_LEVEL` where a comparison tells nothing. */
  readonly levels: Uint8Array;
  readonly counts: Float64Array;
  /** Pairs that were counted: the rows that were looked at, times the records of the file. */
  readonly pairs: number;
  readonly rows: number;
}

/**
 * Counts the patterns of agreement of all pairs: those that agree somewhere are found one by one, and the others all
 * disagree everywhere.
 *
 * @returns stepwise: rows of the release, of `rows`
 */
export function* countPatterns(
  pairs: CandidatePairs,
  comparisons: readonly Comparison[],
  rows: number,
): Stepwise<AgreementPatterns> {
  const stride = rowStride(pairs, rows);
  const counts = new Map<number, number>();
  const levelsOf = new Map<number, Uint8Array>();
  const bases = comparisons.map(({ bands }) => bands.length + 2);
  const codeOf = (levels: Uint8Array, at: number) => {
    let code = 0;
    for (let v = 0; v < bases.length; v++) {
      const level = levels[at + v]!;
      code = code * bases[v]! + (level === NO_LEVEL ? bases[v]! - 1 : level);
    }
    return code;
  };
  const count = (levels: Uint8Array, at: number, by: number) => {
    const code = codeOf(levels, at);
    const before = counts.get(code);
    if (before === undefined) levelsOf.set(code, levels.slice(at, at + bases.length));
    counts.set(code, (before ?? 0) + by);
  };
  let looked = 0;
  for (let row = 0; row < rows; row += stride) {
    const found = pairs.find(row, Number.POSITIVE_INFINITY);
    for (let place = 0; place < found; place++) count(pairs.levels, place * bases.length, 1);
    const none = Uint8Array.from(comparisons, ({ tells }) => (tells?.[row] === 0 ? NO_LEVEL : 0));
    if (found < pairs.records) count(none, 0, pairs.records - found);
    if (looked++ % ROWS_A_STEP === 0) yield row;
  }
  const levels = new Uint8Array(counts.size * bases.length);
  for (const [p, code] of [...counts.keys()].entries()) levels.set(levelsOf.get(code)!, p * bases.length);
  return {
    levels,
    counts: Float64Array.from(counts.values()),
    pairs: looked * pairs.records,
    rows: looked,
  };
}

/** Every how many rows are looked at, so that the pairs stay below their limit: judged by a thousand rows. */
function rowStride(pairs: CandidatePairs, rows: number): number {
  const between = Math.max(1, Math.floor(rows / 1000));
  let [sum, looked] = [0, 0];
  for (let row = 0; row < rows; row += between) {
    sum += pairs.agreements(row);
    looked++;
  }
  const stride = Math.ceil(((sum / looked) * rows) / MOST_PAIRS);
  return Math.max(1, Math.min(stride, Math.floor(rows / FEWEST_ROWS)));
}
