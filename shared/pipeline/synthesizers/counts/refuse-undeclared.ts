import type { Config } from '../../../contracts/config/config.ts';
import { InvalidConfigError } from '../../../contracts/errors.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import { addedCount } from '../../../model/conjugate/added-count.ts';
import { variableNames } from '../../../table/names-in-text.ts';
import type { Table } from '../../../table/table.ts';

/**
 * Refuses a table whose cells a model of counts would read off the data, and what else such a model cannot have of it.
 *
 * @throws InvalidConfigError `undeclared-categories`, `not-binary`, `invalid-epsilon`
 */
export function refuseUndeclared({ model: ofRun, variables, synthesis }: Config, { schema, records }: Table): void {
  const model = settingsOf(ofRun, 'beta-binomial', 'dirichlet-multinomial');
  const undeclared = schema.variables.flatMap(({ name }, place) =>
    (variables[name]?.categories ?? variables[name]?.breaks) === undefined ? [place] : [],
  );
  if (undeclared.length > 0) {
    throw new InvalidConfigError(
      'undeclared-categories',
      `The model ${model.name} is differentially private where the categories are known beforehand, not read off the data. Declare those of ${variableNames(schema, undeclared)}. Write into the config, for each variable: variables: { NAME: { categories: ["first", "second"] } }, or for a number { breaks: [0, 18, 65] }.`,
    );
  }
  const [first] = schema.variables;
  const isBinary = schema.variables.length === 1 && first!.type === 'categorical' && first!.categories.length === 2;
  if (model.name === 'beta-binomial' && !isBinary) {
    throw new InvalidConfigError(
      'not-binary',
      'The model beta-binomial is of a table of one variable with two declared categories: use dirichlet-multinomial for others.',
    );
  }
  refuseUncounted(model.epsilon, synthesis.datasets * records, records);
}

/** Refuses an epsilon for which the count that is added, or a count against it, is beyond double precision. */
function refuseUncounted(epsilon: number, draws: number, records: number): void {
  try {
    if (records / addedCount(epsilon, draws) < Infinity) return;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidConfigError(
    'invalid-epsilon',
    `model.epsilon: over the ${draws} records that are synthesized it is beyond double precision.`,
  );
}
