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
export function* countPatterns(pairs: CandidatePairs, comparisons: readonly Comparison[], rows: number): Stepwise<AgreementPatterns> {
  const stride = rowStride(pairs, rows);
  const counter = new PatternCounter(comparisons.map(({ bands }) => bands.length + 2));
  let looked = 0;
  for (let row = 0; row < rows; row += stride) {
    const found = pairs.find(row, Number.POSITIVE_INFINITY);
    for (let place = 0; place < found; place++) counter.add(pairs.levels, place * comparisons.length, 1);
    const none = Uint8Array.from(comparisons, ({ tells }) => (tells?.[row] === 0 ? NO_LEVEL : 0));
    if (found < pairs.records) counter.add(none, 0, pairs.records - found);
    if (looked++ % ROWS_A_STEP === 0) yield row;
  }
  return { ...counter.patterns(), pairs: looked * pairs.records, rows: looked };
}

/** Patterns of which each has a place of its own at most: where there could be more, they are found by their text. */
const MOST_PLACES = 1 << 16;

/** Counts patterns: by codes, a digit a comparison, the last value of which stands for no level; or by texts. */
class PatternCounter {
  readonly #bases: readonly number[];
  readonly #places: Float64Array | null;
  readonly #counts = new Map<string, number>();

  constructor(bases: readonly number[]) {
    this.#bases = bases;
    const places = bases.reduce((product, base) => product * base, 1);
    this.#places = places <= MOST_PLACES ? new Float64Array(places) : null;
  }

  add(levels: Uint8Array, at: number, by: number): void {
    if (this.#places === null) {
      const text = String.fromCharCode(...levels.subarray(at, at + this.#bases.length));
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + by);
      return;
    }
    let code = 0;
    for (let v = 0; v < this.#bases.length; v++) {
      const base = this.#bases[v]!;
      const level = levels[at + v]!;
      code = code * base + (level === NO_LEVEL ? base - 1 : level);
    }
    this.#places[code]! += by;
  }

  patterns(): Pick<AgreementPatterns, 'levels' | 'counts'> {
    const found: [pattern: readonly number[], count: number][] =
      this.#places === null
        ? Array.from(this.#counts, ([text, count]) => [Array.from(text, (one) => one.charCodeAt(0)), count])
        : [...this.#places.entries()].filter(([, count]) => count > 0).map(([code, count]) => [this.#decoded(code), count]);
    const levels = new Uint8Array(found.length * this.#bases.length);
    for (const [p, [pattern]] of found.entries()) levels.set(pattern, p * this.#bases.length);
    return { levels, counts: Float64Array.from(found, ([, count]) => count) };
  }

  #decoded(code: number): number[] {
    let rest = code;
    return this.#bases
      .map((_, back) => {
        const base = this.#bases[this.#bases.length - 1 - back]!;
        const digit = rest % base;
        rest = (rest - digit) / base;
        return digit === base - 1 ? NO_LEVEL : digit;
      })
      .reverse();
  }
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
