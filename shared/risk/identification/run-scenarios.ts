import type { Config } from '../../contracts/config/config.ts';
import type { IdentificationScenario } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { matchingOf, openScenario, refuseRepeatedScenarios } from './identification-scenario.ts';

/** A scenario that says which synthesized variables the intruder matches by. */
export type RunScenario = IdentificationScenario & { readonly synthesized: string[] };

/**
 * A scenario under which a release of known variables is matched, with its synthesized variables: those of the release
 * unless it names some.
 *
 * @param synthesized names of the variables that the release replaces
 * @throws InvalidConfigError `not-synthesized`, `known-and-synthesized`, and what `openScenario` throws
 */
export function scenarioOfRelease(
  schema: TableSchema,
  scenario: IdentificationScenario,
  synthesized: readonly string[],
): RunScenario {
  const { name } = openScenario(schema, scenario);
  const guessed = scenario.synthesized ?? [...synthesized];
  const kept = guessed.find((variable) => !synthesized.includes(variable));
  if (kept !== undefined) {
    throw new InvalidConfigError(
      'not-synthesized',
      `Scenario "${name}": variable ${kept} is named as synthesized and kept by the release; expected some of ${synthesized.join(', ')}.`,
    );
  }
  const replaced = scenario.known.find((variable) => synthesized.includes(variable));
  if (replaced !== undefined) {
    throw new InvalidConfigError(
      'known-and-synthesized',
      `Scenario "${name}": variable ${replaced} is named as known and is synthesized; a known variable is one that the release keeps.`,
    );
  }
  return { ...scenario, synthesized: guessed };
}

/**
 * The identification scenarios of a run, checked against its table. Where every variable is synthesized they are only
 * known by name: nothing can be matched.
 *
 * @throws InvalidConfigError `repeated-scenario`, and what {@link scenarioOfRelease} and `matchingOf` throw
 */
export function runScenarios({ identification, synthesis }: Config, schema: TableSchema): RunScenario[] {
  refuseRepeatedScenarios(identification);
  const { synthesized } = synthesis;
  const names = schema.variables.map(({ name }) => name);
  return identification.map((scenario) => {
    if (synthesized === 'all') {
      openScenario(schema, scenario);
      return { ...scenario, synthesized: scenario.synthesized ?? names };
    }
    const ofRelease = scenarioOfRelease(schema, scenario, synthesized);
    const matched = [...ofRelease.known, ...ofRelease.synthesized].map((name) => names.indexOf(name));
    matchingOf(schema, ofRelease, matched);
    return ofRelease;
  });
}
