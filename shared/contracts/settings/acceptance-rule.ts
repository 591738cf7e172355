import type { z } from 'zod';
import type { Config } from '../config/config.ts';
import { InvalidConfigError } from '../errors.ts';
import { RANKED_FIGURES } from '../results/ranked-figures.ts';
import type { Summary } from '../results/summary.ts';
import { parseRegionRule } from './acceptance-region.ts';
import { bracketed, refuseUnknownScenario, ruleInWords, SCENARIO_IN_BRACKETS, scenarioInBrackets } from './named-scenario.ts';
import { SCENARIO_LISTS, SUMMARY_FIGURES, suggestFigure } from './summary-figures.ts';
import { isEstimate, untrustedReason } from './trusted-figures.ts';

const OPERATORS = {
  '<=': (value: number, bound: number) => value <= bound,
  '<': (value: number, bound: number) => value < bound,
  '>=': (value: number, bound: number) => value >= bound,
  '>': (value: number, bound: number) => value > bound,
};

/** A field on the way to a figure, and of a list the one scenario whose element is meant; all of them if left out. */
type Step = { readonly field: string; readonly scenario?: string };

/** An acceptance rule: a figure of the summary compared with a number. */
export interface AcceptanceRule {
  readonly rule: string;
  readonly path: readonly Step[];
  readonly operator: keyof typeof OPERATORS;
  readonly bound: number;
}

const STEP = `[A-Za-z]\\w*(?:${SCENARIO_IN_BRACKETS})?`;

const RULE = new RegExp(String.raw`^\s*(${STEP}(?:\.${STEP})*)\s*(<=|>=|<|>)\s*(-?[\d.]+(?:e-?\d+)?)\s*$`);

const example =
  'write it as "attributeRisk.truthRankedFirstShare <= 0.05", or of one scenario as \'attributeRisk["its name"].truthRankedFirstShare <= 0.05\'';

/**
 * Parses a rule such as `attributeRisk.truthRankedFirstShare <= 0.05`, which all scenarios have to meet, or
 * `attributeRisk["holds only the release"].truthRankedFirstShare <= 0.05`.
 *
 * @param number of the rule, from 1
 * @param ofScenario whose own rule it is: its path then begins below `attributeRisk`
 * @throws InvalidConfigError `malformed-rule` when it is not of that form, `unknown-figure` when it names no number of the
 * summary, `unmeetable-rule` when no value of the figure could meet it
 */
export function parseAcceptanceRule(rule: string, number: number, ofScenario?: string): AcceptanceRule {
  const words = ruleInWords(`Acceptance rule ${number}`, ofScenario);
  const whole = ofScenario === undefined ? rule : `${bracketed('attributeRisk', ofScenario)}.${rule.trim()}`;
  const [, places, operator, number_] = RULE.exec(whole) ?? [];
  const bound = Number(number_);
  const path = places === undefined ? null : stepsOf(places);
  if (path === null || !Number.isFinite(bound)) {
    throw new InvalidConfigError('malformed-rule', `${words} cannot be read; ${example}.`);
  }
  const figure = figureAt(path);
  if (figure === null) {
    throw new InvalidConfigError(
      'unknown-figure',
      `${words} names no number of summary.json${suggestFigure(nameOf(path))}; ${example}. \`synthrisk schema --acceptance\` lists them.`,
    );
  }
  const parsed = { rule: whole, path, operator: operator as AcceptanceRule['operator'], bound };
  if (!canBeMet(parsed, figure)) {
    throw new InvalidConfigError(
      'unmeetable-rule',
      `${words} can be met by no run: its figure is never so ${parsed.operator.startsWith('<') ? 'small' : 'large'}.`,
    );
  }
  return parsed;
}

/** The fields of a path; null where a name in brackets cannot be read. */
function stepsOf(path: string): Step[] | null {
  const steps: Step[] = [];
  for (const [, field, brackets] of path.matchAll(new RegExp(`([A-Za-z]\\w*)(${SCENARIO_IN_BRACKETS})?(?:\\.|$)`, 'g'))) {
    const scenario = brackets === undefined ? undefined : scenarioInBrackets(brackets);
    if (brackets !== undefined && scenario === undefined) return null;
    steps.push({ field: field!, ...(scenario === undefined ? {} : { scenario }) });
  }
  return steps;
}

/** The schema of the number of the summary that a path leads to; null where there is none. */
function figureAt(path: readonly Step[]): z.ZodNumber | null {
  const placesOf = path.map((_, i) => nameOf(path.slice(0, i + 1)));
  if (path.some(({ scenario }, i) => scenario !== undefined && !SCENARIO_LISTS.has(placesOf[i]!))) return null;
  return SUMMARY_FIGURES.get(nameOf(path))?.schema ?? null;
}

const nameOf = (path: readonly Step[]) => path.map(({ field }) => field).join('.');

/** Whether the figure has a value that meets the rule. */
function canBeMet({ operator, bound }: AcceptanceRule, figure: z.ZodNumber): boolean {
  const isUpper = operator.startsWith('<');
  const best = (isUpper ? figure.minValue : figure.maxValue) ?? (isUpper ? -Infinity : Infinity);
  // Of what has to be positive, 0 is the least but no value.
  const isReached = figure.safeParse(best).success;
  return isReached ? OPERATORS[operator](best, bound) : isUpper ? best < bound : best > bound;
}

