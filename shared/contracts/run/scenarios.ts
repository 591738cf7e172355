import { configOfScenario } from '../config/config.ts';
import { InvalidConfigError } from '../errors.ts';
import type { Plan } from './plan.ts';

/**
 * The plan as if one of its scenarios (from 1) were the only one: the candidates, the prior and the batches of that one.
 * Chains and datasets are those of all.
 */
export function planOfScenario(plan: Plan, scenario: number): Plan {
  return {
    ...plan,
    config: configOfScenario(plan.config, plan.config.attributeRisk.scenarios[scenario - 1]!),
    candidatesPerCombination: plan.scenarioCandidates[scenario - 1]!,
    scenarioCandidates: [plan.scenarioCandidates[scenario - 1]!],
    batches: plan.batches
      .filter((batch) => batch.scenario === scenario)
      .map((batch) => ({ ...batch, scenario: 1 })),
  };
}

/**
 * The number (from 1) of the scenario of that name; of the first where none is named.
 *
 * @throws InvalidConfigError `no-such-scenario`
 */
export function scenarioNumber({ config, runId }: Plan, name: string | undefined): number {
  if (name === undefined) return 1;
  const { scenarios } = config.attributeRisk;
  const place = scenarios.findIndex((scenario) => scenario.name === name);
  if (place >= 0) return place + 1;
  throw new InvalidConfigError(
    'no-such-scenario',
    `The run ${runId} has no scenario of that name; it has ${scenarios.length}, which its summary names.`,
  );
}

/** The plan for each of its scenarios, in their order. */
export function scenarioPlans(plan: Plan): Plan[] {
  return plan.config.attributeRisk.scenarios.map((_, s) => planOfScenario(plan, s + 1));
}
