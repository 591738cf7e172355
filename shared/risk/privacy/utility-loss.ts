import { exp, log } from '../../numeric/portable-math.ts';
import type { BinaryRelease } from './bayes-factor.ts';

/** E((p0 - p)^2) where p ~ Beta(1 + ones, 1 + records - ones): its variance and the square of its bias. */
function squaredError(p0: number, records: number, ones: number): number {
  const a = 1 + ones;
  const b = 1 + records - ones;
  const total = a + b;
  const bias = a / total - p0;
  return (a * b) / (total * total * (total + 1)) + bias * bias;
}

/**
 * U, the logarithm to base 10 of what the expected squared error of the probability of a 1 grows by when the synthetic
 * records are analysed in place of the table (003 eq. 4), with a uniform prior on it. The analyst knows n and alpha. 003
 * samples the posterior given the synthetic records (Appendix B); here it is summed over all tables, since the number of
 * ones is uniform on 0 to n before they are seen.
 *
 * @param p0 the true probability of a 1
 */
export function utilityLoss(p0: number, { records, ones, draws, syntheticOnes, alpha }: BinaryRelease): number {
  const logWeights = Float64Array.from(
    { length: records + 1 },
    (_, x) => syntheticOnes * log(x + alpha) + (draws - syntheticOnes) * log(records - x + alpha),
  );
  const largest = logWeights.reduce((most, weight) => Math.max(most, weight), -Infinity);
  let weights = 0;
  let weighted = 0;
  for (let x = 0; x <= records; x++) {
    const weight = exp(logWeights[x]! - largest);
    weights += weight;
    weighted += weight * squaredError(p0, records, x);
  }
  return log(weighted / weights / squaredError(p0, records, ones)) / Math.LN10;
}
