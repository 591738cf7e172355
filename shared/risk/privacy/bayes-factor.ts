import { recordGain } from '../../model/conjugate/record-gain.ts';

/** A binary table and its synthetic records, as the intruder of 003 sees them who lacks one record. */
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
 * log P(D* | Y_j = y, D_-j) - log P(D* | Y_j = 1 - y, D_-j) in nats for a record with true value y (003 eq. 5). The record
 * is one with the value 1; of a table without one it has the value 0.
 */
export function logBayesFactor({ records, ones, draws, syntheticOnes, alpha }: BinaryRelease): number {
  const hasOne = ones > 0;
  const gainOfOne = recordGain(hasOne ? ones - 1 : 0, syntheticOnes, alpha);
  const gainOfZero = recordGain(hasOne ? records - ones : records - 1, draws - syntheticOnes, alpha);
  return hasOne ? gainOfOne - gainOfZero : gainOfZero - gainOfOne;
}
