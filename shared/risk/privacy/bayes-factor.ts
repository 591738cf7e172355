import { recordGain } from '../../model/conjugate/added-count.ts';
import { exp } from '../../numeric/portable-math.ts';

/** A binary table and its synthetic records, as the intruder of McClure & Reiter (2012) sees them who lacks one record. */
export interface BinaryRelease {
  /** n, public. */
  readonly records: number;
  /** X: records of the table with the value 1. */
  readonly ones: number;
  /** n_s: synthetic records. */
  readonly draws: number;
  /** X*: synthetic records with the value 1. */
  readonly syntheticOnes: number;
  /** Count added to each of the two cells. */
  readonly alpha: number;
}

/**
 * log P(D* | Y_j = y, D_-j) - log P(D* | Y_j = 1 - y, D_-j) in nats for a record with true value y (McClure & Reiter 2012, eq.
 * 5). The record is one with the value 1; of a table without one it has the value 0.
 */
export function logBayesFactor({ records, ones, draws, syntheticOnes, alpha }: BinaryRelease): number {
  const hasOne = ones > 0;
  const gainOfOne = recordGain(hasOne ? ones - 1 : 0, syntheticOnes, alpha);
  const gainOfZero = recordGain(hasOne ? records - ones : records - 1, draws - syntheticOnes, alpha);
  return hasOne ? gainOfOne - gainOfZero : gainOfZero - gainOfOne;
}

/** The risks of one record under one prior (McClure & Reiter 2012, eq. 2 and 8). */
interface RiskUnderPrior {
  /** R: posterior probability of the true value. */
  readonly absolute: number;
  /** RR: posterior over prior probability. */
  readonly relative: number;
}

/**
 * R = w B / (1 - w + w B) and RR = B / (1 - w + w B) for a Bayes factor B of the truth against the other values.
 *
 * @param logFactor log B
 * @param weight w, prior probability of the true value, in the open interval (0, 1)
 */
export function riskUnderPrior(logFactor: number, weight: number): RiskUnderPrior {
  // Divided by B, so that a factor beyond double precision leaves a risk of one, and one below it leaves none.
  const relative = 1 / (weight + (1 - weight) * exp(-logFactor));
  return { absolute: weight * relative, relative };
}

/** Priors of a curve, equally spaced in (0, 1): as many as in Figures 3 and 4 of McClure & Reiter (2012). */
const PRIORS = 1000;

/** The risks under a prior. */
export interface PriorPoint extends RiskUnderPrior {
  readonly prior: number;
}

/** The risks of a record under every prior, from the least to the largest: a curve of Figures 3 and 4 of McClure & Reiter (2012). */
export function priorCurve(logFactor: number): PriorPoint[] {
  return Array.from({ length: PRIORS }, (_, index) => {
    const prior = (index + 1) / (PRIORS + 1);
    return { prior, ...riskUnderPrior(logFactor, prior) };
  });
}
