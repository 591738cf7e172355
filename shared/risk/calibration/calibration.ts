import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { log } from '../../numeric/portable-math.ts';
import { posterior } from '../attribute/posterior.ts';

/** Information in nats a record: what an estimate claims, and what it achieves by a proper score. */
export interface Calibration {
  /** Mean over targets of the log posterior of the truth, above that of the uniform prior. */
  readonly achieved: number;
  readonly achievedSe: number;
  /** Mean over targets of what the estimate itself expects `achieved` to be. */
  readonly claimed: number;
  readonly claimedSe: number;
  /** `claimed` - `achieved`, with the standard error of the difference: both are of the same targets. */
  readonly excess: number;
  readonly excessSe: number;
  /** Power of the likelihood that would maximise `achieved`: 1 = calibrated, below 1 = overclaims. */
  readonly slope: number;
  /** Infinity where no estimate tells anything, so that every power is as good. */
  readonly slopeSe: number;
}

/** Posteriors of targets, of which the truths are known. */
export interface ScoredTargets {
  /** Targets x candidates, each up to a constant. */
  readonly logLikelihoods: Float64Array;
  readonly truths: ArrayLike<number>;
  readonly candidates: number;
}

/** What an estimate says of each target, and how right it is there: one element a target. */
export interface TargetScores {
  /** Log posterior of the truth above that of the uniform prior, in nats. */
  readonly achieved: Float64Array;
  /** What the estimate itself expects `achieved` to be. A function of the posterior alone, whatever the truth. */
  readonly claimed: Float64Array;
  readonly firstGuess: Float64Array;
  /** 1 where that candidate is the truth, else 0; of k candidates that tie for it each is guessed once in k times. */
  readonly firstGuessRight: Float64Array;
}

/** The scores of every target. */
export function targetScores({ logLikelihoods, truths, candidates }: ScoredTargets): TargetScores {
  const targets = truths.length;
  const achieved = new Float64Array(targets);
  const claimed = new Float64Array(targets);
  const firstGuess = new Float64Array(targets);
  const firstGuessRight = new Float64Array(targets);
  for (let t = 0; t < targets; t++) {
    const from = t * candidates;
    const distribution = posterior(logLikelihoods, from, candidates);
    // In logs, because a truth that the estimate rules out may have a probability that rounds to zero.
    const normalizer = logSumExp(logLikelihoods.subarray(from, from + candidates));
    achieved[t] = logLikelihoods[from + truths[t]!]! - normalizer + log(candidates);
    let ties = 0;
    for (const p of distribution) {
      if (p > 0) claimed[t]! += p * log(p * candidates);
      if (p > firstGuess[t]!) [firstGuess[t], ties] = [p, 0];
      if (p === firstGuess[t]) ties++;
    }
    firstGuessRight[t] = distribution[truths[t]!] === firstGuess[t] ? 1 / ties : 0;
  }
  return { achieved, claimed, firstGuess, firstGuessRight };
}

/**
 * Proper scoring of posteriors over candidates when the truth was drawn uniformly among them
 * (docs/explanation/calibration.md): the true posterior maximises `achieved`, and a calibrated estimate
 * achieves what it claims.
 *
 * @param logLikelihoods targets x candidates, each up to a constant
 * @param truths index of the true candidate of each target; at least two targets
 */
export function calibration(logLikelihoods: Float64Array, truths: ArrayLike<number>, candidates: number): Calibration {
  const scored = { logLikelihoods, truths, candidates };
  const scores = targetScores(scored);
  const [achieved, achievedSe] = meanWithError(scores.achieved);
  const [claimed, claimedSe] = meanWithError(scores.claimed);
  const [excess, excessSe] = meanWithError(scores.claimed.map((claim, t) => claim - scores.achieved[t]!));
  const all = Uint32Array.from(truths, (_, t) => t);
  const { slope, information, residuals } = bestSlope(scored, all);
  const squares = residuals.reduce((sum, residual) => sum + residual * residual, 0);
  const slopeSe = information > 0 ? Math.sqrt(squares) / information : Infinity;
  return { achieved, achievedSe, claimed, claimedSe, excess, excessSe, slope, slopeSe };
}

/**
 * The calibration of replicates together. Targets of one replicate share chains and datasets: a standard error is the
 * larger of what the targets give and, with two replicates or more, what the spread between replicates gives.
 *
 * @param together calibration of the targets of all replicates
 * @param replicates calibration of each, with equally many targets
 */
