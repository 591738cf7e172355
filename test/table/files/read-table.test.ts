import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { MAX_DISTINCT_CODES } from '../../../shared/table/files/column-encoder.ts';
import { readMoreRecords, readTable, readTableAs } from '../../../shared/table/files/read-table.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { encodeParquet } from '../../../shared/table/files/write-parquet.ts';
import { MAX_CATEGORIES, type Table } from '../../../shared/table/table.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (text: string, options: Partial<Parameters<typeof readTable>[1]> = {}) =>
  readTable(utf8(text), { missing: 'refuse', ...options });
const names = (table: Table) => table.schema.variables.map(({ name }) => name);

/** The cells as text, row by row. */
function cells(table: Table): string[][] {
  return Array.from({ length: table.records }, (_, record) =>
    table.columns.map((column, v) => {
      const variable = table.schema.variables[v]!;
      if (column.type === 'continuous') return String(column.values[record]);
      return variable.type === 'categorical' ? variable.categories[column.codes[record]!]! : '';
    }),
  );
}

describe('readTable() of CSV', () => {
  it.each([
    ['LF', 'a,b\n1,x\n2,y\n'],
    ['CRLF', 'a,b\r\n1,x\r\n2,y\r\n'],
    ['CR', 'a,b\r1,x\r2,y\r'],
    ['mixed line ends', 'a,b\r\n1,x\n2,y\r'],
    ['no line end at the end', 'a,b\n1,x\n2,y'],
    ['empty lines at the end', 'a,b\n1,x\n2,y\n\n\r\n'],
    ['semicolons', 'a;b\n1;x\n2;y\n'],
    ['tabs', 'a\tb\n1\tx\n2\ty\n'],
    ['a byte-order mark', '\ufeffa,b\n1,x\n2,y\n'],
    ['a byte-order mark before a quote', '\ufeff"a","b"\n1,x\n2,y\n'],
    ['spaces around names', ' a , b\n1,x\n2,y\n'],
    ['quotes everywhere', '"a","b"\n"1","x"\n"2","y"\n'],
  ])('gives the same table with %s', async (_, text) => {
    const { table, notices } = await read(text);
    expect(names(table)).toEqual(['a', 'b']);
    expect(cells(table)).toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
    expect(notices).toEqual([]);
  });

  it('keeps delimiters, line ends, quotes and spaces inside cells', async () => {
    const { table, notices } = await read('a;"b;c,d,e"\n"1;\r\n""2""";" x"\n,;y\n');
    expect(names(table)).toEqual(['a', 'b;c,d,e']);
    expect(cells(table)).toEqual([
      ['1;\r\n"2"', ' x'],
      [',', 'y'],
    ]);
    expect(notices).toEqual(['some categories begin or end with spaces, which were kept: b;c,d,e']);
  });

  it('takes the delimiter that header and first record agree on', async () => {
    expect(names((await read('age, years;sex\n1;2\n2;1\n')).table)).toEqual(['age, years', 'sex']);
    expect(names((await read('a;b\n"1,5,5";2\n2;1\n')).table)).toEqual(['a', 'b']);
  });

  it('drops a first column without a name, with a notice', async () => {
    const { table, notices } = await read('"","a"\n"1","x"\n"2","y"\n');
    expect(names(table)).toEqual(['a']);
    expect(notices).toEqual(['column 1 holds row names and was dropped']);
  });

  it('reads a file of one column, where a quoted empty line is a missing value', async () => {
    const { table, notices } = await read('a\nx\n\ny\n""\n', { missing: 'category' });
    expect(cells(table)).toEqual([['x'], [''], ['y'], ['']]);
    expect(notices).toEqual(['missing values were made a category: a 2']);
    expect((await read('a\nx\ny\n\n')).notices[0]).toMatch(/empty lines at the end .* \(1\)/);
  });

  it('keeps 01 and 1 apart, and orders equal numbers by code unit', async () => {
    const { table } = await read('a\n1\n10\n01\n2\n-3\n');
    expect(table.schema.variables[0]).toMatchObject({ categories: ['-3', '01', '1', '2', '10'] });
  });

  it('orders texts by code unit', async () => {
    const { table } = await read('a\nb\n10\n9\nÄ\nB\n');
    expect(table.schema.variables[0]).toMatchObject({ categories: ['10', '9', 'B', 'b', 'Ä'] });
  });

  it('makes missing values the last category under missing: category', async () => {
    const { table, notices } = await read('a,b\n1,x\nNA,y\n,x\n2,x\n', { missing: 'category' });
    expect(table.schema.variables).toEqual([
      { name: 'a', type: 'categorical', categories: ['1', '2', ''], missingCode: 2 },
      { name: 'b', type: 'categorical', categories: ['x', 'y'] },
    ]);
    expect(table.columns[0]).toEqual({ type: 'categorical', codes: Uint8Array.of(0, 2, 2, 1) });
    expect(notices).toEqual(['missing values were made a category: a 2']);
  });

  it('leaves missing values a code but no category under missing: impute', async () => {
    const { table, notices } = await read('a,b\n1,x\nNA,y\n,x\n2,x\n', { missing: 'impute' });
    expect(table.schema.variables[0]).toEqual({ name: 'a', type: 'categorical', categories: ['1', '2'] });
    expect(table.columns[0]).toEqual({ type: 'categorical', codes: Uint8Array.of(0, 2, 2, 1) });
    expect(notices).toEqual(['missing values are left to the model: a 2']);
  });

  it.each([255, 256])('keeps %d categories and values to impute apart', async (categories) => {
    const texts = ['NA', ...Array.from({ length: categories }, (_, i) => `c${1000 + i}`), 'NA'];
    const { table } = await read(`a\n${texts.join('\n')}\n`, { missing: 'impute', variables: { a: { type: 'categorical' } } });
    const { codes } = table.columns[0] as { codes: Uint16Array };
    expect([codes[0], codes[1], codes[categories], codes[categories + 1]]).toEqual([categories, 0, categories - 1, categories]);
  });

  it.each([254, 255, 256, 257])('keeps %d categories and missing values apart in bytes or more', async (distinct) => {
    // Repeated once more after the last new one, with missing values before and after it.
    const column = ['', ...Array.from({ length: distinct }, (_, i) => `c${i}`), 'NA', 'c0', `c${distinct - 1}`];
    const { table } = await read(`a,b\n${column.map((cell, i) => `${cell},${i % 2}`).join('\n')}\n`, {
      missing: 'category',
      variables: { a: { type: 'categorical' } },
    });
    const [codes] = table.columns.map((one) => (one.type === 'categorical' ? one.codes : null));
    expect(codes).toBeInstanceOf(distinct < 256 ? Uint8Array : Uint16Array);
    expect(cells(table).map(([cell]) => cell)).toEqual(column.map((cell) => (cell === 'NA' ? '' : cell)));
  });

  it('keeps declared categories in their order, unused ones too', async () => {
    const { table } = await read('a\nx\nx\n\n', { variables: { a: { categories: ['z', 'x'] } } });
    expect(table.schema.variables[0]).toMatchObject({ categories: ['z', 'x'] });
    expect(table.columns[0]).toEqual({ type: 'categorical', codes: Uint8Array.of(1, 1) });
  });
});

