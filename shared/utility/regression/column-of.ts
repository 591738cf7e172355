import type { CountedRows } from '../../table/counted-rows.ts';

/** The codes of a categorical variable. Throws RangeError for another. */
export function codesOf({ columns }: Pick<CountedRows, 'columns'>, variable: number): Uint8Array | Uint16Array {
  const column = columns[variable]!;
  if (column.type !== 'categorical') throw new RangeError('a categorical variable has codes');
  return column.codes;
}

/** The values of a continuous variable. Throws RangeError for another. */
export function valuesOf({ columns }: Pick<CountedRows, 'columns'>, variable: number): Float64Array {
  const column = columns[variable]!;
  if (column.type !== 'continuous') throw new RangeError('a continuous variable has values');
  return column.values;
}
