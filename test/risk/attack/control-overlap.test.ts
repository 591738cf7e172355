import { describe, expect, it } from 'vitest';
import { overlapsTable } from '../../../shared/risk/attack/control-overlap.ts';
import { chosenRecords, chosenVariables, type Table } from '../../../shared/table/table.ts';
import { drawTable, lehmer } from './reference-tables.ts';

const range = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, i) => from + i);
const population = drawTable(lehmer(99), 2000);
const [CATEGORICAL, MIXED] = [
  [0, 1, 2, 3],
  [0, 1, 2, 3, 4, 5],
];

const part = (variables: readonly number[], ...places: readonly Uint32Array[]): Table =>
  chosenRecords(chosenVariables(population, variables), Uint32Array.from(places.flatMap((own) => [...own])));

describe('a control', () => {
  it.each([
    ['of categories', CATEGORICAL],
    ['of numbers as well', MIXED],
  ])('of other people is none of the table, %s', (_, variables) => {
    const table = part(variables, range(0, 1000));
    expect(overlapsTable(table, part(variables, range(1000, 2000)))).toBe(false);
    expect(overlapsTable(table, part(variables, range(1000, 1020)))).toBe(false);
  });

  it('that is the table is seen, in another order too', () => {
    // Every combination has many records: counts alone would tell nothing.
    const table = part([0], range(0, 1000));
    expect(overlapsTable(table, table)).toBe(true);
    expect(overlapsTable(table, part([0], range(0, 1000).reverse()))).toBe(true);
  });

  it('that holds records of the table is seen, all of it or a tenth', () => {
    const table = part(MIXED, range(0, 1000));
    expect(overlapsTable(table, part(MIXED, range(400, 500)))).toBe(true);
    expect(overlapsTable(table, part(MIXED, range(900, 1900)))).toBe(true);
    expect(overlapsTable(table, part(MIXED, range(990, 1990)))).toBe(false);
  });
});