describe('readTable() infers', () => {
  const column = (count: number, cell: (i: number) => string | number) =>
    `a\n${Array.from({ length: count }, (_, i) => cell(i)).join('\n')}`;

  it('categories up to the limit of distinct numbers, and numbers beyond it', async () => {
    const few = await read(column(500, (i) => i % MAX_DISTINCT_CODES));
    expect(few.table.columns[0]!.type).toBe('categorical');
    expect(few.notices).toEqual([]);
    const many = await read(column(500, (i) => (i % (MAX_DISTINCT_CODES + 1)) / 4));
    expect(many.table.columns[0]).toMatchObject({ type: 'continuous' });
    expect(cells(many.table)[3]).toEqual(['0.75']);
    expect(many.notices).toEqual(['numbers with more than 50 distinct values, read as continuous: a']);
  });

  it('numbers when there are more of them than codes', async () => {
    const count = MAX_CATEGORIES + 3;
    const { table } = await read(column(count, (i) => 3 * i));
    const expected = Float64Array.from({ length: count }, (_, i) => 3 * i);
    expect(table.columns[0]).toEqual({ type: 'continuous', values: expected });
  });

  it('what the config says instead, when it says so', async () => {
    const categorical = await read(
      column(99, (i) => i),
      { variables: { a: { type: 'categorical' } } },
    );
    expect(categorical.table.schema.variables[0]).toMatchObject({ type: 'categorical' });
    const continuous = await read(
      column(4, (i) => i),
      { variables: { a: { type: 'continuous' } } },
    );
    expect(continuous.table.columns[0]).toEqual({ type: 'continuous', values: Float64Array.of(0, 1, 2, 3) });
  });

  it('texts that are nearly all different to be an identifier, which is refused until the user decides', async () => {
    const table = column(60, (i) => `id ${i}`);
    await expect(read(table)).rejects.toMatchObject({
      code: 'identifier',
      message: expect.stringMatching(/Column `a` .* Write --drop a or --categorical a\.\n.*--write-config/),
    });
    const onPurpose = await read(table, { variables: { a: { type: 'categorical' } } });
    expect(onPurpose.table.schema.variables[0]).toMatchObject({ type: 'categorical' });
    expect((await read(column(60, (i) => `id ${i % 30}`))).notices).toEqual([]);
  });
});

