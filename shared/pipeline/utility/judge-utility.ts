import type { Summary } from '../../contracts/results/summary.ts';
import type { UtilitySummary } from '../../contracts/results/utility.ts';
import { applyAcceptanceRule, parseAcceptanceRule } from '../../contracts/settings/acceptance-rule.ts';

/** Applies those of some acceptance rules that are of utility: one config may serve an evaluation as well. */
export function judgeUtility(rules: readonly string[], utility: UtilitySummary): Summary['acceptance'] {
  return rules
    .map((rule, index) => parseAcceptanceRule(rule, index + 1))
    .filter(({ path }) => path[0]!.field === 'utility')
    .map((rule) => applyAcceptanceRule(rule, { utility }));
}
