import type { BinaryScenario, IncreaseTable, PrivacyEvaluation } from '../../contracts/results/differential-privacy.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { addedCount } from '../../model/conjugate/added-count.ts';
import { binomialMasses } from '../../numeric/binomial-mass.ts';
import { logBayesFactor, riskUnderPrior } from './bayes-factor.ts';
import { simulatePairs } from './simulate-pairs.ts';

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
 * The expected increase in risk of every scenario, in their order: Table 1 of 003.
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
 * The simulations of 003 under every scenario, with `replicates` pairs of table and dataset each, beside the expected
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
 * Expected increase in risk over all tables and synthetic datasets (003 eq. 6 and 7): what the probability of the true
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
