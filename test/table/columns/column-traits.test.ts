import { describe, expect, it } from 'vitest';
import { columnTraits, suspectedMissingCodes } from '../../../shared/table/columns/column-traits.ts';
import { decimalNumber, numberReader } from '../../../shared/table/files/decimal-number.ts';

const formOf = (...texts: string[]) => {
  const { form, thousands } = columnTraits(texts, decimalNumber);
  return thousands === null ? form : [form, thousands];
};

describe('columnTraits()', () => {
  it.each([
    [['1', '2.5', '-3e4', '0.7', '0'], 'numbers'],
    [['007', '12'], 'zero-codes'],
    [['2021-03-04', '1999-12-31'], 'dates'],
    [['4.3.2021', '31.12.1999'], 'dates'],
    [['03/04/21 10:20', '12/31/99'], 'dates'],
    [['20210304', '19991231'], 'compact-dates'],
    [['20210304', '19991341'], 'numbers'],
    [['12,5', '3', '0,125'], 'decimal-comma'],
    [['102345,6', '1e+05', '1,5e-07'], 'decimal-comma'],
    [
      ['1,234', '999', '12,345,678.5'],
      ['thousands', ','],
    ],
    [
      ['1.234.567', '12,5'],
      ['thousands', '.'],
    ],
    [
      ['1 234', '1\u202f234', '5'],
      ['thousands', ' '],
    ],
    [
      ["1'234", '5'],
      ['thousands', "'"],
    ],
    [['1,2', '1,2,3'], 'text'],
    [['18-25', '26+'], 'text'],
    [['1.234', '2.5'], 'numbers'],
  ])('%j is %j', (texts, form) => {
    expect(formOf(...texts)).toEqual(form);
  });

  it('looks past marks of missing values, and finds texts that differ in case or spaces', () => {
    expect(columnTraits(['.', '3', '?'], decimalNumber)).toMatchObject({ form: 'numbers', marks: ['.', '?'] });
    expect(columnTraits(['2.5', 'Inf', '-Inf'], decimalNumber)).toMatchObject({ form: 'numbers', marks: ['Inf', '-Inf'] });
    // No double holds so many nines.
    expect(columnTraits(['3', '9'.repeat(16)], decimalNumber)).toMatchObject({ form: 'numbers', marks: ['9'.repeat(16)] });
    expect(columnTraits(['9007199254740993', '9007199254740995', '7'], decimalNumber)).toMatchObject({ form: 'text' });
    expect(columnTraits(['Male', 'male', 'f'], decimalNumber)).toMatchObject({ hasVariants: true, isPadded: false });
    expect(columnTraits(['Caf\u00e9', 'Cafe\u0301'], decimalNumber)).toMatchObject({ hasVariants: true });
    expect(columnTraits(['Male ', 'f'], decimalNumber)).toMatchObject({ hasVariants: false, isPadded: true });
  });
});

describe('suspectedMissingCodes()', () => {
  const of = (...values: number[]) => suspectedMissingCodes(() => values.map((value) => [value, 1] as const));

  it('finds long runs of nines, however rare they are', () => {
    for (const code of [99_999_999, 999_999_999, 999_999_999_999]) expect(of(1, 20, 300, code)).toEqual([code]);
    expect(of(1, 20, -999_999_999)).toEqual([-999_999_999]);
  });
  const ages = Array.from({ length: 60 }, (_, i) => i);

  it('are negative codes among numbers that are not negative, and nines far above the others', () => {
    expect(of(...ages, -9, -8)).toEqual([-9, -8]);
    expect(of(...ages, 99, 98)).toEqual([98, 99]);
    expect(of(1, 2, 3, 999)).toEqual([999]);
  });

  it('are none where other numbers are negative, or near the nines', () => {
    expect(of(...ages, -9, -12)).toEqual([]);
    expect(of(...ages.map((age) => age + 40), 99)).toEqual([]);
    expect(of(-9, -8)).toEqual([]);
  });

  it('are nines that are far more frequent than their neighbours', () => {
    const counted = Array.from({ length: 99 }, (_, i): [number, number] => [i, 2]);
    expect(suspectedMissingCodes(() => [...counted, [99, 2]])).toEqual([]);
    expect(suspectedMissingCodes(() => [...counted, [99, 30]])).toEqual([99]);
  });
});

describe('numberReader()', () => {
  it('reads numbers as a file writes them, and nothing else', () => {
    const comma = numberReader({ decimal: ',', thousands: '.' });
    expect(['1.234,5', '12,5', '-3', '1234', '1.234'].map(comma)).toEqual([1234.5, 12.5, -3, 1234, 1234]);
    expect(['12.5', '1.23', '1.2345', ',', ''].map(comma)).toEqual(Array(5).fill(Number.NaN));
    expect(['1\u00a0234', "1'234"].map(numberReader({ decimal: '.', thousands: ' ' }))).toEqual([1234, Number.NaN]);
  });
});

describe('decimalNumber()', () => {
  it('reads decimal notation alone', () => {
    expect(['1', '+1.', '-.5', '1e3'].map(decimalNumber)).toEqual([1, 1, -0.5, 1000]);
    expect(['', ' 1', '1 ', '0x1', '0b1', 'Infinity', '1e999', '.', '1_0'].map(decimalNumber)).toEqual(new Array(9).fill(NaN));
  });

  it('makes no number of another one: whole numbers that no double is are text', () => {
    const others = ['9007199254740993', '-9007199254740993', '+12345678901234567890', '9'.repeat(400)];
    expect(others.map(decimalNumber)).toEqual(others.map(() => Number.NaN));
    // As programs write doubles: exactly, in the fewest digits, with an exponent.
    const doubles = ['9007199254740992', '+9007199254740994', '12345678901234567168', '12345678901234567000', `1${'0'.repeat(22)}`];
    expect(doubles.map(decimalNumber)).toEqual(doubles.map(Number));
    expect(decimalNumber('1.2345678901234567e+19')).toBe(12345678901234567e3);
  });
});
