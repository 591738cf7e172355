import { describe, expect, it } from 'vitest';
import { changedRows, holdSameValues } from '../../../shared/risk/identification/kept-rows.ts';
import type { Table } from '../../../shared/table/table.ts';

function tableOf(codes: readonly number[], values: readonly number[]): Table {
  return {
    records: codes.length,
    schema: {
      variables: [
        { name: 'SEX', type: 'categorical', categories: ['f', 'm'] },
        { name: 'AGE', type: 'continuous' },
      ],
    },
    columns: [
      { type: 'categorical', codes: Uint8Array.from(codes) },
      { type: 'continuous', values: Float64Array.from(values) },
    ],
  };
}

// The code 2 is a value that the table lacks and a model imputes.
const table = tableOf([0, 1, 2, 1], [10, 20, -30, 1.1]);

describe('changedRows()', () => {
  it('counts other values, imputed ones and rounded digits left out', () => {
    expect([...changedRows(table, tableOf([1, 1, 0, 0], [10, 21, 30, 1.1000000000000003]))]).toEqual([2, 2]);
    expect([...changedRows(table, table)]).toEqual([0, 0]);
  });

  it('refuses columns of two types', () => {
    const { columns } = table;
    const turned = { ...table, columns: [columns[1]!, columns[0]!] };
    expect(() => changedRows(table, turned)).toThrow(RangeError);
    expect(() => changedRows(turned, table)).toThrow(RangeError);
  });
});

describe('holdSameValues()', () => {
  it('sees the same values in any order, of the variables that it is asked about', () => {
    expect(holdSameValues(table, tableOf([1, 2, 1, 0], [1.1, 10, 20, -30]), [0, 1])).toBe(true);
    const other = tableOf([1, 2, 1, 0], [1.1, 10, 20, -31]);
    expect(holdSameValues(table, other, [0, 1])).toBe(false);
    expect(holdSameValues(table, other, [0])).toBe(true);
    expect(holdSameValues(table, tableOf([1, 2, 0, 0], [1.1, 10, 20, -30]), [1, 0])).toBe(false);
  });
});
