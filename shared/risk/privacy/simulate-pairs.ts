import type { BinaryScenario, SimulatedPair } from '../../contracts/results/differential-privacy.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { addedCount } from '../../model/conjugate/added-count.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { binomial } from '../../random/binomial.ts';
import { seededStreams } from '../../random/streams.ts';
import { type BinaryRelease, logBayesFactor, riskUnderPrior } from './bayes-factor.ts';

/**
 * Simulates tables of a population and one synthetic dataset of each (003 section 3); pauses after every pair.
 *
 * @throws RangeError from `addedCount`
 */
export function* simulatePairs({ p0, epsilon, n, prior }: BinaryScenario, replicates: number, seed: number): Stepwise<SimulatedPair[]> {
  const alpha = addedCount(epsilon, n);
  // Nobody has these tables: a seed that everybody knows opens nothing.
  const random = seededStreams(seed).open(`simulated/${p0}/${epsilon}/${n}`);
  const pairs: SimulatedPair[] = [];
  for (let replicate = 0; replicate < replicates; replicate++) {
    const ones = binomial(random, n, p0);
    const syntheticOnes = binomial(random, n, (ones + alpha) / (n + 2 * alpha));
    const release = { records: n, ones, draws: n, syntheticOnes, alpha };
    const logFactor = logBayesFactor(release);
    const weight = ones > 0 ? prior : 1 - prior;
    pairs.push({
      ones,
      syntheticOnes,
      trueValue: ones > 0 ? 1 : 0,
      prior: weight,
      logBayesFactor: logFactor,
      ...riskUnderPrior(logFactor, weight),
      utilityLoss: utilityLoss(p0, release),
    });
    yield replicate + 1;
  }
  return pairs;
}

/** E((p0 - p)^2) where p ~ Beta(1 + ones, 1 + records - ones): its variance and the square of its bias. */
function squaredError(p0: number, records: number, ones: number): number {
  const a = 1 + ones;
  const b = 1 + records - ones;
  const total = a + b;
  const bias = a / total - p0;
  return (a * b) / (total * total * (total + 1)) + bias * bias;
}

/**
 * U: log10 of the growth of the expected squared error of the probability of a 1 when the synthetic records are analysed
 * in place of the table (003 eq. 4), with a uniform prior. 003 samples the posterior given the synthetic records
 * (Appendix B); here it is summed over all tables, since the number of ones is uniform on 0 to n before they are seen.
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
