import { InvalidTableError } from '../../contracts/errors.ts';
import { isDecimalNumber } from './decimal-number.ts';

/** What pandas calls an unnamed row index that it writes to Parquet. */
const PANDAS_ROW_INDEX = '__index_level_0__';

/**
 * Names of the variables, from the header of a file. Spaces around a name are dropped. A first column without a name (as R
 * writes row names), or a column that holds a pandas row index, is undefined: not a variable. A file without a header would
 * have its first record taken for names, so what is refused (InvalidTableError) gives numbers of columns instead of names.
 */
export function columnNames(header: readonly string[]): (string | undefined)[] {
  const names = header.map((cell, index) => {
    const name = cell.trim();
    return (index === 0 && name === '') || name === PANDAS_ROW_INDEX ? undefined : name;
  });
  if (names.every((name) => name === undefined)) {
    throw new InvalidTableError('no-variables', 'expected the names of the variables in the first line');
  }
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    const column = index + 1;
    const refuse = (code: string, message: string) => new InvalidTableError(code, message, { column });
    if (name === '') {
      throw refuse(
        'empty-variable-name',
        `column ${column} has no name: expected one in the header (only a first column of row names has none), or no delimiter at the end of the header`,
      );
    }
    if (isDecimalNumber(name)) {
      const expected = 'expected a header with the names of the variables in the first line';
      throw refuse('no-header', `the name of column ${column} is a number: ${expected}`);
    }
    // JavaScript takes it for another object's fields, so that what is declared of the variable would be lost without a word.
    if (name === '__proto__') throw refuse('reserved-name', `column ${column}: expected another name than __proto__`);
    const earlier = names.indexOf(name) + 1;
    if (earlier < column) {
      const expected = 'expected a name of its own for each variable';
      throw refuse('duplicate-variable', `columns ${earlier} and ${column} have the same name: ${expected}`);
    }
  }
  return names;
}
