import { createHash } from 'node:crypto';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { NumericalError } from '../../../shared/contracts/errors.ts';
import { encodeCsv, encodeRepeatedCsv } from '../../../shared/table/files/write-csv.ts';
import { encodeParquet } from '../../../shared/table/files/write-parquet.ts';

const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

describe('encodeCsv()', () => {
  it('quotes as RFC 4180 says, ends lines with LF, and writes no byte-order mark', () => {
    expect(
      text(
        encodeCsv(
          ['a', 'b, c'],
          [
            ['x "y"', 'z\r\n'],
            [' p ', 'é'],
          ],
        ),
      ),
    ).toBe('a,"b, c"\n"x ""y""","z\r\n"\n p ,é\n');
  });

  it('writes null as empty, booleans as words, numbers in the shortest form that reads back', () => {
    const numbers = [0.1, -0, 1e21, 5e-324, 2 ** 53];
    expect(text(encodeCsv(['a', 'b', 'c', 'd', 'e'], [numbers, [null, true, false, '', 1 / 3]]))).toBe(
      'a,b,c,d,e\n0.1,0,1e+21,5e-324,9007199254740992\n,true,false,,0.3333333333333333\n',
    );
  });

  it('leaves texts that a spreadsheet could take for formulas as they are', () => {
    expect(text(encodeCsv(['a'], [['-1'], ['=1+1'], ['@x'], ['+1']]))).toBe('a\n-1\n=1+1\n@x\n+1\n');
  });

  it('quotes an empty field of a single column, which would otherwise be no record', () => {
    expect(text(encodeCsv(['a'], [[null], ['x'], ['']]))).toBe('a\n""\nx\n""\n');
  });

  it('writes the header alone when there are no rows', () => {
    expect(text(encodeCsv(['a', 'b'], []))).toBe('a,b\n');
  });

  it('writes more rows than one block in order', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => [i]);
    expect(text(encodeCsv(['a'], rows))).toBe(`a\n${rows.join('\n')}\n`);
  });

  it.each([Number.NaN, Infinity, -Infinity])('refuses %d, naming the row and the column', (bad) => {
    const write = () =>
      encodeCsv(
        ['a', 'b'],
        [
          [1, 2],
          [1, bad],
        ],
      );
    expect(write).toThrow(NumericalError);
    expect(write).toThrow(/row 2, column b/);
  });

  it('refuses a row with another number of fields', () => {
    expect(() => encodeCsv(['a', 'b'], [[1]])).toThrow(RangeError);
  });
});

describe('encodeRepeatedCsv()', () => {
  const rows = [
    ['x "y"', 'line\r\nbreak'],
    ['', 'é, ü'],
    ['""\n', '"'],
  ];

  it('gives the bytes of the repeated rows, whatever quotes and line ends they hold', () => {
    const order = [2, 0, 0, 1, 2, 1];
    const repeated = order.map((row) => rows[row]!);
    expect(encodeRepeatedCsv(['a', 'b\n"'], rows, order)).toEqual(encodeCsv(['a', 'b\n"'], repeated));
    expect(encodeRepeatedCsv(['a'], [[null], ['x']], [1, 0])).toEqual(encodeCsv(['a'], [['x'], [null]]));
  });

  it('writes the header alone when there are no records', () => {
    expect(text(encodeRepeatedCsv(['a', 'b'], rows, []))).toBe('a,b\n');
  });

  it('refuses a row that is not there', () => {
    expect(() => encodeRepeatedCsv(['a', 'b'], rows, [0, 3])).toThrow(/record 2/);
  });
});

describe('encodeParquet()', () => {
  const columns = [
    { name: 'text', type: 'string' as const, values: ['x', null, ''] },
    { name: 'flag', type: 'boolean' as const, values: [true, false, null] },
    { name: 'double', type: 'double' as const, values: Float64Array.of(0.1, -0, 1e300) },
    { name: 'undefined', type: 'double' as const, values: [null, 1.5, null] },
    { name: 'int', type: 'int32' as const, values: Int32Array.of(1, -2, 2 ** 31 - 1) },
    { name: 'large', type: 'int64' as const, values: [0, null, Number.MAX_SAFE_INTEGER] },
  ];

  /** A value as the reader gives it: 64-bit integers are BigInts. */
  const readBack = ({ type, values }: (typeof columns)[number], row: number) => {
    const value = values[row]!;
    return type === 'int64' && value !== null ? BigInt(value) : value;
  };

  it('writes what a Parquet reader gives back', async () => {
    const bytes = encodeParquet([columns]);
    const rows = await parquetReadObjects({ file: bytes.slice().buffer });
    expect(rows).toEqual([0, 1, 2].map((row) => Object.fromEntries(columns.map((column) => [column.name, readBack(column, row)]))));
  });

  it('writes what the file says of itself', () => {
    const bytes = encodeParquet([columns], { a: 'é', b: '{}' });
    expect(parquetMetadata(bytes.slice().buffer).key_value_metadata).toEqual([
      { key: 'a', value: 'é' },
      { key: 'b', value: '{}' },
    ]);
  });

  it('writes the same bytes whenever it is given the same columns', () => {
    expect(encodeParquet([columns])).toEqual(encodeParquet([columns]));
    expect(
      createHash('sha256')
        .update(encodeParquet([columns]))
        .digest('hex'),
    ).toMatchInlineSnapshot(`"279c988149843d792819809bbf9aa1b372b5ed788e0989928868b0e2928a8f8b"`);
  });

  it('puts row groups one after the other', async () => {
    const bytes = encodeParquet([columns, columns.map((column) => ({ ...column, values: column.values.slice(1) })) as typeof columns]);
    expect(parquetMetadata(bytes.slice().buffer).row_groups.map(({ num_rows }) => num_rows)).toEqual([3n, 2n]);
    const rows = await parquetReadObjects({ file: bytes.slice().buffer });
    expect(rows).toEqual([0, 1, 2, 1, 2].map((row) => Object.fromEntries(columns.map((column) => [column.name, readBack(column, row)]))));
  });

  it('counts rows over all groups in errors, and refuses to write no group', () => {
    const group = (value: number) => [{ name: 'a', type: 'double' as const, values: [1, value] }];
    expect(() => encodeParquet([group(2), group(Number.NaN)])).toThrow(/row 4, column a/);
    expect(() => encodeParquet([])).toThrow(RangeError);
  });

  it('refuses numbers that are not finite, columns of different lengths, and fractions as integers', () => {
    expect(() => encodeParquet([[{ name: 'a', type: 'double', values: [1, Number.NaN] }]])).toThrow(NumericalError);
    expect(() => encodeParquet([[{ name: 'a', type: 'int32', values: [1, 0.5] }]])).toThrow(/row 2, column a/);
    for (const value of [0.5, 2 ** 53]) {
      expect(() => encodeParquet([[{ name: 'a', type: 'int64', values: [1, value] }]])).toThrow(/row 2, column a: expected a whole number/);
    }
    expect(() => encodeParquet([[...columns, { name: 'a', type: 'string', values: [] }]])).toThrow(RangeError);
  });
});
