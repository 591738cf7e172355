import type { Column } from './table.ts';

/**
 * Codes of records `from` up to but without `to` (from 0), row by row: records x columns.
 *
 * @throws RangeError for a continuous column, which has none
 */
export function recordCodes(columns: readonly Column[], from: number, to: number): Uint16Array {
  const width = columns.length;
  const codes = new Uint16Array((to - from) * width);
  for (const [j, column] of columns.entries()) {
    if (column.type !== 'categorical') throw new RangeError('a continuous column has no codes');
    for (let i = from; i < to; i++) codes[(i - from) * width + j] = column.codes[i]!;
  }
  return codes;
}

/** The columns of rows of codes, records x columns: what {@link recordCodes} puts together. */
export function codeColumns(codes: Uint16Array, records: number): Column[] {
  const width = codes.length / records;
  return Array.from({ length: width }, (_, j) => ({
    type: 'categorical',
    codes: Uint16Array.from({ length: records }, (_, i) => codes[i * width + j]!),
  }));
}
