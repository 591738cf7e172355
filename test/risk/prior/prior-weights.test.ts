import { describe, expect, it } from 'vitest';
import { InvalidTableError } from '../../../shared/contracts/errors.ts';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { readPriorWeights } from '../../../shared/risk/prior/prior-weights.ts';

const SCHEMA: TableSchema = {
  variables: [
    { name: 'age', type: 'categorical', categories: ['child', 'adult'] },
    { name: 'income', type: 'continuous' },
    { name: 'work', type: 'categorical', categories: ['full', 'none', ''], missingCode: 2 },
  ],
};

const read = (text: string, file = 1) => readPriorWeights(new TextEncoder().encode(text), SCHEMA, file);

describe('readPriorWeights()', () => {
  it('reads codes and weights in the order of the file, a missing value as a category', () => {
    expect(read('work,weight,age\nnone,2,adult\nfull,0.5,child\nNA,1e-3,adult\n,0,child\n')).toEqual({
      variables: Uint16Array.of(2, 0),
      codes: Uint16Array.of(1, 1, 0, 0, 2, 1, 2, 0),
      weights: Float64Array.of(2, 0.5, 1e-3, 0),
    });
  });

  it('leaves out the names of rows that R writes', () => {
    expect(read('"","age","weight"\n"1","adult",3\n"2","child",1\n')).toEqual({
      variables: Uint16Array.of(0),
      codes: Uint16Array.of(1, 0),
      weights: Float64Array.of(3, 1),
    });
  });

  it.each<[string, string, object]>([
    ['age,share\nadult,1\n', 'no-weight-column', {}],
    ['weight\n1\n', 'no-variable', {}],
    ['"",weight\n1,1\n', 'no-variable', {}],
    ['age,sex,weight\nadult,f,1\n', 'unknown-variable', { column: 2 }],
    ['age,weight,income\nadult,1,7\n', 'continuous-variable', { column: 3 }],
    ['age,weight\nadult,1\nchild,x\n', 'malformed-weight', { row: 2, column: 2 }],
    ['weight,age\n1,adult\n1,child\n-0.5,adult\n', 'negative-weight', { row: 3, column: 1 }],
    ['weight,age\n1,adult\n1,old\n', 'value-outside-categories', { row: 2, column: 2 }],
    ['weight,age\n1,\n', 'value-outside-categories', { row: 1, column: 2 }],
    ['weight,age\n1,adult\n1,child\n2,adult\n', 'repeated-cell', { row: 3 }],
    ['weight,age\n0,adult\n0,child\n', 'no-weight', {}],
    ['weight,age\n', 'no-weight', {}],
  ])('refuses %j as %s', (text, code, where) => {
    const refusal = (() => {
      try {
        return read(text, 2);
      } catch (error) {
        return error as InvalidTableError;
      }
    })();
    expect(refusal).toBeInstanceOf(InvalidTableError);
    expect(refusal).toMatchObject({ code, where });
    expect((refusal as InvalidTableError).message).toMatch(/^file 2 of the prior: /);
  });

  it('names both rows that have the same categories', () => {
    expect(() => read('weight,age\n1,child\n1,adult\n2,child\n')).toThrow(/rows 1 and 3 /);
  });
});
