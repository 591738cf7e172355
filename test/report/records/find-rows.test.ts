import { describe, expect, it } from 'vitest';
import { inOrder, matchingRows, type Query, searchWords } from '../../../shared/report/records/browser/find-rows.ts';
import type { RecordData } from '../../../shared/report/records/browser/record-data.ts';
import { Records } from '../../../shared/report/records/browser/records.ts';

const data: RecordData = {
  noun: 'combination',
  scenario: 'one-change',
  rows: 5,
  rowsOfRun: 5,
  numbers: [4, 2, 5, 1, 3],
  variables: [
    { name: 'SEX', categories: ['man', 'woman'], codes: [0, 1, 1, 0, 1] },
    { name: 'Place of birth', categories: ['New York', null, 'Womanville', '4'], codes: [0, 1, 2, 3, 0] },
  ],
  columns: {
    count: [1, 2, 1, 7, 3],
    rank: [1, 3, 1, 2, 5],
    probability: [0.5, 0.3, 0.2, 0.2, 0.1],
    ratio_to_uniform: [5, 3, 2, 2, 1],
    distinguishable: 1,
    privacy_loss: [null, 3, 1, 3, null],
  },
  guesses: [],
  guess: -1,
  detailed: 5,
  values: [],
  candidates: null,
  densities: [],
  scenarios: [],
  matches: [],
  charts: [],
};
const records = new Records(data);
const any: Query = { subset: 'all', words: '', value: null, least: 0 };
const found = (query: Partial<Query>) => [...matchingRows(records, { ...any, ...query })];

describe('searchWords()', () => {
  it('takes what stands in quotation marks as one', () => {
    expect(searchWords('  A b="c d" "e f" "" g')).toEqual(['a', 'b=c d', 'e f', 'g']);
  });
});

describe('matchingRows()', () => {
  it('finds words in any value, all of them, whatever their letters', () => {
    expect(found({})).toEqual([0, 1, 2, 3, 4]);
    expect(found({ words: 'WOMAN' })).toEqual([1, 2, 4]);
    expect(found({ words: 'woman york' })).toEqual([4]);
    expect(found({ words: 'missing' })).toEqual([1]);
    expect(found({ words: 'nothing' })).toEqual([]);
  });

  it('finds a whole value of one variable', () => {
    expect(found({ words: 'sex=man' })).toEqual([0, 3]);
    expect(found({ words: 'sex=ma' })).toEqual([]);
    expect(found({ words: '"place of birth=new york"' })).toEqual([0, 4]);
    // No variable of that name: the words are looked for in values.
    expect(found({ words: 'age=4' })).toEqual([]);
  });

  it('finds a number, among values as well unless it is marked', () => {
    expect(found({ words: '4' })).toEqual([0, 3]);
    expect(found({ words: '#4' })).toEqual([0]);
  });

  it('filters by subset, value and least probability', () => {
    expect(found({ subset: 'first' })).toEqual([0, 2]);
    expect(found({ subset: 'unique' })).toEqual([0, 2]);
    expect(found({ subset: 'proven' })).toEqual([]);
    expect(found({ value: { variable: 1, category: 1 } })).toEqual([1]);
    expect(found({ least: 0.2 })).toEqual([0, 1, 2, 3]);
    expect(found({ least: 0.2, subset: 'unique', words: 'woman' })).toEqual([2]);
  });
});

describe('inOrder()', () => {
  const all = Uint32Array.of(0, 1, 2, 3, 4);
  const numbers = (by: string, descending: boolean) => [...inOrder(records, all, { by, descending })].map((row) => records.numberOf(row));

  it('puts those without a number last, and of those that tie the one most at risk first', () => {
    expect(numbers('privacy_loss', true)).toEqual([2, 1, 5, 4, 3]);
    expect(numbers('privacy_loss', false)).toEqual([5, 2, 1, 4, 3]);
    expect(numbers('rank', false)).toEqual([4, 5, 1, 2, 3]);
  });

  it('orders by number, and by risk as the rows are', () => {
    expect(numbers('number', false)).toEqual([1, 2, 3, 4, 5]);
    expect(numbers('ratio_to_uniform', true)).toEqual([4, 2, 5, 1, 3]);
    expect(numbers('ratio_to_uniform', false)).toEqual([3, 1, 5, 2, 4]);
  });
});
