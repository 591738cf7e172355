import type { Config } from '../config/config.ts';
import type { Summary } from '../results/summary.ts';
import { acceptanceRules, applyAcceptanceRule } from './acceptance-rule.ts';

/** Results of the acceptance rules that are of one measure. */
export interface JudgedMeasure {
  readonly results: Summary['acceptance'];
  /** Rules of other measures, which were not applied: one config may serve an evaluation as well. */
  readonly rulesOfOthers: number;
}

/**
 * Applies those of a config's acceptance rules that are of a measure which was found by itself, without a run.
 *
 * @param found the measure as `summary.json` of a run has it, in its field, and whether datasets are no copies of the table
 */
export function judgeMeasure(
  config: Config,
  found: Pick<Summary, 'assessable'> & (Pick<Summary, 'utility'> | Pick<Summary, 'identificationRisk'>),
): JudgedMeasure {
  const rules = acceptanceRules(config);
  const own = rules.filter(({ path }) => Object.hasOwn(found, path[0]!.field));
  return { results: own.map((rule) => applyAcceptanceRule(rule, found)), rulesOfOthers: rules.length - own.length };
}
