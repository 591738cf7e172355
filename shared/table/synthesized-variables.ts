import { InvalidConfigError, InvalidTableError } from '../contracts/errors.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { unknownVariable } from '../contracts/settings/nearest-name.ts';
import { variableNames } from './names-in-text.ts';

/**
 * The variables of a table that are synthesized, as indices into its schema, in the order in which they were named; all of
 * them, in column order, where none is kept.
 *
 * @throws InvalidConfigError `unknown-variable`; `nothing-kept` when every variable is named, which is not partial synthesis
 * @throws InvalidTableError `single-category` for one of which every record has the same value
 */
export function synthesizedVariables(synthesized: 'all' | readonly string[], schema: TableSchema): number[] {
  const { variables } = schema;
  if (synthesized === 'all') return refuseSingle(schema, [...variables.keys()]);
  const names = variables.map(({ name }) => name);
  const indices = synthesized.map((name) => {
    const index = names.indexOf(name);
    if (index >= 0) return index;
    throw unknownVariable('synthesis.synthesized', name, names);
  });
  if (indices.length === names.length) {
    throw new InvalidConfigError(
      'nothing-kept',
      'synthesis.synthesized names every variable of the table: keep one, or, with a model that synthesizes all of them, write "synthesized: all" for datasets without rows that belong to records.',
    );
  }
  return refuseSingle(schema, indices);
}

function refuseSingle(schema: TableSchema, indices: number[]): number[] {
  const single = indices.filter((index) => {
    const variable = schema.variables[index]!;
    return variable.type === 'categorical' && variable.categories.length === 1;
  });
  if (single.length === 0) return indices;
  throw new InvalidTableError(
    'single-category',
    `there is a single category, which leaves nothing to guess or compare, in ${variableNames(schema, single)}: drop the column (--drop), keep it (synthesis.synthesized, --synthesized), or declare all its categories in the config`,
  );
}
