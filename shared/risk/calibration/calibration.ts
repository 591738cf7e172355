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

/**
 * Proper scoring of posteriors over candidates when the truth was drawn uniformly among them
 * (docs/estimators.md, calibration). The true posterior maximises `achieved` (the logarithmic score is
 * proper), and a calibrated estimate achieves what it claims.
 *
 * @param logLikelihoods targets x candidates, each up to a constant
 * @param truths index of the true candidate of each target; at least two targets
 */
export function calibration(
  logLikelihoods: Float64Array,
  truths: ArrayLike<number>,
  candidates: number,
): Calibration {
  const targets = truths.length;
  const scores = new Float64Array(targets);
  const claims = new Float64Array(targets);
  for (let t = 0; t < targets; t++) {
    const from = t * candidates;
    const distribution = posterior(logLikelihoods, from, candidates);
    // In logs, because a truth that the estimate rules out may have a probability that rounds to zero.
    const normalizer = logSumExp(logLikelihoods.subarray(from, from + candidates));
    scores[t] = logLikelihoods[from + truths[t]!]! - normalizer + log(candidates);
    for (const p of distribution) if (p > 0) claims[t]! += p * log(p * candidates);
  }
  const [achieved, achievedSe] = meanWithError(scores);
  const [claimed, claimedSe] = meanWithError(claims);
  const [excess, excessSe] = meanWithError(claims.map((claim, t) => claim - scores[t]!));
  const { slope, slopeSe } = bestSlope(logLikelihoods, truths, candidates);
  return { achieved, achievedSe, claimed, claimedSe, excess, excessSe, slope, slopeSe };
}

/**
 * The calibration of replicates together. Targets of one replicate share its chains and its datasets, so that a
 * figure may vary more between replicates than their targets tell: its standard error is the larger of what the
 * targets give and the standard deviation between replicates over the root of their number. With one replicate
 * there is only the former.
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

/** Mean of independent values, and its standard error. */
function meanWithError(values: Float64Array): [mean: number, standardError: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return [mean, Math.sqrt(squares / (values.length - 1) / values.length)];
}

/** Newton's method on the concave score of the power; its standard error from the score's own variance. */
function bestSlope(logLikelihoods: Float64Array, truths: ArrayLike<number>, candidates: number) {
  const targets = truths.length;
  const scaled = new Float64Array(candidates);
  let slope = 1;
  let slopeSe = Infinity;
  for (let iteration = 0; iteration < 50; iteration++) {
    let gradient = 0;
    let gradientSquares = 0;
    let information = 0;
    for (let t = 0; t < targets; t++) {
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
      gradient += score;
      gradientSquares += score * score;
      information += square - mean * mean;
    }
    if (!(information > 0)) break;
    slopeSe = Math.sqrt(gradientSquares) / information;
    const step = Math.max(-0.5, Math.min(0.5, gradient / information));
    slope += step;
    if (Math.abs(step) < 1e-9) break;
  }
  return { slope, slopeSe };
}
