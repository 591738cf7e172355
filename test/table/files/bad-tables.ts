import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { readTable } from '../../../shared/table/files/read-table.ts';
import { MAX_CATEGORIES } from '../../../shared/table/table.ts';

/** Stands in the cell at fault; no message may repeat it. */
export const CANARY = 'canary-4711';

/** Stands in the header, which is a record where there is none. */
export const NAME = 'canary-name';

/** The header of a CSV file whose names are of a letter each. */
export const SHORT_HEADER = /^[abc]([,;][abc])*\n/;

/** The bytes of a text. */
export const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0), 0])]);
const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const parquet = (...args: Parameters<typeof parquetWriteBuffer>) => new Uint8Array(parquetWriteBuffer(...args));

function damaged(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const copy = bytes.slice();
  copy.subarray(from, to).fill(0xa5);
  return copy;
}

/** How a file is to be read. */
export type Options = Parameters<typeof readTable>[1];

/** A file that is refused: how, and where. */
export type BadFile = {
  what: string;
  file: string | Uint8Array;
  options?: Partial<Options>;
  code: string;
  row?: number;
  column?: number;
  /** The column, where the message calls it by name: in Parquet. */
  name?: string;
  says?: RegExp;
};

/** Lines that all differ. */
export const distinctTexts = (count: number) => Array.from({ length: count }, (_, i) => `${CANARY}-${i}`).join('\n');