describe('readTableAs()', () => {
  it('reads columns in another order into the codes of the schema', async () => {
    const { table } = await read('a,b,c\nx,1,0.5\ny,2,1\n,2,2\n', { missing: 'category', variables: { c: { type: 'continuous' } } });
    const other = await readTableAs(utf8('c,"b",a\n7,2,\n8,1,y\n'), table.schema, { missing: 'category' });
    expect(other.table.schema).toBe(table.schema);
    expect(cells(other.table)).toEqual([
      ['', '2', '7'],
      ['y', '1', '8'],
    ]);
  });

  it('gives back a table that was written from its own codes', async () => {
    const { table } = await read('a,b\nx,1\ny,02\nx,2\n');
    const bytes = encodeCsv(names(table), cells(table));
    expect((await readTableAs(bytes, table.schema, { missing: 'refuse' })).table).toEqual(table);
  });

  it.each([
    [{ decimal: ',' as const }, '1234,5', 1234.5],
    [{ decimal: ',' as const }, '1234.5', 1234.5],
    [{ decimal: ',' as const }, '1e-05', 1e-5],
    [{ decimal: ',' as const, thousands: ' ' as const }, '1 234,5', 1234.5],
    [{ decimal: '.' as const, thousands: ',' as const }, '"1,234"', 1234],
    [{ decimal: ',' as const, thousands: '.' as const }, '1.234', 1.234],
  ])('takes numbers as the table writes them (%o), and with a decimal point: %s', async (numbers, cell, value) => {
    const reading = { missing: 'refuse' as const, numbers, variables: { b: { type: 'continuous' as const } } };
    const { table } = await read('a;b\nx;1\ny;2\n', reading);
    const { columns } = (await readTableAs(utf8(`a;b\nx;${cell}\n`), table.schema, reading)).table;
    expect(columns[1]).toMatchObject({ values: Float64Array.of(value) });
  });

  it('refuses a decimal comma where a point divides thousands in the table, since 1.234 beside it would be taken for 1', async () => {
    const numbers = { decimal: ',' as const, thousands: '.' as const };
    const reading = { missing: 'refuse' as const, numbers, variables: { b: { type: 'continuous' as const } } };
    const { table } = await read('a;b\nx;1\ny;1.234,5\n', reading);
    await expect(readTableAs(utf8('a;b\nx;1.234,5\ny;1.234\n'), table.schema, reading)).rejects.toMatchObject({ code: 'not-a-number' });
  });

  it('accepts a dataset of one record', async () => {
    const { table } = await read('a,b\nx,1\ny,2\n');
    const one = await readTableAs(utf8('a,b\nx,2\n'), table.schema, { missing: 'refuse' });
    expect(one.table.records).toBe(1);
  });
});

describe('readTable() of numbers with breaks', () => {
  const variables = { a: { breaks: [0, 18, 65] } };

  it('gives the band of each, and has bands that no record is in', async () => {
    const { table, notices } = await read('a,b\n17.5,x\n18,y\n1.7e1,x\n', { variables });
    expect(table.schema.variables[0]).toEqual({ name: 'a', type: 'categorical', categories: ['[0,18)', '[18,65)', '[65,Inf)'] });
    expect(cells(table).map(([band]) => band)).toEqual(['[0,18)', '[18,65)', '[0,18)']);
    expect(notices).toEqual([]);
  });

  it('takes as many distinct numbers as there are, and missing ones as a category', async () => {
    const ages = Array.from({ length: 300 }, (_, i) => i / 3);
    const { table } = await read(`a,b\n${[...ages, 'NA'].map((age) => `${age},x`).join('\n')}\n`, { variables, missing: 'category' });
    const bands = cells(table).map(([band]) => band);
    expect(bands.filter((band) => band === '[18,65)')).toHaveLength(3 * (65 - 18));
    expect(bands.at(-1)).toBe('');
  });

  it('can have some of them merged', async () => {
    const merge = { minor: ['[0,12)', '[12,18)'] };
    const { table } = await read('a,b\n3,x\n15,y\n70,x\n', { variables: { a: { breaks: [0, 12, 18], merge } } });
    expect(cells(table).map(([band]) => band)).toEqual(['minor', 'minor', '[18,Inf)']);
  });

  it('reads releases in bands, and refuses numbers there', async () => {
    const { table } = await read('a,b\n17,x\n18,y\n', { variables });
    const again = (text: string) => readTableAs(utf8(text), table.schema, { missing: 'refuse' });
    expect(cells((await again('a,b\n"[65,Inf)",x\n')).table)).toEqual([['[65,Inf)', 'x']]);
    await expect(again('a,b\n17,x\n')).rejects.toMatchObject({ code: 'value-outside-categories' });
  });
});

