import type { Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { OpenedScenario } from './opened-scenario.ts';

/**
 * The radius within which each synthesized variable counts as disclosed: the one that it has in the scenarios. Undefined
 * for variables that no scenario gives a radius, whose values must be equal.
 *
 * @param synthesized indices of the variables that the release replaces
 * @param several what becomes of a variable to which scenarios give several radii: it is refused, or its values must be
 * equal
 * @returns one element for each variable of the schema
 * @throws InvalidConfigError `radii-differ` where several are refused
 */
export function disclosureRadii(
  { variables }: TableSchema,
  scenarios: readonly OpenedScenario[],
  synthesized: readonly number[],
  several: 'refused' | 'equal',
): (Radius | undefined)[] {
  return variables.map(({ name }, variable) => {
    if (!synthesized.includes(variable)) return undefined;
    const radii = scenarios.flatMap(({ radius }) => radius[name] ?? []);
    const texts = new Set(radii.map((radius) => JSON.stringify(radius)));
    if (texts.size <= 1) return radii[0];
    if (several === 'equal') return undefined;
    throw new InvalidConfigError(
      'radii-differ',
      `Variable ${name} has several radii in the scenarios: exact attribute disclosures need one, --radius ${name}=0.1.`,
    );
  });
}
