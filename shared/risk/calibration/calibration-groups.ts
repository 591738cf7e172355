import { bestSlope, type Calibration, type ScoredTargets, type TargetScores } from './calibration.ts';
import { chanceError } from './reliability.ts';

/** Calibration of some of the targets, and of the first guesses among their candidates. */
export interface GroupCalibration extends Calibration {
  readonly targets: number;
  readonly firstGuessClaimed: number;
  readonly firstGuessClaimedSe: number;
  readonly firstGuessRight: number;
  readonly firstGuessRightSe: number;
  readonly firstGuessExcess: number;
  readonly firstGuessExcessSe: number;
}

/** The targets of a calibration with what the estimate says of each. */
export interface CalibratedTargets extends ScoredTargets {
  readonly scores: TargetScores;
  /** Replicates, with equally many targets each, one after the other. */
  readonly replicates: number;
}

/** Most groups by what is claimed, and the targets of all replicates that any group must have to be judged. */
const MOST_GROUPS = 10;
const FEWEST_TARGETS = 20;

const RISKIEST = 0.05;

/**
 * Targets in groups by what the estimate claims for them, from the least to the most: tenths, or fewer groups where these
 * would have less than 20 targets. A claim depends on the posterior alone, so that a calibrated estimate achieves it in
 * every group (docs/explanation/calibration.md). Each replicate is divided by itself.
 */
export function groupsByClaim({ truths, scores, replicates }: CalibratedTargets): Uint32Array[] {
  const count = Math.max(1, Math.min(MOST_GROUPS, Math.floor(truths.length / FEWEST_TARGETS)));
  const inOrder = replicatesByClaim(scores.claimed, replicates);
  return Array.from({ length: count }, (_, g) =>
    joined(inOrder.map((of) => of.subarray(...[g, g + 1].map((i) => Math.floor((i * of.length) / count))))),
  );
}

/** The 5 % of each replicate's targets for which most is claimed; null when they are fewer than 20. */
export function riskiestTargets({ scores, replicates }: CalibratedTargets): Uint32Array | null {
  const inOrder = replicatesByClaim(scores.claimed, replicates);
  const chosen = joined(inOrder.map((of) => of.subarray(of.length - Math.round(RISKIEST * of.length))));
  return enough(chosen);
}

/** The targets that a flag says of, and the others; null for those that are fewer than 20. */
export function flaggedTargets(flags: Uint8Array): [flagged: Uint32Array | null, others: Uint32Array | null] {
  const all = Uint32Array.from(flags, (_, t) => t);
  return [enough(all.filter((t) => flags[t] === 1)), enough(all.filter((t) => flags[t] === 0))];
}

/**
 * Claimed against achieved for two targets or more. Targets of a replicate share its datasets and chains: an error is the
 * larger of what the targets give as independent ones, and of what the sums over replicates give (the estimator of a
 * ratio of sums).
 */
export function groupCalibration(of: CalibratedTargets, chosen: Uint32Array): GroupCalibration {
  const { scores, truths, replicates } = of;
  const perReplicate = truths.length / replicates;
  const replicateOf = (place: number) => Math.floor(chosen[place]! / perReplicate);
  const estimate = (value: (t: number) => number): [mean: number, standardError: number] => {
    const values = Float64Array.from(chosen, value);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    const residuals = values.map((each) => each - mean);
    return [mean, errorOfSum(residuals, replicateOf, replicates) / values.length];
  };
  const { achieved, claimed, firstGuess, firstGuessRight } = scores;
  const [meanAchieved, achievedSe] = estimate((t) => achieved[t]!);
  const [meanClaimed, claimedSe] = estimate((t) => claimed[t]!);
  const [excess, excessSe] = estimate((t) => claimed[t]! - achieved[t]!);
  const [guessClaimed, guessClaimedSe] = estimate((t) => firstGuess[t]!);
  const [guessRight, guessRightSe] = estimate((t) => firstGuessRight[t]!);
  const [guessExcess, guessExcessSe] = estimate((t) => firstGuess[t]! - firstGuessRight[t]!);
  // That none or all of some guesses are right does not say that it is so of all others.
  const unseen = guessRight === 0 || guessRight === 1 ? chanceError(guessRight, chosen.length) : 0;
  const { slope, information, residuals } = bestSlope(of, chosen);
  return {
    targets: chosen.length,
    achieved: meanAchieved,
    achievedSe,
    claimed: meanClaimed,
    claimedSe,
    excess,
    excessSe,
    slope,
    slopeSe: information > 0 ? errorOfSum(residuals, replicateOf, replicates) / information : Infinity,
    firstGuessClaimed: guessClaimed,
    firstGuessClaimedSe: guessClaimedSe,
    firstGuessRight: guessRight,
    firstGuessRightSe: Math.max(guessRightSe, unseen),
    firstGuessExcess: guessExcess,
    firstGuessExcessSe: Math.max(guessExcessSe, unseen),
  };
}

/** Standard error of a sum whose terms have the mean 0: from the terms, or from their sums over replicates where these vary more. */
function errorOfSum(residuals: Float64Array, replicateOf: (place: number) => number, replicates: number): number {
  const sums = new Float64Array(replicates);
  const members = new Uint32Array(replicates);
  let squares = 0;
  for (const [place, residual] of residuals.entries()) {
    sums[replicateOf(place)]! += residual;
    members[replicateOf(place)]!++;
    squares += residual * residual;
  }
  const units = residuals.length;
  const within = (units / (units - 1)) * squares;
  const present = members.filter((count) => count > 0).length;
  if (present < 2) return Math.sqrt(within);
  const between = (present / (present - 1)) * sums.reduce((total, sum) => total + sum * sum, 0);
  return Math.sqrt(Math.max(within, between));
}

/** For each replicate its targets from the least claimed to the most; of equal ones the first stays first. */
function replicatesByClaim(claimed: Float64Array, replicates: number): Uint32Array[] {
  const each = claimed.length / replicates;
  return Array.from({ length: replicates }, (_, r) =>
    Uint32Array.from({ length: each }, (__, i) => r * each + i).sort((a, b) => claimed[a]! - claimed[b]! || a - b),
  );
}

function enough(chosen: Uint32Array): Uint32Array | null {
  return chosen.length < FEWEST_TARGETS ? null : chosen;
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  return Uint32Array.from(parts.flatMap((part) => [...part]));
}
