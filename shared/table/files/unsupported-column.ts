import { InvalidTableError } from '../../contracts/errors.ts';
import { inList } from '../../contracts/in-command.ts';

/** A column as messages name it, and its place in the file, from 1. */
export type ColumnPlace = { readonly name: string; readonly number: number };

/** What a column holds that is not read, and what to do with it; nothing where it can only be left out. */
export type Unsupported = readonly [holds: string, remedy: string];

/** A column of dates, as of Parquet files and workbooks. */
export const DATES: Unsupported = ['dates', 'write what matters of them as numbers or text, such as the year or an age'];

/** The refusal of a column by what it holds. */
export function unsupportedColumn({ name, number }: ColumnPlace, [holds, remedy]: Unsupported): InvalidTableError {
  return new InvalidTableError(
    'unsupported-column',
    `Column \`${name}\` holds ${holds}: expected text, whole numbers, floating point or booleans; ${remedy === '' ? '' : `${remedy}, or `}leave the column out (--drop ${inList(name)})`,
    { column: number },
  );
}
