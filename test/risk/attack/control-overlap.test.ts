import { describe, expect, it } from 'vitest';
import { copiedRecords, overlapsTable } from '../../../shared/risk/attack/control-overlap.ts';
import { chosenRecords, chosenVariables, type Table } from '../../../shared/table/table.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';
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

  it('is seen by more records than five standard errors above what chance gives', () => {
    const amounts = (from: number) => tableOf([continuous(Array.from({ length: 10 }, (_, record) => from + record))], 2);
    // Of ten records that are all alone chance gives 1 in 12: 10/12, with the variance 11/144 (10 + 100/10) of both files.
    // Seven are 6.17 more, which is below 5 x 1.236.
    expect(overlapsTable(amounts(0), amounts(2))).toBe(true);
    expect(overlapsTable(amounts(0), amounts(3))).toBe(false);
  });

  it('may hold a twentieth of the table, beside what chance gives', () => {
    // Every fifth record has a twin, and so has a fifth of those that are not in the table.
    const records = 10_000;
    const value = (record: number) => (record % 5 === 0 ? -(record % 1000) - 1 : record);
    const amounts = (from: number) => tableOf([continuous(Array.from({ length: records }, (_, record) => value(from + record)))], 2);
    expect(overlapsTable(amounts(0), amounts(records - 400))).toBe(false);
    expect(overlapsTable(amounts(0), amounts(records - 600))).toBe(true);
  });

  it('of other variables is refused', () => {
    const [codes, amounts] = [tableOf([categorical([0, 1])], 2), tableOf([continuous([0, 1])], 2)];
    expect(() => overlapsTable(codes, amounts)).toThrow(RangeError);
    expect(() => overlapsTable(amounts, codes)).toThrow(RangeError);
  });
});

describe('records of a table that a control holds', () => {
  /** Whole numbers of which each is a combination. */
  const numbers = (...values: readonly number[]) => tableOf([continuous(values)], 2);
  const counted = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

  it('are counted from pairs', () => {
    // Of 40 records and 40 others 10 pairs are in one of both files, and 25 in each: by chance 40 / 79 of all pairs would be.
    const table = numbers(...counted(0, 5), ...counted(0, 5), ...counted(100, 125), ...counted(200, 205));
    const control = numbers(...counted(10, 15), ...counted(10, 15), ...counted(100, 125), ...counted(300, 305));
    const p = 40 / 79;
    const copies = 25 - (10 * p) / (1 - p);
    const { records, chance } = copiedRecords(table, control);
    expect(records).toBe(Math.round((40 * copies) / (copies + 5)));
    const share = 25 / 35;
    expect(chance).toBeCloseTo(((p / share) ** share * ((1 - p) / (1 - share)) ** (1 - share)) ** 35, 12);
  });

  it('are found as well by how few people are in the table alone', () => {
    // Nine single ones, of whom each is in the control with probability 3/5; eight are.
    const table = numbers(1, ...Array.from({ length: 9 }, () => 100));
    const control = numbers(...counted(2, 10), ...Array.from({ length: 7 }, () => 100));
    const { records, chance } = copiedRecords(table, control);
    expect(records).toBe(0);
    expect(chance).toBeCloseTo(((3 / 5 / (8 / 9)) ** (8 / 9) * (2 / 5 / (1 / 9)) ** (1 / 9)) ** 9, 12);
  });

  it('are none where there are no more pairs in both files than chance gives, or none at all', () => {
    expect(copiedRecords(numbers(1, 2, 2), numbers(3, 4, 4))).toEqual({ records: 0, chance: 1 });
    expect(copiedRecords(numbers(1, 2), numbers(3, 4))).toEqual({ records: 0, chance: 1 });
    expect(copiedRecords(numbers(1), numbers(1))).toEqual({ records: 0, chance: 1 });
  });

  it('are all where a control has the table beside six times as many others, which counts of equal records do not tell', () => {
    // Every second record is alone, and the others have one of seven values.
    const amounts = (from: number, to: number) => numbers(...counted(from, to).map((record) => (record % 2 ? record : -(record % 7))));
    const table = amounts(0, 200);
    const control = amounts(0, 1400);
    expect(overlapsTable(table, control)).toBe(false);
    const { records, chance } = copiedRecords(table, control);
    expect(records).toBe(200);
    expect(chance).toBeLessThan(1e-6);
    expect(copiedRecords(table, amounts(200, 1600))).toEqual({ records: 0, chance: 1 });
  });
});
