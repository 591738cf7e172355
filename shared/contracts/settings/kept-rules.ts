import type { Config } from '../config/config.ts';
import { parseRegionRule } from './acceptance-region.ts';
import { parseAcceptanceRule } from './acceptance-rule.ts';

/**
 * The rules of a config that are left where only scenarios of some names remain: a rule on one scenario goes with it.
 *
 * @param names of the scenarios of attribute risk that remain
 */
export function keptRules(
  { acceptance, attributeRisk }: Config,
  names: readonly string[],
): { acceptance: string[]; acceptanceRegion: string[] } {
  const remains = (scenario: string | null | undefined) => scenario == null || names.includes(scenario);
  return {
    acceptance: acceptance.filter((text, index) =>
      parseAcceptanceRule(text, index + 1).path.every(({ field, scenario }) => field !== 'attributeRisk' || remains(scenario)),
    ),
    acceptanceRegion: attributeRisk.acceptanceRegion.filter((text, index) => remains(parseRegionRule(text, index + 1).scenario)),
  };
}
