import type { Config } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';

/** Places of variables that were named by a flag. Throws InvalidConfigError `unknown-variable`, `repeated-variable`. */
export function namedPlaces({ variables }: TableSchema, flag: string, names: readonly string[]): number[] {
  const places = names.map((name) => {
    const place = variables.findIndex((variable) => variable.name === name);
    if (place >= 0) return place;
    throw unknownVariable(
      flag,
      name,
      variables.map((variable) => variable.name),
    );
  });
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new InvalidConfigError('repeated-variable', `${flag} ${repeated}: the variable is named more than once.`);
  }
  return places;
}

/**
 * Places of the continuous variables that were named, or of all of them.
 *
 * @throws InvalidConfigError `not-continuous`, and as {@link namedPlaces}
 */
export function continuousPlaces(schema: TableSchema, names: readonly string[] | null): number[] {
  const { variables } = schema;
  if (names === null) return [...variables.keys()].filter((v) => variables[v]!.type === 'continuous');
  const places = namedPlaces(schema, '--variables', names);
  const categorical = places.find((v) => variables[v]!.type !== 'continuous');
  if (categorical === undefined) return places;
  throw new InvalidConfigError(
    'not-continuous',
    `--variables ${variables[categorical]!.name}: the variable is categorical, as it has few values or text; declare "type: continuous" in the config if it holds numbers, or name it with --swap.`,
  );
}

/** What becomes of missing values where there is no model. Throws UnsupportedOptionError `impute-without-model`. */
export function requireModelFree({ synthesis }: Config): 'refuse' | 'category' {
  if (synthesis.missing !== 'impute') return synthesis.missing;
  throw new UnsupportedOptionError(
    'impute-without-model',
    'Missing values are imputed by a model, and nothing is fitted here: use "missing: category".',
  );
}
