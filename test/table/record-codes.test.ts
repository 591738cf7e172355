import { describe, expect, it } from 'vitest';
import { codeColumns, recordCodes } from '../../shared/table/record-codes.ts';
import type { Column } from '../../shared/table/table.ts';

const columns: Column[] = [
  { type: 'categorical', codes: Uint8Array.of(3, 1, 0, 2) },
  { type: 'categorical', codes: Uint16Array.of(500, 7, 8, 9) },
];

describe('recordCodes()', () => {
  it('puts the codes of a range of records row by row', () => {
    expect(recordCodes(columns, 1, 3)).toEqual(Uint16Array.of(1, 7, 0, 8));
    expect(recordCodes(columns, 2, 2)).toEqual(new Uint16Array(0));
  });

  it('refuses a continuous column', () => {
    const continuous: Column = { type: 'continuous', values: Float64Array.of(1.5) };
    expect(() => recordCodes([continuous], 0, 1)).toThrow(/no codes/);
  });
});

it('codeColumns() takes rows apart again', () => {
  const rows = recordCodes(columns, 0, 4);
  expect(codeColumns(rows, 4).map((column) => 'codes' in column && [...column.codes])).toEqual([
    [3, 1, 0, 2],
    [500, 7, 8, 9],
  ]);
});
