import { describe, expect, it } from 'vitest';
import { InvalidConfigError, InvalidTableError, type SynthriskError } from '../../../shared/contracts/errors.ts';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { readTable, readTableAs } from '../../../shared/table/files/read-table.ts';
import { MAX_CATEGORIES } from '../../../shared/table/table.ts';
import { BAD_TABLES, type BadFile, CANARY, distinctTexts, NAME, type Options, SHORT_HEADER, utf8 } from './bad-tables.ts';

/** Such a file, and what is declared of its variables, under names that no message may repeat. */
function underCanaries(file: string, options?: Partial<Options>): { file: string; options: Partial<Options> } {
  const named = (name: string) => `${NAME}-${name}`;
  const variables = Object.entries(options?.variables ?? {}).map(([name, value]) => [named(name), value]);
  return {
    file: file.replace(SHORT_HEADER, (header) => header.replace(/[abc]/g, named)),
    options: { ...options, variables: Object.fromEntries(variables) },
  };
}

async function failureOf(reading: Promise<unknown>): Promise<SynthriskError & Partial<InvalidTableError>> {
  return reading.then(
    () => expect.unreachable('the file was accepted'),
    (error) => error,
  );
}

describe('readTable() refuses', () => {
  it.each(BAD_TABLES)('$what: $code', async ({ file, options, code, row, column, name, says }) => {
    const bytes = typeof file === 'string' ? utf8(file) : file;
    const error = await failureOf(readTable(bytes, { missing: 'refuse', ...options }));
    expect(error).toBeInstanceOf(InvalidTableError);
    expect(error.code).toBe(code);
    expect(error.exitCode).toBe(2);
    expect(error.where).toEqual({ ...(row && { row }), ...(column && { column }) });
    if (row !== undefined) expect(error.message).toContain(`row ${row}`);
    if (name !== undefined) expect(error.message).toContain(`olumn \`${name}\``);
    else if (column !== undefined) expect(error.message).toMatch(new RegExp(`columns? (\\d+ and )?${column}\\b|\`${'abc'[column - 1]}\``));
    if (says !== undefined) expect(error.message).toMatch(says);
    expect(Object.values({ ...error, text: `${error.stack}` }).join()).not.toMatch(/canary|4711/i);
    expect(error.cause).toBeUndefined();
  });

  // Missing values are counted once the header is known to be none of the records; names of a config are no secret.
  const isNamed = ({ options, code }: BadFile) => options?.variables !== undefined || ['missing-values', 'no-category'].includes(code);
  const csv = BAD_TABLES.filter((bad) => !isNamed(bad)).flatMap(({ what, file, options, code }) =>
    typeof file === 'string' && SHORT_HEADER.test(file) ? [{ what, code, ...underCanaries(file, options) }] : [],
  );

  it.each(csv)('$what, without the names in its header: $code', async ({ file, options, code }) => {
    const error = await failureOf(readTable(utf8(file), { missing: 'refuse', ...options }));
    expect(error.code).toBe(code);
    expect(Object.values({ ...error, text: `${error.stack}` }).join()).not.toMatch(/canary|4711/i);
  });
});

