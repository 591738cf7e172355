import type { BinaryScenario, IncreaseTable, PrivacyEvaluation, SimulatedPair } from '../../contracts/results/differential-privacy.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { addedCount } from '../../model/conjugate/added-count.ts';
import { binomialMasses } from '../../numeric/binomial-mass.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { binomial } from '../../random/binomial.ts';
import { seededStreams } from '../../random/streams.ts';
import { type BinaryRelease, logBayesFactor, riskUnderPrior } from './bayes-factor.ts';

/**
 * Simulates tables of a population and one synthetic dataset of each (McClure & Reiter 2012, section 3); pauses after every pair.
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
 * in place of the table (McClure & Reiter 2012, eq. 4), with a uniform prior. McClure & Reiter (2012) sample the posterior given
 * the synthetic records (Appendix B); here it is summed over all tables, since the number of ones is uniform on 0 to n before
 * they are seen.
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

/** Yields the units of some work after those that are done. */
function* after<Result>(unitsDone: number, work: Stepwise<Result>): Stepwise<Result> {
  for (let next = work.next(); ; next = work.next()) {
    if (next.done) return next.value;
    yield unitsDone + next.value;
  }
}

/** Units of `tabulateIncrease`, and of `evaluatePrivacy` with replicates. */
export function privacyUnits(scenarios: readonly BinaryScenario[], replicates = 0): number {
  return scenarios.reduce((units, { n }) => units + n + 1 + replicates, 0);
}

/**
 * The expected increase in risk of every scenario, in their order: Table 1 of McClure & Reiter (2012).
 *
 * @throws RangeError from `addedCount`
 */
export function* tabulateIncrease(scenarios: readonly BinaryScenario[]): Stepwise<IncreaseTable> {
  const rows: IncreaseTable['rows'] = [];
  let unitsDone = 0;
  for (const scenario of scenarios) {
    rows.push({ ...scenario, expectedIncrease: yield* after(unitsDone, expectedIncrease(scenario)) });
    unitsDone += privacyUnits([scenario]);
  }
  return { rows };
}

/**
 * The simulations of McClure & Reiter (2012) under every scenario, with `replicates` pairs of table and dataset each, beside the expected
 * increase in risk.
 *
 * @throws RangeError from `addedCount`
 */
export function* evaluatePrivacy(
  scenarios: readonly BinaryScenario[],
  replicates: number,
  seed: number,
): Stepwise<Pick<PrivacyEvaluation, 'seed' | 'replicates' | 'scenarios'>> {
  const evaluated: PrivacyEvaluation['scenarios'] = [];
  let unitsDone = 0;
  for (const scenario of scenarios) {
    const increase = yield* after(unitsDone, expectedIncrease(scenario));
    unitsDone += privacyUnits([scenario]);
    const pairs = yield* after(unitsDone, simulatePairs(scenario, replicates, seed));
    unitsDone += replicates;
    const alpha = addedCount(scenario.epsilon, scenario.n);
    evaluated.push({ ...scenario, alpha, expectedIncrease: increase, pairs });
  }
  return { seed, replicates, scenarios: evaluated };
}

/** Tables and datasets less probable than this are left out: all of them together have less than n times as much. */
const NEGLIGIBLE = 1e-20;

/**
 * Expected increase in risk over all tables and synthetic datasets (McClure & Reiter 2012, eq. 6 and 7): what the probability of the true
 * value gains, nothing where it loses. The record has the value 1, and in a table without one the value 0, with prior
 * probability 1 - `prior`. Its units are the n + 1 tables.
 *
 * @throws RangeError from `addedCount`
 */
export function* expectedIncrease({ p0, epsilon, n, prior }: BinaryScenario): Stepwise<number> {
  const alpha = addedCount(epsilon, n);
  const masses = binomialMasses(n);
  let expected = 0;
  for (const [ones, mass] of masses(p0).entries()) {
    if (mass < NEGLIGIBLE) continue;
    const datasets = masses((ones + alpha) / (n + 2 * alpha));
    expected += mass * increaseGivenTable(datasets, ones, alpha, ones > 0 ? prior : 1 - prior);
    yield ones + 1;
  }
  return expected;
}

/** Expected increase over the synthetic datasets of one table; `datasets` has the probability of each number of synthetic ones. */
function increaseGivenTable(datasets: Float64Array, ones: number, alpha: number, weight: number): number {
  const n = datasets.length - 1;
  let expected = 0;
  for (let syntheticOnes = 0; syntheticOnes <= n; syntheticOnes++) {
    const mass = datasets[syntheticOnes]!;
    if (mass < NEGLIGIBLE) continue;
    const logFactor = logBayesFactor({ records: n, ones, draws: n, syntheticOnes, alpha });
    // A factor below one lowers the probability of the truth.
    if (logFactor > 0) expected += mass * (riskUnderPrior(logFactor, weight).absolute - weight);
  }
  return expected;
}
