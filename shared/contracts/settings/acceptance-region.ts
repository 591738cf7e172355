import { InvalidConfigError } from '../errors.ts';

/** A bound on the absolute risk R or the relative risk RR of a record (003 section 4). */
export interface RiskBound {
  readonly risk: 'R' | 'RR';
  /** Whether the bound itself is allowed. */
  readonly inclusive: boolean;
  readonly bound: number;
}

/** A rule of an acceptance region: one of its alternatives must hold, which are bounds that hold together. */
export interface RegionRule {
  readonly rule: string;
  readonly alternatives: readonly (readonly RiskBound[])[];
}

const BOUND = /^\s*(RR|R)\s*(<=|<)\s*(\d+\.?\d*(?:e-?\d+)?|\.\d+(?:e-?\d+)?)\s*$/;

const example = 'write it as "R <= 0.1 or RR <= 1.05"';

/**
 * Parses a rule such as `R <= 0.1 or RR <= 1.05`: bounds from above, joined by `and` and `or`, of which `and` binds first.
 *
 * A rule is refused that no record could meet for every weight of the truth in (0, 1): as the weight nears 1, so do R and
 * RR, whatever was released, so that an alternative is needed whose bounds are all 1 or more.
 *
 * @param number of the rule, from 1: what messages call it, since its text may hold anything
 * @throws InvalidConfigError `malformed-region` when it is not of that form, `unmeetable-region` when nobody could meet it
 */
export function parseRegionRule(rule: string, number: number): RegionRule {
  const alternatives = rule.split(/\sor\s/).map((alternative) =>
    alternative.split(/\sand\s/).map((text): RiskBound => {
      const [, risk, operator, bound] = BOUND.exec(text) ?? [];
      if (risk === undefined || !Number.isFinite(Number(bound))) {
        throw new InvalidConfigError(
          'malformed-region',
          `Rule ${number} of the acceptance region cannot be read; ${example}.`,
        );
      }
      return { risk: risk as RiskBound['risk'], inclusive: operator === '<=', bound: Number(bound) };
    }),
  );
  if (!alternatives.some((bounds) => bounds.every(({ bound }) => bound >= 1))) {
    throw new InvalidConfigError(
      'unmeetable-region',
      `Rule ${number} of the acceptance region can be met by no record: whoever is all but sure beforehand is so afterwards, with R and RR near 1, so that some alternative must allow that; ${example}.`,
    );
  }
  return { rule, alternatives };
}
