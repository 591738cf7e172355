import { InvalidConfigError } from '../errors.ts';
import { nearestName } from './nearest-name.ts';

/** How a rule names a scenario behind a list of the summary: `["holds only the release"]`, the name quoted as in JSON. */
export const SCENARIO_IN_BRACKETS = String.raw`\["(?:[^"\\]|\\.)*"\]`;

/** The name in such brackets; undefined where the text between the quotes is none of JSON. */
export function scenarioInBrackets(text: string): string | undefined {
  try {
    return (JSON.parse(text) as string[])[0];
  } catch {
    // Only a backslash before a letter that means nothing in JSON, or a line break, comes here.
    return undefined;
  }
}

/** What messages call a rule, since its text may hold anything: `Acceptance rule 2 of the scenario "baseline"`. */
export const ruleInWords = (rule: string, scenario: string | undefined) =>
  rule + (scenario === undefined ? '' : ` of the scenario ${JSON.stringify(scenario)}`);

/** A list of the summary with the name of a scenario in brackets. */
export const bracketed = (list: string, scenario: string) => `${list}[${JSON.stringify(scenario)}]`;

/** A path without the name of its scenario. */
export const withoutScenario = (path: string) => path.replace(new RegExp(SCENARIO_IN_BRACKETS), '');

/**
 * Refuses a rule on a scenario that the config does not have. The name that was typed is not told: it may be a value.
 *
 * @param rule what the rule is called, as the beginning of a sentence
 * @throws InvalidConfigError `unknown-scenario`, with the name that may be meant
 */
export function refuseUnknownScenario(rule: string, scenario: string, known: readonly string[]): void {
  if (known.includes(scenario)) return;
  const meant = nearestName(scenario, known);
  const question = meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`;
  const expected = known.length === 0 ? 'there are none' : `expected one of ${known.map((name) => JSON.stringify(name)).join(', ')}`;
  throw new InvalidConfigError('unknown-scenario', `${rule} names a scenario that there is not${question}: ${expected}.`);
}
