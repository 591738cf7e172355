import { log } from '../../numeric/portable-math.ts';
import type { AgreementPatterns } from './agreement-patterns.ts';
import { NO_LEVEL } from './candidate-pairs.ts';
import type { Comparison } from './comparison.ts';

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
 * Fits the probabilities of levels of agreement among matches and among other pairs by EM, levels of different comparisons
 * being independent within each kind (Fellegi and Sunter 1969; Winkler 1988). Nothing of the truth is used.
 *
 * @param records of the intruder's file
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
    const { ofMatches, expected } = expectedMatches(patterns, matches.map(ratiosTo(others)), odds);
    const nextMatches = ofMatches.map(smoothed);
    const nextOthers = totals.map((ofAll, v) => smoothed(ofAll.map((all, l) => all - ofMatches[v]![l]!)));
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

/** Pairs at each level of each comparison. */
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
): { ofMatches: Float64Array[]; expected: number } {
  const n = ratios.length;
  const ofMatches = ratios.map(({ length }) => new Float64Array(length));
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
      if (level !== NO_LEVEL) ofMatches[v]![level]! += match;
    }
  }
  return { ofMatches, expected };
}

const ratiosTo = (others: readonly Float64Array[]) => (ofMatches: Float64Array, v: number) =>
  ofMatches.map((probability, level) => probability / others[v]![level]!);

/** Counts as probabilities, of which none is zero. */
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
