import type { Stepwise } from '../../contracts/stepwise.ts';
import { log } from '../../numeric/portable-math.ts';
import { type CandidatePairs, type Comparison, NO_LEVEL } from './candidate-pairs.ts';

/** Pairs that are looked at for the patterns: of a file with more, those of every so many rows, but of some rows always. */
const MOST_PAIRS = 2e6;
const FEWEST_ROWS = 200;

const ROWS_A_STEP = 256;

/** Patterns of levels of agreement, with the pairs of rows and records that have them. */
interface AgreementPatterns {
  /** Patterns x comparisons; `NO_LEVEL` where a comparison tells nothing. */
  readonly levels: Uint8Array;
  readonly counts: Float64Array;
  /** Pairs that were counted: the rows that were looked at, times the records of the file. */
  readonly pairs: number;
  readonly rows: number;
}

/**
 * Counts the patterns of agreement of all pairs: those that agree somewhere are found one by one, the others disagree
 * everywhere.
 *
 * @returns stepwise: rows of the release
 */
export function* countPatterns(pairs: CandidatePairs, comparisons: readonly Comparison[], rows: number): Stepwise<AgreementPatterns> {
  const stride = rowStride(pairs, rows);
  const counter = new PatternCounter(comparisons.map(({ bands }) => bands.length + 2));
  let looked = 0;
  for (let row = 0; row < rows; row += stride) {
    const candidates = pairs.find(row, Number.POSITIVE_INFINITY);
    for (let place = 0; place < candidates; place++) counter.add(pairs.levels, place * comparisons.length, 1);
    const none = Uint8Array.from(comparisons, ({ tells }) => (tells?.[row] === 0 ? NO_LEVEL : 0));
    if (candidates < pairs.records) counter.add(none, 0, pairs.records - candidates);
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
    const counted: [pattern: readonly number[], count: number][] =
      this.#places === null
        ? Array.from(this.#counts, ([text, count]) => [Array.from(text, (one) => one.charCodeAt(0)), count])
        : [...this.#places.entries()].filter(([, count]) => count > 0).map(([code, count]) => [this.#decoded(code), count]);
    const levels = new Uint8Array(counted.length * this.#bases.length);
    for (const [p, [pattern]] of counted.entries()) levels.set(pattern, p * this.#bases.length);
    return { levels, counts: Float64Array.from(counted, ([, count]) => count) };
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

/** Where EM stops: no probability changes by more than this. */
const TOLERANCE = 1e-5;
const MOST_ITERATIONS = 300;

/** Pairs that are added to every level of matches and of others, so that no weight is infinite. */
const ADDED = 0.5;

/** Share of the matches that EM first takes to be at the narrowest level; the others are spread evenly. */
const FIRST_NARROWEST = 0.7;

/** The model of Fellegi and Sunter (1969): matches and other pairs, and how each kind agrees. */
export interface LinkageModel {
  /** For each comparison, probabilities of its levels among matches, and among other pairs. */
  readonly matches: readonly Float64Array[];
  readonly others: readonly Float64Array[];
  /** For each comparison and level log2 of the former over the latter. */
  readonly weights: readonly Float64Array[];
  /** Share of the pairs that match: 1 over the records of the file at most, since a row has one match. */
  readonly matchShare: number;
  readonly iterations: number;
  readonly converged: boolean;
}

/**
 * Fits the probabilities of levels of agreement among matches and among other pairs by EM, comparisons being independent
 * within each kind (Fellegi and Sunter 1969; Winkler 1988). Nothing of the truth is used; the file has `records`.
 */
export function fitLinkage(comparisons: readonly Comparison[], patterns: AgreementPatterns, records: number): LinkageModel {
  const { pairs } = patterns;
  const most = 1 / records;
  let matches = comparisons.map(({ bands }) => firstGuess(bands.length + 1));
  const totals = levelCounts(comparisons, patterns);
  let others = totals.map(smoothed);
  let matchShare = most;
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < MOST_ITERATIONS) {
    iterations++;
    const odds = matchShare / (1 - matchShare);
    const { matchesByLevel, expected } = expectedMatches(patterns, matches.map(ratiosTo(others)), odds);
    const nextMatches = matchesByLevel.map(smoothed);
    const nextOthers = totals.map((levelTotals, v) => smoothed(levelTotals.map((all, l) => all - matchesByLevel[v]![l]!)));
    const nextShare = Math.min(most, expected / pairs);
    converged =
      farthest(matches, nextMatches) < TOLERANCE &&
      farthest(others, nextOthers) < TOLERANCE &&
      Math.abs(nextShare - matchShare) < TOLERANCE * most;
    [matches, others, matchShare] = [nextMatches, nextOthers, nextShare];
  }
  const weights = matches.map((ofVariable, v) => ofVariable.map((probability, level) => log(probability / others[v]![level]!) / Math.LN2));
  return { matches, others, weights, matchShare, iterations, converged };
}

function firstGuess(levels: number): Float64Array {
  const guess = new Float64Array(levels).fill((1 - FIRST_NARROWEST) / (levels - 1));
  guess[levels - 1] = FIRST_NARROWEST;
  return guess;
}

function levelCounts(comparisons: readonly Comparison[], { levels, counts }: AgreementPatterns): Float64Array[] {
  const n = comparisons.length;
  return comparisons.map(({ bands }, v) => {
    const sums = new Float64Array(bands.length + 1);
    for (const [p, count] of counts.entries()) {
      const level = levels[p * n + v]!;
      if (level !== NO_LEVEL) sums[level]! += count;
    }
    return sums;
  });
}

/** Below these odds a pattern adds nothing to the matches that rounding would keep. */
const NEGLIGIBLE = 1e-15;

/** The E-step: matches at each level, and in all. */
function expectedMatches(
  { levels, counts }: AgreementPatterns,
  ratios: readonly Float64Array[],
  odds: number,
): { matchesByLevel: Float64Array[]; expected: number } {
  const n = ratios.length;
  const matchesByLevel = ratios.map(({ length }) => new Float64Array(length));
  let expected = 0;
  for (let p = 0; p < counts.length; p++) {
    let ratio = odds;
    for (let v = 0; v < n; v++) {
      const level = levels[p * n + v]!;
      if (level !== NO_LEVEL) ratio *= ratios[v]![level]!;
    }
    if (ratio < NEGLIGIBLE) continue;
    const match = counts[p]! * (ratio === Number.POSITIVE_INFINITY ? 1 : ratio / (1 + ratio));
    expected += match;
    for (let v = 0; v < n; v++) {
      const level = levels[p * n + v]!;
      if (level !== NO_LEVEL) matchesByLevel[v]![level]! += match;
    }
  }
  return { matchesByLevel, expected };
}

const ratiosTo = (others: readonly Float64Array[]) => (matches: Float64Array, v: number) =>
  matches.map((probability, level) => probability / others[v]![level]!);

function smoothed(counts: Float64Array): Float64Array {
  let total = 0;
  for (const count of counts) total += count + ADDED;
  return counts.map((count) => (count + ADDED) / total);
}

function farthest(before: readonly Float64Array[], after: readonly Float64Array[]): number {
  let most = 0;
  for (const [v, values] of before.entries())
    for (const [level, value] of values.entries()) most = Math.max(most, Math.abs(value - after[v]![level]!));
  return most;
}
