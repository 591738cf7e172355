import { describe, expect, it } from 'vitest';
import { InvalidTableError } from '../../../shared/contracts/errors.ts';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { readStructuralZeros } from '../../../shared/table/support/read-structural-zeros.ts';
import { refuseImpossibleRecords, supportOf } from '../../../shared/table/support/support.ts';

const SCHEMA: TableSchema = {
  variables: [
    { name: 'age', type: 'categorical', categories: ['child', 'adult'] },
    { name: 'sex', type: 'categorical', categories: ['f', 'm'] },
    { name: 'status', type: 'categorical', categories: ['single', 'married', 'widowed', ''], missingCode: 3 },
  ],
};

const read = (text: string, schema = SCHEMA) => readStructuralZeros(new TextEncoder().encode(text), schema);

describe('readStructuralZeros()', () => {
  it('reads rules on some variables in any order, where an empty cell or NA is any value', () => {
    expect(read('status,age\nmarried,child\nwidowed,child\n')).toEqual({ rules: 2, codes: Uint16Array.of(0, 2, 1, 0, 2, 2) });
    expect(read('"age","sex","status"\n"child",NA,"married"\n,"m",\n')).toEqual({ rules: 2, codes: Uint16Array.of(0, 2, 1, 2, 1, 4) });
  });

  it.each([
    ['a variable that the table lacks', 'age,canary\nchild,canary\n', 'unknown-variable', /column 2.*its 3 variables/],
    ['a category that the variable lacks', 'sex,age\nf,child\nf,canary\n', 'value-outside-categories', /row 2, column 2/],
    ['a rule of empty cells', 'age,sex\nchild,\n,NA\n', 'empty-rule', /row 2/],
    ['a header alone', 'age,sex\n', 'no-rules', /at least one row/],
    ['an empty file', '', 'empty-file', /empty/],
    ['a ragged row', 'age,sex\nchild,f\ncanary\n', 'ragged-row', /row 2/],
    ['no header', 'canary,f\nchild,f\n', 'unknown-variable', /column 1.*names of its 3 variables/],
    ['no header before numbers', '4711,f\n', 'no-header', /column 1/],
    ['a name twice', 'age,age\nchild,child\n', 'duplicate-variable', /columns 1 and 2/],
  ])('refuses %s', (_, text, code, says) => {
    let error: unknown;
    try {
      read(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(InvalidTableError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^structural zeros: /) });
    expect((error as Error).message).toMatch(says);
    // Nor what its header or the table's holds.
    expect(`${(error as Error).message}`).not.toMatch(/canary/);
    expect(`${(error as Error).stack}`).not.toMatch(/canary/);
  });

  it('refuses a continuous variable', () => {
    const schema: TableSchema = { variables: [...SCHEMA.variables, { name: 'pay', type: 'continuous' }] };
    expect(() => read('pay,age\n1,child\n', schema)).toThrow(
      expect.objectContaining({ code: 'continuous-variable', where: { column: 1 } }),
    );
  });
});

describe('refuseImpossibleRecords()', () => {
  const sizes = [2, 2, 4];
  const support = supportOf(read('age,status\nchild,married\nchild,widowed\n,widowed\n'), sizes);
  const check = (...codes: number[]) =>
    refuseImpossibleRecords(combinationsFromCodes(Uint16Array.from(codes), codes.length / 3, 3), sizes, support);

  it('names the rows of impossible records and counts them', () => {
    expect(() => check(1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1)).toThrow(
      expect.objectContaining({ code: 'impossible-records', message: expect.stringMatching(/: 2, in rows 2, 4;/), where: { row: 2 } }),
    );
  });

  it('takes a record with missing values for impossible when nothing in their place would do', () => {
    expect(() => check(2, 1, 1, 1, 1, 4)).not.toThrow();
    // Widowed is impossible at any age.
    expect(() => check(1, 1, 1, 2, 1, 2)).toThrow(/: 1, in rows 2;/);
  });

  it('accepts a table without any', () => {
    expect(() => check(1, 0, 0, 1, 1, 1)).not.toThrow();
  });
});
