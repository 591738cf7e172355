import type { IdentificationScenario } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { type MatchedScenario, matchingOf, openScenario } from './opened-scenario.ts';

/**
 * Opens a scenario under which a release of known variables is matched: by all of them, unless the scenario names some.
 *
 * @param synthesized indices of the variables that the release replaces
 * @throws InvalidConfigError `not-synthesized`, `known-and-synthesized`, and what `openScenario` and `matchingOf` throw
 */
export function openReleaseScenario(schema: TableSchema, given: IdentificationScenario, synthesized: readonly number[]): MatchedScenario {
  const opened = openScenario(schema, given);
  const nameOf = (variable: number) => schema.variables[variable]!.name;
  const guessed = opened.synthesized ?? synthesized;
  const kept = guessed.find((variable) => !synthesized.includes(variable));
  if (kept !== undefined) {
    throw new InvalidConfigError(
      'not-synthesized',
      `Scenario "${opened.name}": variable ${nameOf(kept)} is named as synthesized and kept by the release; expected some of ${synthesized.map(nameOf).join(', ')}.`,
    );
  }
  const replaced = opened.known.find((variable) => synthesized.includes(variable));
  if (replaced !== undefined) {
    throw new InvalidConfigError(
      'known-and-synthesized',
      `Scenario "${opened.name}": variable ${nameOf(replaced)} is named as known and is synthesized; a known variable is one that the release keeps.`,
    );
  }
  return { ...opened, synthesized: guessed, matching: matchingOf(schema, opened, guessed) };
}
