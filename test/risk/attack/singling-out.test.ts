import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import {
  type Comparison,
  countMatches,
  multivariateQueries,
  queryText,
  randomQueries,
  singleOut,
  univariateQueries,
} from '../../../shared/risk/attack/singling-out.ts';
import type { Table } from '../../../shared/table/table.ts';
import { categorical, continuous, tableOf } from '../../model/cart/cart-tables.ts';

const random = (seed = 1) => seededStreams(seed).open('queries');

describe('a query', () => {
  it.each<[Comparison, number, number]>([
    ['==', 2, 2],
    ['!=', 3, 3],
    ['<=', 4, 4],
    ['>=', 3, 3],
    ['<', 2, 2],
    ['>', 1, 1],
  ])('%s is met by those of whom it is true, by code or value', (comparison, ofCodes, ofValues) => {
    const numbers = [3, 1, 2, 1, 2];
    const table = tableOf([categorical(numbers), continuous(numbers.map((one) => one - 4.5))], 4);
    expect(countMatches(table, [{ variable: 0, comparison, value: 2 }], 9)).toBe(ofCodes);
    expect(countMatches(table, [{ variable: 1, comparison, value: -2.5 }], 9)).toBe(ofValues);
  });

  it('of two conditions is met by those of whom both are true, counted up to a limit', () => {
    const table = tableOf([categorical([0, 0, 0, 1]), continuous([1, 2, 3, 3])], 2);
    const query = [
      { variable: 0, comparison: '==', value: 0 },
      { variable: 1, comparison: '>', value: 1 },
    ] as const;
    expect(countMatches(table, query, 9)).toBe(2);
    expect(countMatches(table, query, 1)).toBe(1);
  });

  it('has another text than one of other variables and values', () => {
    const text = (value: number, variable: number) =>
      queryText([
        { variable: 0, comparison: '==', value },
        { variable, comparison: '==', value: 2 },
      ]);
    expect(text(1, 11)).not.toBe(text(11, 1));
  });
});

describe('queries of one variable', () => {
  it('are its values of one row, and what reaches to the ends of a number', () => {
    const rows = tableOf([categorical([0, 1, 1, 1]), continuous([7, 5, 6, 6])], 3);
    const texts = univariateQueries(rows, 100, random()).map(queryText);
    expect(texts.sort()).toEqual(['0==0', '1<=5', '1==5', '1==7', '1>=7']);
    expect(univariateQueries(rows, 3, random())).toHaveLength(3);
  });
});

describe('queries of several variables', () => {
  const rows = tableOf([continuous(Array.from({ length: 100 }, (_, row) => row))], 2);

  it('are drawn as often as is said at most', () => {
    const asked = { most: 100, columns: 1 };
    const one = tableOf([continuous([7])], 2);
    expect([0, 1].map((draws) => multivariateQueries(one, { ...asked, draws }, random()).length)).toEqual([0, 1]);
    // Only what reaches to an end singles out a row.
    const found = multivariateQueries(rows, { ...asked, draws: 5000 }, random()).map(queryText);
    expect(found.sort()).toEqual(['0<=0', '0>=99']);
    expect(multivariateQueries(rows, { ...asked, most: 1, draws: 5000 }, random())).toHaveLength(1);
  });
});

describe('queries by chance', () => {
  const rows = tableOf(
    [
      categorical(Array.from({ length: 100 }, (_, row) => Number(row === 0))),
      continuous(Array.from({ length: 100 }, (_, row) => Math.min(row, 3))),
      categorical(Array(100).fill(0)),
      categorical(Array(100).fill(1)),
    ],
    2,
  );
  const conditions = (columns: number) => randomQueries(rows, 2000, columns, random());

  it('take any comparison of a number, and of a category whether it is the same', () => {
    const found = (variable: number) =>
      [...new Set(conditions(1).flatMap(([one]) => (one!.variable === variable ? [one!.comparison] : [])))].sort();
    expect(found(0)).toEqual(['!=', '==']);
    expect(found(1)).toEqual(['!=', '<', '<=', '==', '>', '>=']);
  });

  it('take each value that a variable has equally often, however many rows have it', () => {
    const values = (variable: number) => conditions(1).flatMap(([one]) => (one!.variable === variable ? [one!.value] : []));
    const share = (of: number[], value: number) => of.filter((one) => one === value).length / of.length;
    expect(share(values(0), 1)).toBeCloseTo(1 / 2, 1);
    for (const value of [0, 1, 2, 3]) expect(share(values(1), value)).toBeCloseTo(1 / 4, 1);
  });

  it('are of different variables, in their order', () => {
    for (const query of conditions(3)) {
      const variables = query.map(({ variable }) => variable);
      expect(variables).toEqual([...new Set(variables)].sort());
      expect(variables).toHaveLength(3);
    }
  });
});

