import { configOfScenario } from '../config/config.ts';
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

/** The plan for each of its scenarios, in their order. */
export function scenarioPlans(plan: Plan): Plan[] {
  return plan.config.attributeRisk.scenarios.map((_, s) => planOfScenario(plan, s + 1));
}