export function pooledCalibration(together: Calibration, replicates: readonly Calibration[]): Calibration {
  const withSpread = (figure: 'achieved' | 'claimed' | 'excess' | 'slope', within: number) => {
    if (replicates.length < 2) return within;
    return Math.max(within, meanWithError(Float64Array.from(replicates, (each) => each[figure]))[1]);
  };
  return {
    ...together,
    achievedSe: withSpread('achieved', together.achievedSe),
    claimedSe: withSpread('claimed', together.claimedSe),
    excessSe: withSpread('excess', together.excessSe),
    slopeSe: withSpread('slope', together.slopeSe),
  };
}

function meanWithError(values: Float64Array): [mean: number, standardError: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return [mean, Math.sqrt(squares / (values.length - 1) / values.length)];
}

/** The power of the likelihood that fits some targets best, and what its error is made of. */
export interface BestSlope {
  /** 1 where no power is better than another. */
  readonly slope: number;
  /** Second derivative of the score by the power, with its sign changed; 0 where no estimate tells anything. */
  readonly information: number;
  /** Derivative of each target's score by the power, in the order in which targets were named; their sum is 0. */
  readonly residuals: Float64Array;
}

/** Newton's method on the concave score of the power, for the chosen targets. */
export function bestSlope({ logLikelihoods, truths, candidates }: ScoredTargets, chosen: Uint32Array): BestSlope {
  const scaled = new Float64Array(candidates);
  let best: BestSlope = { slope: 1, information: 0, residuals: new Float64Array(chosen.length) };
  let slope = 1;
  for (let iteration = 0; iteration < 50; iteration++) {
    let gradient = 0;
    let information = 0;
    const residuals = new Float64Array(chosen.length);
    for (const [place, t] of chosen.entries()) {
      const from = t * candidates;
      for (let x = 0; x < candidates; x++) scaled[x] = logLikelihoods[from + x]! * slope;
      const distribution = posterior(scaled, 0, candidates);
      let mean = 0;
      let square = 0;
      for (let x = 0; x < candidates; x++) {
        const centred = logLikelihoods[from + x]! - logLikelihoods[from]!;
        mean += distribution[x]! * centred;
        square += distribution[x]! * centred * centred;
      }
      const score = logLikelihoods[from + truths[t]!]! - logLikelihoods[from]! - mean;
      residuals[place] = score;
      gradient += score;
      information += square - mean * mean;
    }
    if (!(information > 0)) break;
    const step = Math.max(-0.5, Math.min(0.5, gradient / information));
    slope += step;
    best = { slope, information, residuals };
    if (Math.abs(step) < 1e-9) break;
  }
  return best;
}

/** What a calibration says of an estimate. */
export interface CalibrationVerdict {
  readonly code: 'calibrated' | 'overclaims' | 'underclaims' | 'cannot-tell';
  /** Further targets that would settle `cannot-tell`; null with any other verdict, and where the estimate tells nothing. */
  readonly moreTargets: number | null;
}

/** A difference of so many standard errors is no longer taken for chance. */
const STANDARD_ERRORS = 2;

/** An estimate is called calibrated when its slope is known to within this of 1. */
const SLOPE_TOLERANCE = 0.25;

/**
 * Judges an estimate. It overclaims when it claims more than it achieves, and its slope is below 1, both by more than two
 * standard errors; it underclaims when both are the other way round. Otherwise it is calibrated, provided that two
 * standard errors of the slope are a quarter at most; with wider errors nothing can be said.
 *
 * @param targets targets behind the figures, over all replicates
 */
export function calibrationVerdict(found: Calibration, targets: number): CalibrationVerdict {
  const { excess, excessSe, slope, slopeSe } = found;
  const claimsMore = excess > STANDARD_ERRORS * excessSe;
  const claimsLess = -excess > STANDARD_ERRORS * excessSe;
  if (claimsMore && 1 - slope > STANDARD_ERRORS * slopeSe) return { code: 'overclaims', moreTargets: null };
  if (claimsLess && slope - 1 > STANDARD_ERRORS * slopeSe) return { code: 'underclaims', moreTargets: null };
  const width = (STANDARD_ERRORS * slopeSe) / SLOPE_TOLERANCE;
  if (width <= 1) return { code: 'calibrated', moreTargets: null };
  // Standard errors fall with the root of the number of targets.
  const needed = Math.ceil(targets * (width * width - 1));
  return { code: 'cannot-tell', moreTargets: Number.isSafeInteger(needed) ? needed : null };
}

/**
 * Whether some targets claim more or less than they achieve, by more than two standard errors; null when neither. The
 * slope of few targets is known too badly to be asked.
 */
export function excessVerdict({ excess, excessSe }: Pick<Calibration, 'excess' | 'excessSe'>): 'overclaims' | 'underclaims' | null {
  if (Math.abs(excess) <= STANDARD_ERRORS * excessSe) return null;
  return excess > 0 ? 'overclaims' : 'underclaims';
}