describe('readTable() of Parquet', () => {
  const parquet = (...args: Parameters<typeof parquetWriteBuffer>) => new Uint8Array(parquetWriteBuffer(...args));

  it('renders every supported type as CSV would show it', async () => {
    const bytes = parquet({
      columnData: [
        { name: 'text', data: ['x', 'y, z', null], type: 'STRING' },
        { name: 'int64', data: [9007199254740993n, -1n, 0n], type: 'INT64' },
        { name: 'int32', data: [3, null, -1], type: 'INT32' },
        { name: 'flag', data: [true, false, true], type: 'BOOLEAN' },
        { name: 'single', data: Float32Array.of(0.1, 1, 16777216), type: 'FLOAT' },
        { name: 'double', data: [0.1, Number.NaN, 1], type: 'DOUBLE' },
      ],
    });
    const { table } = await readTable(bytes, { missing: 'category' });
    expect(cells(table)).toEqual([
      ['x', '9007199254740993', '3', 'true', '0.1', '0.1'],
      ['y, z', '-1', '', 'false', '1', ''],
      ['', '0', '-1', 'true', '16777216', '1'],
    ]);
  });

  it('reads row groups in order, dictionaries and gzip', async () => {
    const data = Array.from({ length: 5000 }, (_, i) => `category ${i % 7}`);
    const bytes = parquet({
      columnData: [{ name: 'a', data, type: 'STRING' }],
      rowGroupSize: [100, 700],
      codec: 'GZIP',
      compressors: { GZIP: (input) => gzipSync(input) },
    });
    const { table } = await readTable(bytes, { missing: 'refuse' });
    expect(cells(table)).toEqual(data.map((text) => [text]));
  });

  it('drops a pandas row index, with a notice', async () => {
    const bytes = parquet({
      columnData: [
        { name: 'a', data: ['x', 'y'], type: 'STRING' },
        { name: '__index_level_0__', data: [5n, 9n], type: 'INT64' },
      ],
    });
    const { table, notices } = await readTable(bytes, { missing: 'refuse' });
    expect(names(table)).toEqual(['a']);
    expect(notices).toEqual(['column 2 holds row names and was dropped']);
  });

  it('reads from the middle of a larger buffer', async () => {
    const bytes = encodeParquet([[{ name: 'a', type: 'string', values: ['x', 'y'] }]]);
    const larger = new Uint8Array(bytes.length + 10);
    larger.set(bytes, 5);
    const { table } = await readTable(larger.subarray(5, 5 + bytes.length), { missing: 'refuse' });
    expect(cells(table)).toEqual([['x'], ['y']]);
  });

  it('takes a CSV file whose first name begins with PAR1 for CSV', async () => {
    expect(names((await read('PAR1,b\n1,2\n2,1\n')).table)).toEqual(['PAR1', 'b']);
  });
});

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => text.trim() !== '' && Number.isNaN(Number(text)) && !text.includes('\0'))
  .map((text) => text.trim());