describe('singling out', () => {
  /** Every pair of two variables once: no value is one row's alone, and every pair is. */
  const grid = (width: number, height: number): Table => {
    const places = Array.from({ length: width * height }, (_, row) => row);
    const across = categorical(places.map((row) => row % width));
    return tableOf([across, categorical(places.map((row) => Math.floor(row / width)))], 6);
  };
  const files = { table: grid(3, 3), dataset: grid(3, 3), control: null };
  const attacked = (
    attack: 'univariate' | 'multivariate',
    attempts: number,
    { columns = 5, ...given }: { table?: Table; dataset?: Table; control?: Table; columns?: number } = {},
  ) => singleOut({ ...files, ...given }, { attack, dataset: 1, attempts, columns }, random());

  it('by one variable finds nothing where it takes two', () => {
    for (const found of [attacked('univariate', 30), attacked('multivariate', 30, { columns: 1 })]) {
      expect(found).toMatchObject({ queries: 0, attempts: 30, successes: 0, baselineSuccesses: 0 });
      expect(found.reason).toContain('fewer');
    }
  });

  it('by all variables, where more are asked for, finds every row', () => {
    const found = attacked('multivariate', 9);
    expect(found).toMatchObject({ queries: 9, attempts: 9, successes: 9, controlSuccesses: null });
    expect(found.reason).toBeUndefined();
    expect(attacked('multivariate', 30)).toMatchObject({ queries: 9, attempts: 30, successes: 9 });
    expect(attacked('multivariate', 30).reason).toContain('fewer');
  });

  it('guesses with as many variables as it attacks with', () => {
    // Two values single out a row where it is to have both of them: one of four pairs of comparisons.
    const { baselineAttempts, baselineSuccesses } = attacked('multivariate', 1000);
    expect(baselineAttempts).toBe(1000);
    expect(baselineSuccesses / 1000).toBeCloseTo(1 / 4, 1);
  });

  it('counts in a control of as many records what singles out there', () => {
    expect(attacked('multivariate', 30, { control: grid(3, 3) }).controlSuccesses).toBe(9);
    expect(attacked('univariate', 30, { control: grid(3, 3) }).controlSuccesses).toBe(0);
  });

  it('carries over what a smaller control has to a table of twice as many', () => {
    // Every query is met by one record in nine, and at each size by as many as there are records: twice as many.
    const found = attacked('multivariate', 30, { table: grid(6, 3), control: grid(3, 3) });
    expect(found).toMatchObject({ successes: 9, controlAttempts: 30 });
    expect(found.controlSuccesses! / 18).toBeCloseTo(1, 3);
  });

  it('carries over less to a table in which several are where one of the control is', () => {
    // Of ten codes the first is alone in a control of 91 records, and each other one has ten of them.
    const numbered = (codes: number[]) => tableOf([categorical(codes), continuous(codes.map((_, i) => i))], 10);
    const control = numbered(Array.from({ length: 91 }, (_, record) => Math.ceil(record / 10)));
    const dataset = tableOf([categorical([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), continuous(Array(10).fill(-1))], 10);
    const table = numbered(Array(910).fill(0));
    const { queries, controlSuccesses } = attacked('univariate', 30, { table, dataset, control });
    expect(queries).toBe(10);
    // Queries that a share of the records meet single out the fewer the more there are.
    expect(controlSuccesses).toBeGreaterThan(0);
    expect(controlSuccesses).toBeLessThan(0.2);
  });
});
