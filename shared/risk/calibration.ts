import { log } from '../numeric/portable-math.ts';
import { posterior } from './posterior.ts';

/** Information in nats a record: what an estimate claims, and what it achieves by a proper score. */
export interface Calibration {
  /** Mean over targets of the log posterior of the truth, above that of the uniform prior. */
  readonly achieved: number;
  readonly achievedSe: number;
  /** Mean over targets of what the estimate itself expects `achieved` to be. */
  readonly claimed: number;
  /** Power of the likelihood that would maximise `achieved`: 1 = calibrated, below 1 = overclaims. */
  readonly slope: number;
  readonly slopeSe: number;
}

/**
 * Proper scoring of posteriors over candidates when the truth was drawn uniformly among them
 * (docs/estimators.md, calibration). The true posterior maximises `achieved` (the logarithmic score is
 * proper), and a calibrated estimate achieves what it claims.
 *
 * @param logLikelihoods targets x candidates, each up to a constant
 * @param truths index of the true candidate of each target
 */
export function calibration(
  logLikelihoods: Float64Array,
  truths: ArrayLike<number>,
  candidates: number,
): Calibration {
  const targets = truths.length;
  const scores = new Float64Array(targets);
  let claimed = 0;
  for (let t = 0; t < targets; t++) {
    const distribution = posterior(logLikelihoods, t * candidates, candidates);
    scores[t] = log(distribution[truths[t]!]! * candidates);
    for (const p of distribution) if (p > 0) claimed += (p * log(p * candidates)) / targets;
  }
  const achieved = scores.reduce((sum, score) => sum + score, 0) / targets;
  const variance = scores.reduce((sum, score) => sum + (score - achieved) * (score - achieved), 0);
  const { slope, slopeSe } = bestSlope(logLikelihoods, truths, candidates);
  return { achieved, achievedSe: Math.sqrt(variance / (targets - 1) / targets), claimed, slope, slopeSe };
}

/** Newton's method on the concave score of the power; its standard error from the score's own variance. */
function bestSlope(logLikelihoods: Float64Array, truths: ArrayLike<number>, candidates: number) {
  const targets = truths.length;
  let slope = 1;
  let slopeSe = Infinity;
  for (let iteration = 0; iteration < 50; iteration++) {
    const scaled = logLikelihoods.map((value) => value * slope);
    let gradient = 0;
    let gradientSquares = 0;
    let information = 0;
    for (let t = 0; t < targets; t++) {
      const from = t * candidates;
      const distribution = posterior(scaled, from, candidates);
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
