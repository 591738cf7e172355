import type { Config } from '../config/config.ts';
import { InvalidConfigError } from '../errors.ts';
import { refuseUnknownScenario, ruleInWords, SCENARIO_IN_BRACKETS, scenarioInBrackets } from './named-scenario.ts';

/** A bound, itself allowed or not, on the absolute risk R or the relative risk RR of a record (McClure & Reiter 2012, section 4). */
export type RiskBound = { readonly risk: 'R' | 'RR'; readonly inclusive: boolean; readonly bound: number };

/**
 * A rule of an acceptance region: one of its alternatives must hold, which are bounds that hold together, for the records of
 * one scenario, or of all where that is null.
 */
export interface RegionRule {
  readonly rule: string;
  readonly scenario: string | null;
  readonly alternatives: readonly (readonly RiskBound[])[];
}

const BOUND = /^\s*(RR|R)\s*(<=|<)\s*(\d+\.?\d*(?:e-?\d+)?|\.\d+(?:e-?\d+)?)\s*$/;

const OF_SCENARIO = new RegExp(String.raw`^\s*attributeRisk(${SCENARIO_IN_BRACKETS})\s*:\s*`);

const example = 'write it as "R <= 0.1 or RR <= 1.05", or of one scenario as \'attributeRisk["its name"]: R <= 0.1 or RR <= 1.05\'';

/**
 * Parses a rule such as `R <= 0.1 or RR <= 1.05`: bounds from above, joined by `and` and `or`, of which `and` binds first. With
 * `attributeRisk["holds only the release"]: ` before it, it is of that scenario alone.
 *
 * @param number of the rule, from 1
 * @param ofScenario whose own rule it is
 * @throws InvalidConfigError `malformed-region`; `unmeetable-region` where no record could meet it for every weight of the truth
 * in (0, 1): as the weight nears 1, so do R and RR, so that an alternative is needed whose bounds are all 1 or more
 */
export function parseRegionRule(text: string, number: number, ofScenario: string | null = null): RegionRule {
  const words = ruleInWords(`Rule ${number} of the acceptance region`, ofScenario ?? undefined);
  const [before, brackets] = (ofScenario === null && OF_SCENARIO.exec(text)) || [];
  const scenario = brackets === undefined ? ofScenario : scenarioInBrackets(brackets);
  const rule = text.slice(before?.length ?? 0);
  const alternatives = rule.split(/\sor\s/).map((alternative) =>
    alternative.split(/\sand\s/).map((bounded): RiskBound => {
      const [, risk, operator, bound] = BOUND.exec(bounded) ?? [];
      if (scenario === undefined || risk === undefined || !Number.isFinite(Number(bound))) {
        throw new InvalidConfigError('malformed-region', `${words} cannot be read; ${example}.`);
      }
      return { risk: risk as RiskBound['risk'], inclusive: operator === '<=', bound: Number(bound) };
    }),
  );
  if (!alternatives.some((bounds) => bounds.every(({ bound }) => bound >= 1))) {
    throw new InvalidConfigError(
      'unmeetable-region',
      `${words} can be met by no record: whoever is all but sure beforehand is so afterwards, with R and RR near 1, so that some alternative must allow that; ${example}.`,
    );
  }
  return { rule, scenario: scenario!, alternatives };
}

/** The rules of all acceptance regions of a config, those of single scenarios last. Throws `unknown-scenario` as well. */
export function regionRules({ attributeRisk: { acceptanceRegion, scenarios } }: Config): RegionRule[] {
  const known = scenarios.map(({ name }) => name);
  const ofAll = acceptanceRegion.map((text, index) => {
    const rule = parseRegionRule(text, index + 1);
    if (rule.scenario !== null) refuseUnknownScenario(`Rule ${index + 1} of the acceptance region`, rule.scenario, known);
    return rule;
  });
  const ofOne = scenarios.flatMap(({ name, acceptanceRegion: own }) =>
    (own ?? []).map((text, index) => parseRegionRule(text, index + 1, name)),
  );
  return [...ofAll, ...ofOne];
}

/** Those of them that hold under a scenario. */
export const rulesOfScenario = (config: Config, name: string): RegionRule[] =>
  regionRules(config).filter(({ scenario }) => scenario === null || scenario === name);
