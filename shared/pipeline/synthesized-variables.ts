import { InvalidConfigError } from '../contracts/errors.ts';
import type { TableSchema } from '../contracts/schema.ts';

/**
 * The variables of a table that are synthesized, as indices into its schema, in the order in which they were named;
 * all of them, in column order, where none is kept.
 *
 * @throws InvalidConfigError `unknown-variable` for a name that the table lacks; `nothing-kept` when every variable
 *   is named, which is not partial synthesis
 */
export function synthesizedVariables(
  synthesized: 'all' | readonly string[],
  { variables }: TableSchema,
): number[] {
  if (synthesized === 'all') return variables.map((_, v) => v);
  const names = variables.map(({ name }) => name);
  const indices = synthesized.map((name) => {
    const index = names.indexOf(name);
    if (index >= 0) return index;
    throw new InvalidConfigError(
      'unknown-variable',
      `synthesis.synthesized: the table has no variable ${name}; expected names from its header.`,
    );
  });
  if (indices.length === names.length) {
    throw new InvalidConfigError(
      'nothing-kept',
      'synthesis.synthesized names every variable of the table: keep one, or write "synthesized: all" for datasets without rows that belong to records.',
    );
  }
  return indices;
}
