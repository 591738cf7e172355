import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import {
  InvalidConfigError,
  InvalidTableError,
  type SynthriskError,
} from '../../../shared/contracts/errors.ts';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { readTable, readTableAs } from '../../../shared/table/files/read-table.ts';
import { MAX_CATEGORIES } from '../../../shared/table/table.ts';

/** Stands in the cell at fault; no message may repeat it. */
const CANARY = 'canary-4711';

/** Stands in the header, which is a record where there is none. */
const NAME = 'canary-name';

/** The header of a CSV file whose names are of a letter each. */
const SHORT_HEADER = /^[abc]([,;][abc])*\n/;

/** Such a file, and what is declared of its variables, under names that no message may repeat. */
function underCanaries(
  file: string,
  options?: Partial<Options>,
): { file: string; options: Partial<Options> } {
  const named = (name: string) => `${NAME}-${name}`;
  const variables = Object.entries(options?.variables ?? {}).map(([name, value]) => [named(name), value]);
  return {
    file: file.replace(SHORT_HEADER, (header) => header.replace(/[abc]/g, named)),
    options: { ...options, variables: Object.fromEntries(variables) },
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) =>
  Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0), 0])]);
const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const parquet = (...args: Parameters<typeof parquetWriteBuffer>) =>
  new Uint8Array(parquetWriteBuffer(...args));

async function failureOf(reading: Promise<unknown>): Promise<SynthriskError & Partial<InvalidTableError>> {
  return reading.then(
    () => expect.unreachable('the file was accepted'),
    (error) => error,
  );
}

type Options = Parameters<typeof readTable>[1];
type Bad = {
  what: string;
  file: string | Uint8Array;
  options?: Partial<Options>;
  code: string;
  row?: number;
  column?: number;
  says?: RegExp;
};

const distinctTexts = (count: number) => Array.from({ length: count }, (_, i) => `${CANARY}-${i}`).join('\n');