/** Tables that cannot be read. */
export const BAD_TABLES: BadFile[] = [
  { what: 'no bytes', file: '', code: 'empty-file' },
  { what: 'only line ends', file: '\r\n\n', code: 'empty-file' },
  { what: 'only a byte-order mark', file: '\ufeff', code: 'empty-file' },
  { what: 'a header only', file: 'a,b\n', code: 'no-records', says: /at least two$/ },
  { what: 'one record', file: `a,b\n1,${CANARY}\n`, code: 'one-record' },
  { what: 'UTF-16', file: utf16(`a,b\n1,${CANARY}\n`), code: 'not-utf8', says: /UTF-16/ },
  { what: 'zero bytes', file: `a,b\n1,2\n1,\0${CANARY}\n`, code: 'not-utf8', says: /line 3/ },
  { what: 'Latin-1', file: latin1(`a,b\n1,2\n1,\xe9${CANARY}\n`), code: 'not-utf8', says: /line 3/ },
  {
    what: 'a row with too few fields',
    file: `a,b,c\n1,2,3\n1,${CANARY}\n`,
    code: 'ragged-row',
    row: 2,
    says: /expected 3 fields.*found 2/,
  },
  { what: 'a row with too many fields', file: `a,b\n1,2\n1,2,${CANARY}\n`, code: 'ragged-row', row: 2, says: /expected 2 fields.*found 3/ },
  {
    what: 'a delimiter at the end of each record',
    file: `a,b\n1,${CANARY},\n1,2,\n`,
    code: 'ragged-row',
    row: 1,
    says: /delimiter at the end/,
  },
  { what: 'an empty line between records', file: `a,b\n1,2\n\n1,${CANARY}\n`, code: 'ragged-row', row: 2, says: /empty line/ },
  { what: 'a delimiter at the end of the header', file: `a,b,\n1,${CANARY},\n`, code: 'empty-variable-name', column: 3 },
  {
    what: 'two columns of one name',
    file: `a,${CANARY}, ${CANARY}\n1,2,3\n`,
    code: 'duplicate-variable',
    column: 3,
    says: /columns 2 and 3/,
  },
  {
    what: 'a name that JavaScript takes for something else',
    file: `a,__proto__\n1,${CANARY}\n2,x\n`,
    code: 'reserved-name',
    column: 2,
    says: /column 2: expected another name than __proto__/,
  },
  {
    what: 'no header',
    file: `${CANARY},f\nx,m\ny,f\n`,
    code: 'header-is-data',
    column: 2,
    says: /names of the variables in its first line.*rename the column/,
  },
  { what: 'no header, and spaces at the ends of values', file: `x, ${CANARY}\ny,${CANARY} \nx2,z\n`, code: 'header-is-data', column: 2 },
  { what: 'no header in a file of one column', file: `${CANARY}\nb\n${CANARY}\n`, code: 'header-is-data', column: 1 },
  { what: 'no header, and one record beside', file: `x,${CANARY}\ny,${CANARY}\n`, code: 'header-is-data', column: 2 },
  { what: 'no header, and a missing value in the first record', file: `${CANARY},NA\nx,NA\ny,1\n`, code: 'header-is-data', column: 2 },
  {
    what: 'no header, and a missing number in the first record',
    file: `${CANARY},NA\nx,NA\ny,1\n`,
    code: 'header-is-data',
    column: 2,
    options: { variables: { NA: { type: 'continuous' } } },
  },
  {
    what: 'no header, where the config takes the record for names too',
    file: `${CANARY},x\nother,y\n${CANARY},y\n`,
    code: 'header-is-data',
    column: 1,
    options: { variables: { [CANARY]: { categories: ['other', CANARY] } } },
  },
  { what: 'no header before numbers', file: `4711,f\n4711,m\n12,x\n`, code: 'no-header', column: 1, says: /header with the names/ },
  {
    what: 'no header before amounts',
    file: `x,4711.5\n${Array.from({ length: 60 }, (_, i) => `y,${i}.5`).join('\n')}\ny,4711.5\n`,
    code: 'no-header',
    column: 2,
  },
  {
    what: 'names in Parquet that are its first record',
    file: parquet({
      columnData: [
        { name: 'x', data: ['y', 'z'], type: 'STRING' },
        { name: CANARY, data: ['y', CANARY], type: 'STRING' },
      ],
    }),
    code: 'header-is-data',
    column: 2,
    says: /in Parquet, in its schema/,
  },
  { what: 'a number for a name, as without a header', file: `${CANARY},4711\n1,2\n`, code: 'no-header', column: 2 },
  { what: 'a number for a name that no double holds', file: `${CANARY},9007199254740993\n1,2\n`, code: 'no-header', column: 2 },
  { what: 'row names only', file: `""\n${CANARY}\n`, code: 'no-variables' },
  { what: 'a quote that is never closed', file: `a,b\n1,2\n1,"${CANARY}\n1,2\n`, code: 'unclosed-quote', row: 2, column: 2 },
  { what: 'a quote never closed in the header', file: `a,"${CANARY}\n1,2\n`, code: 'unclosed-quote', column: 2, says: /header/ },
  { what: 'a quote inside a bare field', file: `a,b\n1,2\n1,${CANARY}"\n`, code: 'malformed-quote', row: 2, column: 2 },
  {
    what: 'quotes after a backslash, as write.table() of R writes them',
    file: `a,b\n1,2\n"say \\"${CANARY}\\"",2\n`,
    code: 'malformed-quote',
    row: 2,
    column: 1,
    says: /qmethod = "double"/,
  },
  { what: 'text after a closing quote', file: `a,b\n1,2\n"${CANARY}"x,2\n`, code: 'malformed-quote', row: 2, column: 1 },
  {
    what: 'more categories than codes',
    file: `a\n${distinctTexts(MAX_CATEGORIES + 1)}`,
    code: 'too-many-categories',
    column: 1,
    says: /65535/,
  },
  {
    what: 'no code left for a missing value',
    file: `a\n${distinctTexts(MAX_CATEGORIES)}\nNA`,
    code: 'too-many-categories',
    column: 1,
    options: { missing: 'category' },
  },
  {
    what: 'a text after more numbers than codes',
    file: `a\n${Array.from({ length: MAX_CATEGORIES + 1 }, (_, i) => i).join('\n')}\n${CANARY}`,
    code: 'not-a-number',
    row: MAX_CATEGORIES + 2,
    column: 1,
  },
  {
    what: 'a value outside the declared categories',
    file: `a,b\n1,x\n1,y\n2,${CANARY}\n`,
    code: 'value-outside-categories',
    row: 3,
    column: 2,
    options: { variables: { b: { categories: ['x', 'y'] } } },
  },
  {
    what: 'a text in a continuous variable',
    file: `a,b\n1,1.5\n2,${CANARY}\n`,
    code: 'not-a-number',
    row: 2,
    column: 2,
    options: { variables: { b: { type: 'continuous' } } },
  },
  {
    what: 'a number whose square is not finite',
    file: 'a,b\n1,1.5\n2,-4.711e300\n',
    code: 'number-too-large',
    row: 2,
    column: 2,
    options: { variables: { b: { type: 'continuous' } } },
    says: /larger units/,
  },
  {
    what: 'a decimal comma',
    file: 'a;b\n1;4711,5\n2;1\n',
    code: 'not-a-number',
    row: 1,
    column: 2,
    options: { variables: { b: { type: 'continuous' } } },
    says: /point/,
  },
  {
    what: 'missing values',
    file: `a,b,c\n1,2,${CANARY}\n,2,3\nNA,"",3\n`,
    code: 'missing-values',
    row: 2,
    column: 1,
    says: /2 in `a`, 1 in `b`;.*--missing category/,
  },
  {
    what: 'a missing number',
    file: `a,b\n1,1.5\n2,${''}\n`,
    code: 'missing-values',
    row: 2,
    column: 2,
    options: { missing: 'category', variables: { b: { type: 'continuous' } } },
    says: /1 in `b`;/,
  },
  { what: 'only values to impute', file: `a,b\n,1\n,2\n`, options: { missing: 'impute' }, code: 'no-category', column: 1 },
  {
    what: 'a number below the first break',
    file: 'a,b\n1,18\n2,-7.25\n',
    options: { missing: 'refuse', variables: { b: { breaks: [0, 18] } } },
    code: 'value-below-breaks',
    row: 2,
    column: 2,
  },
  {
    what: 'a number outside its declared range',
    file: 'a,b\n1,0\n2,120\n3,120.5\n',
    options: { missing: 'refuse', variables: { b: { range: [0, 120] } } },
    code: 'value-outside-range',
    row: 3,
    column: 2,
  },
  {
    what: 'a number in the last of the bands, and above its declared range',
    file: 'a,b\n1,18\n2,121\n',
    options: { missing: 'refuse', variables: { b: { breaks: [0, 18], range: [0, 120] } } },
    code: 'value-outside-range',
    row: 2,
    column: 2,
  },
  {
    what: 'a text where a range is declared',
    file: `a,b\n1,18\n2,${CANARY}\n`,
    options: { missing: 'refuse', variables: { b: { range: [0, 120] } } },
    code: 'not-a-number',
    row: 2,
    column: 2,
  },
  {
    what: 'a text where there are breaks',
    file: `a,b\n1,18\n2,${CANARY}\n`,
    options: { missing: 'refuse', variables: { b: { breaks: [0, 18] } } },
    code: 'not-a-number',
    row: 2,
    column: 2,
    says: /has breaks/,
  },
  {
    what: 'a number to impute',
    file: `a,b\n1,2\n2,\n`,
    options: { missing: 'impute', variables: { b: { type: 'continuous' } } },
    code: 'missing-values',
    row: 2,
    column: 2,
  },
  { what: 'a Parquet file without records', file: parquet({ columnData: [{ name: NAME, data: [], type: 'STRING' }] }), code: 'no-records' },
  {
    what: 'an infinite number',
    file: parquet({ columnData: [{ name: 'birth', data: [1, Infinity], type: 'DOUBLE' }] }),
    code: 'not-a-number',
    row: 2,
    column: 1,
    name: 'birth',
  },
  {
    what: 'bytes in Parquet text that are not UTF-8',
    file: parquet({ columnData: [{ name: 'birth', data: [latin1(`\xe9${CANARY}`), latin1('b')], type: 'BYTE_ARRAY' }] }),
    code: 'not-utf8',
    column: 1,
    name: 'birth',
  },
  {
    what: 'a list column',
    file: parquet({
      columnData: [{ name: 'birth', data: [[CANARY], ['b']] }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'birth', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      ],
    }),
    code: 'unsupported-column',
    column: 1,
    name: 'birth',
  },
  {
    what: 'a nested column beside a plain one',
    file: parquet({
      columnData: [
        { name: 'birth', data: [{ x: 1 }, { x: 2 }], type: 'VARIANT' },
        { name: 'b', data: [1, 2], type: 'INT32' },
      ],
    }),
    code: 'unsupported-column',
    column: 1,
    name: 'birth',
    says: /lists or structures/,
  },
  {
    what: 'a timestamp column',
    file: parquet({ columnData: [{ name: 'birth', data: [new Date(0), new Date(1)], type: 'TIMESTAMP' }] }),
    code: 'unsupported-column',
    column: 1,
    name: 'birth',
    says: /holds timestamps.*as the year/,
  },
  {
    what: 'several columns that are not read, which are all told at once',
    file: parquet({
      columnData: [
        { name: 'birth', data: [new Date(0), new Date(1)], type: 'TIMESTAMP' },
        { name: 'b', data: [1, 2], type: 'INT32' },
        { name: 'first, visit', data: [{ x: 1 }, { x: 2 }], type: 'VARIANT' },
      ],
    }),
    code: 'unsupported-column',
    column: 1,
    name: 'birth',
    says: /`birth` holds timestamps: .* the year; `first, visit` holds lists .*columns out \(--drop "birth,\\"first, visit/,
  },
  {
    what: 'a compression that no reader here knows',
    file: parquet({
      columnData: [{ name: 'x', data: ['x1', 'y'], type: 'STRING' }],
      codec: 'LZO',
      compressors: { LZO: (input) => gzipSync(input) },
    }),
    code: 'unsupported-compression',
    column: 1,
    name: 'x',
    says: /LZO/,
  },
  {
    what: 'a Parquet file cut short',
    file: parquet({ columnData: [{ name: 'birth', data: [CANARY, 'x'], type: 'STRING' }] }).slice(0, -9),
    code: 'unreadable-parquet',
  },
  {
    what: 'a Parquet file with damaged pages',
    file: damaged(parquet({ columnData: [{ name: 'birth', data: [CANARY, 'x'], type: 'STRING' }] }), 4, 24),
    code: 'unreadable-parquet',
    column: 1,
    name: 'birth',
  },
  {
    what: 'a Parquet file with a damaged footer',
    file: damaged(parquet({ columnData: [{ name: 'birth', data: [CANARY, 'x'], type: 'STRING' }] }), -80, -8),
    code: 'unreadable-parquet',
  },
];
