import { InvalidConfigError } from '../errors.ts';
import { didYouMean } from './nearest-name.ts';

/** Names that a message lists at most: of a wider table the nearest name alone helps. */
const MOST_LISTED = 20;

/**
 * What to say where a config or a flag names a variable that the table does not have.
 *
 * @param place the field or flag that names it, such as `synthesis.synthesized`
 * @param names of the table's variables, whose header has been accepted
 */
export function unknownVariable(place: string, name: string, names: readonly string[]): InvalidConfigError {
  const listed = names.length > MOST_LISTED ? '' : ` Its variables are ${names.join(', ')}.`;
  return new InvalidConfigError(
    'unknown-variable',
    `${place}: the table has no variable ${name}${didYouMean(name, names)}.${listed}`,
    { field: place },
  );
}
