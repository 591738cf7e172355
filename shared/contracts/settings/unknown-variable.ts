import { InvalidConfigError } from '../errors.ts';
import { didYouMean } from './nearest-name.ts';

/**
 * What to say where a config or a flag names a variable that the table does not have. The others are not listed: where none
 * of the names that a user gives is there, the header may be a record.
 *
 * @param place the field or flag that names it, such as `synthesis.synthesized`
 * @param names of the table's variables, whose header has been accepted
 */
export function unknownVariable(place: string, name: string, names: readonly string[]): InvalidConfigError {
  return new InvalidConfigError(
    'unknown-variable',
    `${place}: the table has no variable ${name}${didYouMean(name, names)}. \`synthrisk plan TABLE --describe\` shows those that it has.`,
    { field: place },
  );
}
