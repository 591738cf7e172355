import { describe, expect, it } from 'vitest';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { MISSING } from '../../../shared/model/mixed/mixed-rows.ts';
import { besideRows, columnsOf, mixedRows, mixedView, placesOf, statesOf } from '../../../shared/model/mixed/mixed-view.ts';
import type { Table } from '../../../shared/table/table.ts';

const schema: TableSchema = {
  variables: [
    { name: 'income', type: 'continuous' },
    { name: 'sex', type: 'categorical', categories: ['f', 'm'] },
    { name: 'age', type: 'continuous' },
    { name: 'region', type: 'categorical', categories: ['a', 'b', 'c'] },
  ],
};
const view = mixedView(schema, { income: { range: [0, 100], masses: [0, 100] }, age: { range: [0, 50] } });
const tableOf = (income: number[], sex: number[], age: number[], region: number[]): Table => ({
  schema,
  records: income.length,
  columns: [
    { type: 'continuous', values: Float64Array.from(income) },
    { type: 'categorical', codes: Uint16Array.from(sex) },
    { type: 'continuous', values: Float64Array.from(age) },
    { type: 'categorical', codes: Uint16Array.from(region) },
  ],
});
const table = tableOf([0, 50, 100, Number.NaN], [0, 1, 2, 1], [0, 25, 50, Number.NaN], [2, 3, 0, 1]);
const dataset = tableOf([1, 0, 99, 50], [1, 1, 0, 0], [10, 20, 30, 40], [0, 0, 1, 2]);

describe('mixedView()', () => {
  it('has categorical variables, then an indicator for each variable with masses', () => {
    expect(view.sizes).toEqual([2, 3, 3]);
    expect(view.continuous.map(({ variable, indicator }) => [variable, indicator])).toEqual([
      [0, 2],
      [2, null],
    ]);
  });

  it('refuses a continuous variable that is not declared', () => {
    expect(() => mixedView(schema, { income: { range: [0, 100] } })).toThrow(/^variables\.age: the model mixed needs the range/);
  });
});

describe('statesOf()', () => {
  it('has a category for all values that are no mass, then the masses, and of what is missing none', () => {
    const { schema: states, columns, records } = statesOf(view, table);
    expect(records).toBe(4);
    expect(states.variables[0]).toMatchObject({ name: 'income', type: 'categorical', categories: { length: 3 } });
    expect(columns[0]).toEqual({ type: 'categorical', codes: Uint16Array.of(1, 0, 2, 3) });
    expect(columns.slice(1)).toEqual(table.columns.slice(1));
    expect(states.variables.slice(1)).toEqual(schema.variables.slice(1));
  });
});

describe('mixedRows()', () => {
  it('has a mass in the indicator alone, and nothing of a missing value', () => {
    const { rows, codes, values } = mixedRows(view, [table]);
    expect(rows).toBe(4);
    expect([...codes]).toEqual([...[0, 1, MISSING, 1], ...[2, MISSING, 0, 1], ...[1, 0, 2, MISSING]]);
    expect([...values]).toEqual([...[Number.NaN, 49 / 98, Number.NaN, Number.NaN], ...[0, 0.5, 1, Number.NaN]]);
  });

  it('puts tables below each other', () => {
    const { rows, codes, values } = mixedRows(view, [table, dataset]);
    expect(rows).toBe(8);
    expect([...codes.subarray(16, 24)]).toEqual([1, 0, 2, MISSING, 0, 1, 0, 0]);
    expect([...values.subarray(12)]).toEqual([0.2, 0.4, 0.6, 0.8]);
  });

  it('comes back as columns, rounded', () => {
    const columns = columnsOf(view, mixedRows(view, [dataset]), [0, 1, 2, 3]);
    expect([...columns]).toEqual([...dataset.columns.entries()]);
  });
});

describe('besideRows()', () => {
  it('gives each record the columns of the dataset as well, of the same parts and variables', () => {
    const { rows, sizes, codes, values, columns } = besideRows(view, table, dataset, [0, 3]);
    expect([rows, sizes]).toEqual([4, view.sizes]);
    expect(columns).toEqual({ parts: [0, 1, 2, 1, 2], continuous: [0, 1, 0] });
    expect([...codes.subarray(12)]).toEqual([...[0, 0, 1, 2], ...[0, 1, 0, 0]]);
    expect([...values.subarray(8)]).toEqual([0, Number.NaN, 1, 49 / 98]);
  });

  it('names the places of variables', () => {
    expect(placesOf(view, [2, 1])).toEqual({ parts: [0], continuous: [1] });
  });
});