/** All acceptance rules of a config, those of single scenarios last. Throws `unknown-scenario` as well. */
export function acceptanceRules({ acceptance, attributeRisk, identification }: Config): AcceptanceRule[] {
  const ofRisk = attributeRisk.scenarios.map(({ name }) => name);
  const matching = identification.map(({ name }) => name).filter((name) => name !== undefined);
  const ofAll = acceptance.map((text, index) => {
    const rule = parseAcceptanceRule(text, index + 1);
    for (const { field, scenario } of rule.path) {
      if (scenario === undefined) continue;
      refuseUnknownScenario(`Acceptance rule ${index + 1}`, scenario, field === 'attributeRisk' ? ofRisk : matching);
    }
    return rule;
  });
  const ofOne = attributeRisk.scenarios.flatMap(({ name, acceptance: own }) =>
    (own ?? []).map((text, index) => parseAcceptanceRule(text, index + 1, name)),
  );
  return [...ofAll, ...ofOne];
}

/** A value that a path has reached, of which scenario it is, and why it is absent if it is. */
interface Reached {
  readonly value: unknown;
  readonly scenario: string | null;
  readonly reason?: string | undefined;
}

/** The elements of a list, each with its scenario where it has one; anything else by itself. */
const elements = ({ value, scenario, reason }: Reached): Reached[] =>
  Array.isArray(value) && value.length > 0
    ? value.map((element) => ({ value: element, scenario: (element as { scenario?: string } | null)?.scenario ?? scenario, reason }))
    : [{ value, scenario, reason }];

/** A field of what was reached, with the reason that stands beside it. */
function stepInto({ value, scenario, reason }: Reached, field: string): Reached {
  const object = (value ?? {}) as Record<string, unknown>;
  const ranked = (RANKED_FIGURES as readonly string[]).includes(field) ? object.rankedReason : undefined;
  const beside = object[`${field}Reason`] ?? ranked ?? object.reason ?? reason;
  return { value: object[field], scenario, reason: beside === undefined ? undefined : String(beside) };
}

/** Why a figure has no value that the summary itself gives no reason for, of a scenario or of the run. */
const undefinedReason = (scenario: string | null) =>
  scenario === null
    ? 'The figure is not defined for this run.'
    : `The figure is not defined for the scenario "${scenario}": set the rule in the scenarios that have it (acceptance of a scenario).`;

/**
 * Applies a rule to a summary. Where the path crosses a list, every element that is meant must meet the rule, and value
 * and scenario are those of the worst; an undefined value (null, an empty list, a measure that does not apply) does not
 * meet it, nor does one that cannot be relied upon, as {@link heldBack} finds.
 */
export function applyAcceptanceRule(
  { rule, path, operator, bound }: AcceptanceRule,
  summary: Partial<Summary>,
): Summary['acceptance'][number] {
  let reached: Reached[] = [{ value: summary, scenario: null }];
  for (const { field, scenario: meant } of path) {
    reached = reached
      .map((one) => stepInto(one, field))
      .flatMap(elements)
      .filter(({ scenario }) => meant === undefined || scenario === null || scenario === meant);
  }
  const named = path.find(({ scenario }) => scenario !== undefined)?.scenario ?? null;
  const absent = reached.find(({ value }) => typeof value !== 'number');
  if (reached.length === 0 || absent !== undefined) {
    const reason = absent?.reason ?? undefinedReason(absent?.scenario ?? null);
    return heldBack({ rule, scenario: named, value: null, met: false, reason }, [], summary);
  }
  const isWorse = operator.startsWith('<') ? OPERATORS['>'] : OPERATORS['<'];
  const worst = (reached as (Reached & { value: number })[]).reduce((worst, one) => (isWorse(one.value, worst.value) ? one : worst));
  const { value, scenario } = worst;
  const met = OPERATORS[operator](value, bound);
  const isHeld = path[0]!.field === 'attributeRisk' && isEstimate(path[1]!.field);
  const ofRisk = isHeld ? reached.map((one) => one.scenario!) : [];
  return heldBack({ rule, scenario, value, met }, ofRisk, summary);
}

/**
 * What a rule on figures of some scenarios comes to where one cannot be relied upon: it is not met, and the result says why.
 */
export function heldBack(
  result: Summary['acceptance'][number],
  scenarios: readonly string[],
  summary: Partial<Summary>,
): Summary['acceptance'][number] {
  const { assessable, attributeRisk = [] } = summary;
  if (assessable === false) return { ...result, met: false, reason: 'The datasets are not assessable.' };
  if (!result.met) return result;
  const reasons = attributeRisk
    .filter(({ scenario }) => scenarios.includes(scenario))
    .flatMap((risk) => untrustedReason(risk, summary) ?? []);
  return reasons.length === 0 ? result : { ...result, met: false, reason: reasons[0]! };
}

/** Results of the acceptance rules of one measure, and how many are of others: one config may serve an evaluation as well. */
export type JudgedMeasure = { readonly results: Summary['acceptance']; readonly rulesOfOthers: number };

/** Applies the acceptance rules of a config to a measure that was found without a run, in the field that `summary.json` has for it. */
export function judgeMeasure(
  config: Config,
  found: Pick<Summary, 'assessable'> & (Pick<Summary, 'utility'> | Pick<Summary, 'identificationRisk'>),
): JudgedMeasure {
  const rules = acceptanceRules(config);
  const own = rules.filter(({ path }) => Object.hasOwn(found, path[0]!.field));
  return { results: own.map((rule) => applyAcceptanceRule(rule, found)), rulesOfOthers: rules.length - own.length };
}

/** The rules of a config that are left where only scenarios of some names remain: a rule on one scenario goes with it. */
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