describe('readTable() names the program of', () => {
  it.each([
    ['an Excel workbook of before 2007', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['an SPSS file', '$FL3@(#)'],
    ['a portable SPSS file', `${'x'.repeat(40)}SPSS PORT FILE`],
    ['a SAS transport file', 'HEADER RECORD*******'],
    ['a Stata file', 's\x02\x01\0'],
    ['an R object', 'X\n\0\0\0'],
    ['an R workspace', 'RDX2\nX\n'],
    ['an R workspace', 'RDA3\nA\n'],
    ['a Feather', 'FEA1\0'],
    ['a stream of Arrow (IPC)', '\xff\xff\xff\xff\x30\x04\0\0'],
    ['an SQLite database', 'SQLite format 3\0'],
    ['a PDF document', '%PDF-1.7'],
    ['a web page', '\xef\xbb\xbf <!DOCTYPE html>'],
    ['XML', '\n<?xml version="1.0"?>'],
    ['JSON', '[ {"a": 1}]'],
  ])('%s: %j', async (name, mark) => {
    const bytes = Uint8Array.from(mark.padEnd(300, ' '), (letter) => letter.charCodeAt(0));
    const error = await failureOf(readTable(bytes, { missing: 'refuse' }));
    expect(error).toMatchObject({ code: 'other-format', message: expect.stringContaining(`The file is ${name}`) });
  });

  it.each(['RDX4\nX\n1\n2\n', '%PDFs\n1\n2\n', 't\n<html\n2\n'])('nothing else: %j is a table', async (text) => {
    expect((await readTable(utf8(text), { missing: 'refuse' })).table.records).toBeGreaterThan(1);
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
  { what: 'a variable that the table lacks', variables: { c: { type: 'categorical' } }, code: 'unknown-variable' },
  {
    what: 'a name of every object',
    variables: Object.fromEntries([['toString', { type: 'categorical' as const }]]),
    code: 'unknown-variable',
  },
  { what: 'a category twice', variables: { a: { categories: ['1', '2', '1'] } }, code: 'duplicate-category' },
  { what: 'NA as a category', variables: { a: { categories: ['1', 'NA'] } }, code: 'reserved-category' },
  { what: 'an empty category', variables: { a: { categories: ['1', ''] } }, code: 'reserved-category' },
  { what: 'categories of numbers', variables: { a: { type: 'continuous', categories: ['1', '2'] } }, code: 'continuous-with-categories' },
  {
    what: 'more categories than codes',
    variables: { a: { categories: distinctTexts(MAX_CATEGORIES + 1).split('\n') } },
    code: 'too-many-categories',
  },
  { what: 'breaks of categories', variables: { a: { breaks: [0, 1], categories: ['1', '2'] } }, code: 'breaks-with-others' },
  { what: 'breaks of a continuous variable', variables: { a: { breaks: [0, 1], type: 'continuous' } }, code: 'breaks-with-others' },
  { what: 'breaks in disorder', variables: { a: { breaks: [0, 2, 1] } }, code: 'unordered-breaks' },
  { what: 'a range of categories', variables: { a: { range: [0, 9], categories: ['1', '2'] } }, code: 'range-of-categories' },
  { what: 'a range that ends before it begins', variables: { a: { range: [9, 0] } }, code: 'unordered-range' },
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
    { name: 'a', type: 'categorical', categories: ['x', '\u00e9', ''], missingCode: 2 },
    { name: 'b', type: 'categorical', categories: ['1', '2'] },
    { name: 'c', type: 'continuous' },
  ],
};
const BANDED: TableSchema = { variables: [{ name: 'a', type: 'categorical', categories: ['[0,18)', '18 or more'] }] };

const BAD_DATASETS: BadFile[] = [
  { what: 'a variable absent', file: `a,b\nx,1\n`, code: 'absent-variable', says: /called `c`:/ },
  { what: 'a variable too many', file: `a,b,${CANARY},c\nx,1,1,1\n`, code: 'unknown-variable', column: 3, says: /its 3 variables/ },
  {
    what: 'a category that the table lacks',
    file: `c,b,a\n1,1,x\n1,${CANARY},x\n`,
    code: 'value-outside-categories',
    row: 2,
    column: 2,
    says: /; declare all categories in the config \(variables\.b\.categories\)$/,
  },
  {
    what: 'a number that is no category, though others are',
    file: 'c,b,a\n1,987,x\n',
    code: 'value-outside-categories',
    row: 1,
    column: 2,
    says: /^row 1, column `b`: .*; declare all categories in the config \(variables\.b\.categories\), or read the variable as a number \(--continuous b\)$/,
  },
  {
    what: 'the number of a category written otherwise, as pandas writes whole numbers beside missing ones',
    file: 'c,b,a\n1,1.0,x\n',
    code: 'value-outside-categories',
    row: 1,
    column: 2,
    says: /; one of them is the same number, written otherwise, as 1\.0 is 1 and 1e\+05 is 100000: write it as the table has it$/,
  },
  {
    what: 'a category in capitals',
    file: 'c,b,a\n1,1,x\n1,1, X\n',
    code: 'value-outside-categories',
    row: 2,
    column: 3,
    says: /; one of them differs in capitals, blanks or the encoding of accents alone \(Unicode NFC, NFD\): write it as the table has it$/,
  },
  {
    what: 'a category whose accent is encoded otherwise',
    file: 'c,b,a\n1,1,e\u0301\n',
    code: 'value-outside-categories',
    row: 1,
    column: 3,
    says: /the encoding of accents alone \(Unicode NFC, NFD\)/,
  },
  { what: 'a text for a number', file: `c,b,a\n1,1,x\n${CANARY},1,x\n`, code: 'not-a-number', row: 2, column: 1 },
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
  { what: 'a missing number', file: `c,b,a\nNA,1,x\n`, options: { missing: 'category' }, code: 'missing-values', row: 1, column: 1 },
  { what: 'no records', file: `c,b,a\n`, code: 'no-records' },
  { what: 'no header', file: `${CANARY},1,2\nx,1,1\n`, code: 'no-header', column: 2 },
  { what: 'a record for a header', file: `${CANARY},x,y\nx,1,1\n`, code: 'absent-variable', says: /called `a`, `b`, `c`:/ },
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

  it('a number where the table has the names of bands, and says so', async () => {
    const { message } = await failureOf(readTableAs(utf8('a\n17\n'), BANDED, { missing: 'refuse' }));
    expect(message).toMatch(/; where the table has the variable in bands, datasets have the names of bands, not numbers$/);
  });

  it('a number beside bands without the advice to read all of them as numbers, which it could not', async () => {
    const schema: TableSchema = { variables: [{ name: 'a', type: 'categorical', categories: ['<15', '16', '17', '[18,24]'] }] };
    const { message } = await failureOf(readTableAs(utf8('a\n15\n'), schema, { missing: 'refuse' }));
    expect(message).toMatch(/; declare all categories in the config \(variables\.a\.categories\)$/);
  });
});