const BAD_TABLES: Bad[] = [
  { what: 'no bytes', file: '', code: 'empty-file' },
  { what: 'only line ends', file: '\r\n\n', code: 'empty-file' },
  { what: 'only a byte-order mark', file: '\ufeff', code: 'empty-file' },
  { what: 'a header only', file: 'a,b\n', code: 'no-records' },
  {
    what: 'one record',
    file: `a,b\n1,${CANARY}\n`,
    code: 'one-record',
  },
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
  {
    what: 'a row with too many fields',
    file: `a,b\n1,2\n1,2,${CANARY}\n`,
    code: 'ragged-row',
    row: 2,
    says: /expected 2 fields.*found 3/,
  },
  {
    what: 'a delimiter at the end of each record',
    file: `a,b\n1,${CANARY},\n1,2,\n`,
    code: 'ragged-row',
    row: 1,
    says: /delimiter at the end/,
  },
  {
    what: 'an empty line between records',
    file: `a,b\n1,2\n\n1,${CANARY}\n`,
    code: 'ragged-row',
    row: 2,
    says: /empty line/,
  },
  {
    what: 'a delimiter at the end of the header',
    file: `a,b,\n1,${CANARY},\n`,
    code: 'empty-variable-name',
    column: 3,
  },
  {
    what: 'two columns of one name',
    file: `a,${CANARY}, ${CANARY}\n1,2,3\n`,
    code: 'duplicate-variable',
    column: 3,
    says: /columns 2 and 3/,
  },
  {
    what: 'no header',
    file: `${CANARY},f\nx,m\ny,f\n`,
    code: 'header-is-data',
    column: 2,
    says: /names of the variables in its first line.*rename the column/,
  },
  {
    what: 'no header, and spaces at the ends of values',
    file: `x, ${CANARY}\ny,${CANARY} \nx2,z\n`,
    code: 'header-is-data',
    column: 2,
  },
  {
    what: 'no header in a file of one column',
    file: `${CANARY}\nb\n${CANARY}\n`,
    code: 'header-is-data',
    column: 1,
  },
  {
    what: 'no header, and one record beside',
    file: `x,${CANARY}\ny,${CANARY}\n`,
    code: 'header-is-data',
    column: 2,
  },
  {
    what: 'no header, and a missing value in the first record',
    file: `${CANARY},NA\nx,NA\ny,1\n`,
    code: 'header-is-data',
    column: 2,
  },
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
  {
    what: 'no header before numbers',
    file: `4711,f\n4711,m\n12,x\n`,
    code: 'no-header',
    column: 1,
    says: /header with the names/,
  },
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
  {
    what: 'a number for a name, as without a header',
    file: `${CANARY},4711\n1,2\n`,
    code: 'no-header',
    column: 2,
  },
  { what: 'row names only', file: `""\n${CANARY}\n`, code: 'no-variables' },
  {
    what: 'a quote that is never closed',
    file: `a,b\n1,2\n1,"${CANARY}\n1,2\n`,
    code: 'unclosed-quote',
    row: 2,
    column: 2,
  },
  {
    what: 'a quote never closed in the header',
    file: `a,"${CANARY}\n1,2\n`,
    code: 'unclosed-quote',
    column: 2,
    says: /header/,
  },
  {
    what: 'a quote inside a bare field',
    file: `a,b\n1,2\n1,${CANARY}"\n`,
    code: 'malformed-quote',
    row: 2,
    column: 2,
  },
  {
    what: 'text after a closing quote',
    file: `a,b\n1,2\n"${CANARY}"x,2\n`,
    code: 'malformed-quote',
    row: 2,
    column: 1,
  },
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
    says: /2 in column 1, 1 in column 2;.*missing: category/,
  },
  {
    what: 'a missing number',
    file: `a,b\n1,1.5\n2,${''}\n`,
    code: 'missing-values',
    row: 2,
    column: 2,
    options: { missing: 'category', variables: { b: { type: 'continuous' } } },
    says: /1 in column 2;/,
  },
  {
    what: 'only values to impute',
    file: `a,b\n,1\n,2\n`,
    options: { missing: 'impute' },
    code: 'no-category',
    column: 1,
  },
  {
    what: 'a number below the first break',
    file: 'a,b\n1,18\n2,-7.25\n',
    options: { missing: 'refuse', variables: { b: { breaks: [0, 18] } } },
    code: 'value-below-breaks',
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
  {
    what: 'a Parquet file without records',
    file: parquet({ columnData: [{ name: NAME, data: [], type: 'STRING' }] }),
    code: 'no-records',
  },
  {
    what: 'an infinite number',
    file: parquet({ columnData: [{ name: NAME, data: [1, Infinity], type: 'DOUBLE' }] }),
    code: 'not-a-number',
    row: 2,
    column: 1,
  },
  {
    what: 'bytes in Parquet text that are not UTF-8',
    file: parquet({
      columnData: [{ name: NAME, data: [latin1(`\xe9${CANARY}`), latin1('b')], type: 'BYTE_ARRAY' }],
    }),
    code: 'not-utf8',
    column: 1,
  },
  {
    what: 'a list column',
    file: parquet({
      columnData: [{ name: NAME, data: [[CANARY], ['b']] }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: NAME, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      ],
    }),
    code: 'unsupported-column',
    column: 1,
  },
  {
    what: 'a nested column beside a plain one',
    file: parquet({
      columnData: [
        { name: NAME, data: [{ x: 1 }, { x: 2 }], type: 'VARIANT' },
        { name: 'b', data: [1, 2], type: 'INT32' },
      ],
    }),
    code: 'unsupported-column',
    column: 1,
    says: /nested/,
  },
  {
    what: 'a timestamp column',
    file: parquet({ columnData: [{ name: NAME, data: [new Date(0), new Date(1)], type: 'TIMESTAMP' }] }),
    code: 'unsupported-column',
    column: 1,
    says: /TIMESTAMP/,
  },
  {
    what: 'a compression that no reader here knows',
    file: parquet({
      columnData: [{ name: NAME, data: ['x', 'y'], type: 'STRING' }],
      codec: 'LZO',
      compressors: { LZO: (input) => gzipSync(input) },
    }),
    code: 'unsupported-compression',
    says: /LZO/,
  },
  {
    what: 'a Parquet file cut short',
    file: parquet({ columnData: [{ name: NAME, data: [CANARY, 'x'], type: 'STRING' }] }).slice(0, -9),
    code: 'unreadable-parquet',
  },
  {
    what: 'a Parquet file with damaged pages',
    file: damaged(parquet({ columnData: [{ name: NAME, data: [CANARY, 'x'], type: 'STRING' }] }), 4, 60),
    code: 'unreadable-parquet',
  },
  {
    what: 'a Parquet file with a damaged footer',
    file: damaged(parquet({ columnData: [{ name: NAME, data: [CANARY, 'x'], type: 'STRING' }] }), -80, -8),
    code: 'unreadable-parquet',
  },
];

