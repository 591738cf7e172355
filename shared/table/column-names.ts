import { InvalidTableError } from '../contracts/errors.ts';
import { decimalNumber } from './decimal-number.ts';

/** What pandas calls an unnamed row index that it writes to Parquet. */
const PANDAS_ROW_INDEX = '__index_level_0__';

/**
 * Names of the variables, from the header of a file. Spaces around a name are dropped. A first column without
 * a name (as R writes row names), or a column that holds a pandas row index, is undefined: not a variable.
 *
 * A file without a header would have its first record taken for names, so messages here give column numbers
 * (from 1) instead of names, and a name that is a number is refused.
 *
 * Errors (InvalidTableError): `no-variables`, `empty-variable-name`, `no-header`, `duplicate-variable`.
 */
export function columnNames(header: readonly string[]): (string | undefined)[] {
  const names = header.map((cell, index) => {
    const name = cell.trim();
    return (index === 0 && name === '') || name === PANDAS_ROW_INDEX ? undefined : name;
  });
  if (names.every((name) => name === undefined)) {
    throw new InvalidTableError('no-variables', 'expected the names of the variables in the first line');
  }
  const firstIndex = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    if (name === '') {
      throw new InvalidTableError(
        'empty-variable-name',
        `column ${index + 1} has no name: expected one in the header (only a first column of row names has none), or no delimiter at the end of the header`,
        { column: index + 1 },
      );
    }
    if (!Number.isNaN(decimalNumber(name))) {
      throw new InvalidTableError(
        'no-header',
        `the name of column ${index + 1} is a number: expected a header with the names of the variables in the first line`,
        { column: index + 1 },
      );
    }
    const earlier = firstIndex.get(name);
    if (earlier !== undefined) {
      throw new InvalidTableError(
        'duplicate-variable',
        `columns ${earlier + 1} and ${index + 1} have the same name: expected a name of its own for each variable`,
        { column: index + 1 },
      );
    }
    firstIndex.set(name, index);
  }
  return names;
}