const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\0')),
  fc.constantFrom('', 'NA', '1', '01', '-1', '=1+1', ' ', 'a,b', 'a;b', '"', 'a\nb', '\r', '\t'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const textTable = fc
  .uniqueArray(name, { minLength: 1, maxLength: 5 })
  .chain((header) =>
    fc.record({
      header: fc.constant(header),
      rows: fc.array(fc.array(cell, { minLength: header.length, maxLength: header.length }), { minLength: 2, maxLength: 40 }),
    }),
  )
  // Categories that occur once only would be refused as a column of a single category.
  .map(({ header, rows }) => ({ header, rows: [...rows, header.map(() => 'p'), header.map(() => 'q')] }));
const asCategories = (header: string[]) => ({
  missing: 'category' as const,
  variables: Object.fromEntries(header.map((text) => [text, { type: 'categorical' as const }])),
});

describe('readTable() and the writers', () => {
  it('give back every text that encodeCsv() was given, NA as missing', async () => {
    await fc.assert(
      fc.asyncProperty(textTable, async ({ header, rows }) => {
        const { table } = await readTable(encodeCsv(header, rows), asCategories(header));
        expect(names(table)).toEqual(header);
        expect(cells(table)).toEqual(rows.map((row) => row.map((text) => (text === 'NA' ? '' : text))));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('give the same table from CSV and from Parquet, texts and numbers', async () => {
    const number = fc.oneof(fc.double({ noNaN: true, min: -1e100, max: 1e100 }), fc.integer());
    await fc.assert(
      fc.asyncProperty(textTable, fc.array(number, { minLength: 42, maxLength: 42 }), async ({ header, rows }, numbers) => {
        const values = Float64Array.from(rows, (_, row) => numbers[row]!);
        const csv = encodeCsv(
          ['number', ...header.map((text) => `v ${text}`)],
          rows.map((row, index) => [values[index]!, ...row]),
        );
        const parquet = encodeParquet([
          [
            { name: 'number', type: 'double', values },
            ...header.map((text, v) => ({ name: `v ${text}`, type: 'string' as const, values: rows.map((row) => row[v]!) })),
          ],
        ]);
        const options = { missing: 'category' as const, variables: { number: { type: 'continuous' as const } } };
        expect(await readTable(parquet, options)).toEqual(await readTable(csv, options));
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('readMoreRecords()', () => {
  const variables = {
    age: { breaks: [0, 18, 65], range: [0, 120] as [number, number] },
    work: { merge: { paid: ['full', 'part'] } },
    born: { breaks: [1900, 1950] },
    note: { drop: true as const },
  };
  const own = { missing: 'impute' as const, variables: variables, missingCodes: ['-9'] };
  const table = 'age;work;born;note\n17,5;full;1949;a\n64;none;1950;b\n99;part;-9;c\n';
  const numbers = { decimal: ',' } as const;

  it('has in the codes of a table what is written as the table is: bands, merged categories, codes of missing values', async () => {
    const { table: first } = await read(table, { ...own, numbers });
    const more = await readMoreRecords(utf8('work;born;age\npart;1960;0,5\npaid;-9;65\n;1900;18\n'), first.schema, { ...own, numbers });
    expect(more.table.schema).toBe(first.schema);
    expect(more.table.columns).toMatchObject([
      { codes: Uint8Array.of(0, 2, 1) },
      { codes: Uint8Array.of(0, 0, 2) },
      { codes: Uint8Array.of(1, 2, 0) },
    ]);
    expect(more.notices).toEqual(['missing values are left to the model: work 1, born 1']);
  });

  it('refuses by row and column what the table has not', async () => {
    const { table: first } = await read(table, { ...own, numbers });
    const more = (text: string) => readMoreRecords(utf8(`work;born;age\n${text}`), first.schema, { ...own, numbers });
    for (const [text, code, column] of [
      ['full;1960;1\nnobody;1960;2\n', 'value-outside-categories', 1],
      ['full;1960;1\nfull;1899;2\n', 'value-below-breaks', 2],
      ['full;1960;1\nfull;1960;121\n', 'value-outside-range', 3],
      ['full;1960;1\nfull;1960;old\n', 'not-a-number', 3],
    ] as const) {
      await expect(more(text)).rejects.toMatchObject({ code, where: { row: 2, column } });
      await expect(more(text)).rejects.not.toThrow(/nobody|1899|121|old\b/);
    }
  });

  it('needs one record, where a table needs two', async () => {
    const { table: first } = await read('a,b\n1,x\n2,y\n');
    const more = (text: string) => readMoreRecords(utf8(text), first.schema, { missing: 'refuse' });
    expect((await more('a,b\n2,x\n')).table.records).toBe(1);
    await expect(more('a,b\n')).rejects.toThrow(/expected at least one$/);
  });

  it('follows the rule for missing values, which of a category needs one in the table', async () => {
    const reading = { missing: 'category' as const };
    const more = (first: Table, missing: 'refuse' | 'category') => readMoreRecords(utf8('a,b\n1,x\n,y\n'), first.schema, { missing });
    const { table: complete } = await read('a,b\n1,x\n2,y\n', reading);
    await expect(more(complete, 'refuse')).rejects.toMatchObject({ code: 'missing-values', where: { row: 2, column: 1 } });
    await expect(more(complete, 'category')).rejects.toMatchObject({ code: 'missing-values', where: { row: 2, column: 1 } });
    const { table: incomplete } = await read('a,b\n1,x\n2,y\n,x\n', reading);
    expect((await more(incomplete, 'category')).table.columns[0]).toMatchObject({ codes: Uint8Array.of(0, 2) });
  });
});