function damaged(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const copy = bytes.slice();
  copy.subarray(from, to).fill(0xa5);
  return copy;
}

describe('readTable() refuses', () => {
  it.each(BAD_TABLES)('$what: $code', async ({ file, options, code, row, column, says }) => {
    const bytes = typeof file === 'string' ? utf8(file) : file;
    const error = await failureOf(readTable(bytes, { missing: 'refuse', ...options }));
    expect(error).toBeInstanceOf(InvalidTableError);
    expect(error.code).toBe(code);
    expect(error.exitCode).toBe(2);
    expect(error.where).toEqual({ ...(row && { row }), ...(column && { column }) });
    if (row !== undefined) expect(error.message).toContain(`row ${row}`);
    if (column !== undefined) expect(error.message).toMatch(new RegExp(`columns? (\\d+ and )?${column}\\b`));
    if (says !== undefined) expect(error.message).toMatch(says);
    expect(Object.values({ ...error, text: `${error.stack}` }).join()).not.toMatch(/canary|4711/i);
    expect(error.cause).toBeUndefined();
  });

  const csv = BAD_TABLES.flatMap(({ what, file, options, code }) =>
    typeof file === 'string' && SHORT_HEADER.test(file)
      ? [{ what, code, ...underCanaries(file, options) }]
      : [],
  );

  it.each(csv)('$what, without the names in its header: $code', async ({ file, options, code }) => {
    const error = await failureOf(readTable(utf8(file), { missing: 'refuse', ...options }));
    expect(error.code).toBe(code);
    expect(Object.values({ ...error, text: `${error.stack}` }).join()).not.toMatch(/canary|4711/i);
  });
});

describe('readTable() accepts', () => {
  it('a category that is called like another column, or like its own but for upper case', async () => {
    const { table } = await readTable(utf8('a,b\nb,A\nA,x\n'), { missing: 'refuse' });
    expect(table.records).toBe(2);
  });

  it('a declared category that is called like its column, as long as no record has it', async () => {
    const variables = { a: { categories: ['a', 'x', 'y'] } };
    const { table } = await readTable(utf8('a,b\nx,1\ny,2\n'), { missing: 'refuse', variables });
    expect(table.columns[0]).toEqual({ type: 'categorical', codes: Uint8Array.of(1, 2) });
    const dataset = await readTableAs(utf8('a,b\na,1\n'), table.schema, { missing: 'refuse' });
    expect(dataset.table.columns[0]).toEqual({ type: 'categorical', codes: Uint8Array.of(0) });
  });
});

const BAD_OVERRIDES: { what: string; variables: NonNullable<Options['variables']>; code: string }[] = [
  {
    what: 'a variable that the table lacks',
    variables: { c: { type: 'categorical' } },
    code: 'unknown-variable',
  },
  {
    what: 'a name of every object',
    variables: Object.fromEntries([['toString', { type: 'categorical' as const }]]),
    code: 'unknown-variable',
  },
  { what: 'a category twice', variables: { a: { categories: ['1', '2', '1'] } }, code: 'duplicate-category' },
  { what: 'NA as a category', variables: { a: { categories: ['1', 'NA'] } }, code: 'reserved-category' },
  { what: 'an empty category', variables: { a: { categories: ['1', ''] } }, code: 'reserved-category' },
  {
    what: 'categories of numbers',
    variables: { a: { type: 'continuous', categories: ['1', '2'] } },
    code: 'continuous-with-categories',
  },
  {
    what: 'more categories than codes',
    variables: { a: { categories: distinctTexts(MAX_CATEGORIES + 1).split('\n') } },
    code: 'too-many-categories',
  },
  {
    what: 'breaks of categories',
    variables: { a: { breaks: [0, 1], categories: ['1', '2'] } },
    code: 'breaks-with-others',
  },
  {
    what: 'breaks of a continuous variable',
    variables: { a: { breaks: [0, 1], type: 'continuous' } },
    code: 'breaks-with-others',
  },
  { what: 'breaks in disorder', variables: { a: { breaks: [0, 2, 1] } }, code: 'unordered-breaks' },
  { what: 'a break twice', variables: { a: { breaks: [0, 1, 1] } }, code: 'unordered-breaks' },
  {
    what: 'more bands than codes',
    variables: { a: { breaks: Array.from({ length: MAX_CATEGORIES + 1 }, (_, band) => band) } },
    code: 'too-many-categories',
  },
];

