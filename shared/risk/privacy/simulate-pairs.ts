import type { BinaryScenario, SimulatedPair } from '../../contracts/results/differential-privacy.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { addedCount } from '../../model/conjugate/added-count.ts';
import { binomial } from '../../random/binomial.ts';
import { seededStreams } from '../../random/streams.ts';
import { logBayesFactor } from './bayes-factor.ts';
import { riskUnderPrior } from './risk-under-prior.ts';
import { utilityLoss } from './utility-loss.ts';

/**
 * Simulates tables of a population and one synthetic dataset of each (003 section 3). Pauses after every pair. The same
 * seed gives the same pairs, whatever else is simulated.
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
