import { InvalidTableError } from '../../contracts/errors.ts';
import { inList } from '../../contracts/in-command.ts';

/** A column as messages name it, and its place in the file, from 1. */
export type ColumnPlace = { readonly name: string; readonly number: number };

/** What a column holds that is not read, and what to do with it; nothing where it can only be left out. */
export type Unsupported = readonly [holds: string, remedy: string];

/** A column of dates, as of Parquet files and workbooks. */
export const DATES: Unsupported = ['dates', 'write what matters of them as numbers or text, such as the year or an age'];

/** A column that is not read, and what it holds. */
export type UnsupportedColumn = readonly [column: ColumnPlace, held: Unsupported];

/** The refusal of columns by what they hold, all at once: one table often has several dates. */
export function unsupportedColumns(first: UnsupportedColumn, ...others: readonly UnsupportedColumn[]): InvalidTableError {
  const all = [first, ...others];
  const held = all.map(([{ name }, [holds, remedy]]) => `\`${name}\` holds ${holds}${remedy === '' ? '' : `: ${remedy}`}`).join('; ');
  const which = others.length === 0 ? 'column' : 'columns';
  return new InvalidTableError(
    'unsupported-column',
    `Column ${held}. Expected text, whole numbers, floating point or booleans; or leave the ${which} out (--drop ${inList(...all.map(([{ name }]) => name))})`,
    { column: first[0].number },
  );
}