describe('readTable() refuses a config that declares', () => {
  it.each(BAD_OVERRIDES)('$what: $code', async ({ variables, code }) => {
    const error = await failureOf(readTable(utf8('a,b\n1,2\n2,1\n'), { missing: 'refuse', variables }));
    expect(error).toBeInstanceOf(InvalidConfigError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^variables\./);
  });
});

const SCHEMA: TableSchema = {
  variables: [
    { name: 'a', type: 'categorical', categories: ['x', 'y', ''], missingCode: 2 },
    { name: 'b', type: 'categorical', categories: ['1', '2'] },
    { name: 'c', type: 'continuous' },
  ],
};

const BAD_DATASETS: Bad[] = [
  { what: 'a variable absent', file: `a,b\nx,1\n`, code: 'absent-variable', says: /variable 3 / },
  {
    what: 'a variable too many',
    file: `a,b,${CANARY},c\nx,1,1,1\n`,
    code: 'unknown-variable',
    column: 3,
    says: /its 3 variables/,
  },
  {
    what: 'a category that the table lacks',
    file: `c,b,a\n1,1,x\n1,${CANARY},x\n`,
    code: 'value-outside-categories',
    row: 2,
    column: 2,
  },
  {
    what: 'a text for a number',
    file: `c,b,a\n1,1,x\n${CANARY},1,x\n`,
    code: 'not-a-number',
    row: 2,
    column: 1,
  },
  { what: 'missing values', file: `c,b,a\n1,1,\n`, code: 'missing-values', row: 1, column: 3 },
  {
    what: 'a missing value where the table has none',
    file: `c,b,a\n1,1,x\n1,,x\n`,
    options: { missing: 'category' },
    code: 'missing-values',
    row: 2,
    column: 2,
  },
  {
    what: 'a missing value of a variable whose missing values are imputed',
    file: `c,b,a\n1,1,x\n1,,x\n`,
    options: { missing: 'impute' },
    code: 'missing-values',
    row: 2,
    column: 2,
  },
  {
    what: 'a missing number',
    file: `c,b,a\nNA,1,x\n`,
    options: { missing: 'category' },
    code: 'missing-values',
    row: 1,
    column: 1,
  },
  { what: 'no records', file: `c,b,a\n`, code: 'no-records' },
  { what: 'no header', file: `${CANARY},1,2\nx,1,1\n`, code: 'no-header', column: 2 },
  {
    what: 'a record for a header',
    file: `${CANARY},x,y\nx,1,1\n`,
    code: 'absent-variable',
    says: /variables 1, 2, 3 /,
  },
];

describe('readTableAs() refuses', () => {
  it.each(BAD_DATASETS)('$what: $code', async ({ file, options, code, row, column, says }) => {
    const error = await failureOf(readTableAs(utf8(`${file}`), SCHEMA, { missing: 'refuse', ...options }));
    expect(error).toBeInstanceOf(InvalidTableError);
    expect(error.code).toBe(code);
    expect(error.where).toEqual({ ...(row && { row }), ...(column && { column }) });
    if (says !== undefined) expect(error.message).toMatch(says);
    expect(Object.values({ ...error, text: `${error.stack}` }).join()).not.toMatch(/canary|4711/i);
  });
});
