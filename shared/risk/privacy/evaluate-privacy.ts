import type { BinaryScenario, IncreaseTable, PrivacyEvaluation } from '../../contracts/results/differential-privacy.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { addedCount } from '../../model/conjugate/added-count.ts';
import { expectedIncrease } from './expected-increase.ts';
import { simulatePairs } from './simulate-pairs.ts';

/** Carries on work whose units follow those that are done; gives how many of all are. */
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
 * The simulations of 003 under every scenario, in their order, beside the expected increase in risk.
 *
 * @param replicates pairs of table and dataset a scenario
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
