import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { householdNumbers } from '../../examples/household-table.ts';
import { csvRows, smallTable } from '../pipeline/small-run.ts';
import { errorOf, fileHashes, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content);

function parquetOf(csv: Uint8Array): Uint8Array {
  const [header, ...records] = csvRows(csv);
  const columnData = header!.map((name, v) => ({ name, data: records.map((record) => record[v]!), type: 'STRING' as const }));
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 50 }));
}

/** A workbook of before 2007 as far as anybody looks: its mark. */
const workbook = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(60));

beforeAll(() => {
  const table = smallTable({ records: 120 });
  put('table.csv', table);
  put('table.parquet', parquetOf(table));
  put('table.csv.gz', gzipSync(table));
  put('table.parquet.gz', gzipSync(parquetOf(table)));
  put('workbook.csv', workbook);
});

describe('a table is read from the disk', () => {
  const FORMATS = ['table.csv', 'table.parquet', 'table.csv.gz', 'table.parquet.gz'];

  it('as CSV, as Parquet and out of gzip: the same release under one key', async () => {
    const releases = [];
    for (const name of FORMATS) {
      const { code, stderr } = await synthrisk(directory, [
        ...['evaluate', name, '--out', `of-${name}`, '--datasets', '1', '--quiet'],
        ...SMALL_FLAGS,
      ]);
      expect(code, stderr).toBe(0);
      releases.push(fileHashes(join(directory, `of-${name}`), 'release'));
    }
    expect(Object.keys(releases[0]!).length).toBeGreaterThan(0);
    for (const release of releases) expect(release).toEqual(releases[0]);
  });

  it('as datasets too', async () => {
    const identify = async (synthetic: string) => {
      const { code, stdout, stderr } = await synthrisk(directory, [
        ...['identify', 'table.parquet', '--synthetic', synthetic, '--known', 'region', '--synthesized', 'education', '--json', '--quiet'],
      ]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    put('other.parquet', parquetOf(smallTable({ records: 120, seed: 4 })));
    put('other.csv', smallTable({ records: 120, seed: 4 }));
    expect(await identify('other.parquet')).toEqual(await identify('other.csv'));
  });

  it('but not when gzip ends early', async () => {
    put('cut.csv.gz', gzipSync(readFileSync(join(directory, 'table.csv'))).subarray(0, -20));
    const { code, stderr } = await synthrisk(directory, ['plan', 'cut.csv.gz']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/gzip and is damaged or ends early/);
  });
});

/** The path of a file that another program wrote. */
const writtenBy = (name: string) => fileURLToPath(new URL(`files/${name}`, import.meta.url));

async function describeColumns(table: string) {
  const { code, stdout, stderr } = await synthrisk(directory, ['plan', table, '--describe', '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).columns;
}

describe('a table that R wrote', () => {
  it('as Parquet is read as the CSV of the same records', async () => {
    // By nanoparquet 0.5.1 in R 4.2: factors, whole numbers and doubles of the first 120 households, in three row groups.
    // No registry of packages that tests reach has nanoparquet or arrow for R.
    writeFileSync(join(directory, 'household.csv'), householdNumbers(1, 120));
    const columns = await describeColumns(writtenBy('household-by-r.parquet'));
    expect(columns).toHaveLength(7);
    expect(columns).toEqual(await describeColumns('household.csv'));
  });

  it('as an Excel workbook is read as the CSV of the same records', async () => {
    // By openxlsx 4.2.5 in R 4.2: the same with text that begins with zeros, logical values and tenths.
    const lines = new TextDecoder().decode(householdNumbers(1, 120)).trim().split('\n');
    const more = (row: number) => [`${row % 12}`.padStart(3, '0'), row % 3 === 0 ? 'TRUE' : 'FALSE', [0.1, 0.2, 0.3][row % 3]].join(',');
    const wider = lines.map((line, row) => `${line},${row === 0 ? 'area,owner,part' : more(row)}`);
    writeFileSync(join(directory, 'wider.csv'), wider.join('\n'));
    const columns = await describeColumns(writtenBy('household-by-r.xlsx'));
    expect(columns).toHaveLength(10);
    expect(columns).toEqual(await describeColumns('wider.csv'));
  });
});

describe('a workbook that cannot be read is refused with what to do', () => {
  it.each([
    ['formulas-by-openpyxl.xlsx', 'formula-without-value', 'formulas without values'],
    ['dates-by-openpyxl.xlsx', 'unsupported-column', 'Column `birth` holds dates'],
    ['two-sheets-by-openpyxl.xlsx', 'several-sheets', '2 sheets that are not empty: expected one; copy'],
    ['title-by-openpyxl.xlsx', 'empty-variable-name', 'delete titles and notes above the table'],
    ['note-below-by-openpyxl.xlsx', 'ragged-row', 'row 31: expected a record, found an empty row'],
    ['cut.xlsx', 'unreadable-workbook', 'The Excel workbook cannot be read'],
    ['early.xlsx', 'unreadable-workbook', 'an Excel workbook or a ZIP archive that ends early: copy'],
  ])('%s', async (name, code, says) => {
    // The directory of an archive stands at its end: without what is before it, it leads nowhere.
    put('cut.xlsx', Buffer.concat([Buffer.from('PK\x03\x04'), readFileSync(writtenBy('household-by-r.xlsx')).subarray(-2000)]));
    put('early.xlsx', readFileSync(writtenBy('household-by-r.xlsx')).subarray(0, 300));
    const path = ['cut.xlsx', 'early.xlsx'].includes(name) ? name : writtenBy(name);
    const outcome = await synthrisk(directory, ['plan', path, '--missing', 'category', '--json']);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome)).toMatchObject({ code, message: expect.stringContaining(says) });
  });
});

describe('a file of another program is refused by name, with what exports it', () => {
  const [table, other] = ['table.csv', 'workbook.csv'];
  const keys = ['--keys', 'region', '--target', 'education'];
  it.each([
    ['evaluate', other, '--out', 'out'],
    ['synthesize', other, '--out', 'out'],
    ['plan', other],
    ['inherent', other, '--synthesized', 'education', '--known', 'region'],
    ['mask', other, '--method', 'rank-swap', '--out', 'out'],
    ['assess', table, '--synthetic', other, '--out', 'out'],
    ['identify', table, '--synthetic', other, '--known', 'region', '--synthesized', 'education'],
    ['utility', table, '--synthetic', other],
    ['reidentify', table, '--masked', other, '--method', 'rank-swap', '--out', 'out'],
    ['attack', table, '--synthetic', other, ...keys],
    ['attack', table, '--synthetic', table, '--control', other, ...keys],
    ['evaluate', table, '--structural-zeros', other, '--out', 'out'],
    ['evaluate', table, '--control', other, '--out', 'out'],
    ['cloud', 'submit', other],
  ])('%s %s', async (...args) => {
    const { code, stdout, stderr } = await synthrisk(directory, args);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('The file is an Excel workbook');
    expect(stderr).toContain('In R: write.csv(readxl::read_excel("FILE"), "table.csv"');
    expect(stderr).toContain('In Python: import pandas; pandas.read_excel("FILE", dtype=str)');
  });
});
