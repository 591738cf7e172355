import { log1p } from '../../numeric/portable-math.ts';

/**
 * What a record in a cell adds to the log-likelihood of a release, in nats: `drawn` times the logarithm of
 * (count + 1 + alpha) / (count + alpha). With the number of records public the denominator of all shares is the same
 * whatever the record is, so that differences of this between cells are those of the log-likelihoods.
 *
 * @param count records of the cell without this one
 * @param drawn synthetic records in the cell, over all datasets
 * @param alpha count added to every cell, positive
 */
export function recordGain(count: number, drawn: number, alpha: number): number {
  return drawn === 0 ? 0 : drawn * log1p(1 / (count + alpha));
}
