import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { householdNumbers } from '../../examples/household-table.ts';
import { csvRows, smallTable } from '../pipeline/small-run.ts';
import { fileHashes, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content);

function parquetOf(csv: Uint8Array): Uint8Array {
  const [header, ...records] = csvRows(csv);
  const columnData = header!.map((name, v) => ({
    name,
    data: records.map((record) => record[v]!),
    type: 'STRING' as const,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 50 }));
}

/** A workbook as far as anybody looks: the mark of a ZIP archive, and the name of a member. */
const workbook = new TextEncoder().encode(`PK\x03\x04${'x'.repeat(60)}xl/workbook.xml`);

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
  }, 60_000);

  it('as datasets too', async () => {
    const identify = async (synthetic: string) => {
      const { code, stdout, stderr } = await synthrisk(directory, [
        ...[
          'identify',
          'table.parquet',
          '--synthetic',
          synthetic,
          '--known',
          'region',
          '--synthesized',
          'education',
          '--json',
          '--quiet',
        ],
      ]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    put('other.parquet', parquetOf(smallTable({ records: 120, seed: 4 })));
    put('other.csv', smallTable({ records: 120, seed: 4 }));
    expect(await identify('other.parquet')).toEqual(await identify('other.csv'));
  }, 60_000);

  it('but not when gzip ends early', async () => {
    put('cut.csv.gz', gzipSync(readFileSync(join(directory, 'table.csv'))).subarray(0, -20));
    const { code, stderr } = await synthrisk(directory, ['plan', 'cut.csv.gz']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/gzip and is damaged or ends early/);
  });
});

describe('a table that R wrote', () => {
  // By nanoparquet 0.5.1 in R 4.2: factors, whole numbers and doubles of the first 120 households, in three row groups.
  // No registry of packages that tests reach has nanoparquet or arrow for R.
  const written = fileURLToPath(new URL('files/household-by-r.parquet', import.meta.url));

  it('is read as the CSV of the same records', async () => {
    writeFileSync(join(directory, 'household.csv'), householdNumbers(1, 120));
    const describeColumns = async (table: string) => {
      const { code, stdout } = await synthrisk(directory, ['plan', table, '--describe', '--json']);
      expect(code).toBe(0);
      return JSON.parse(stdout).columns;
    };
    const columns = await describeColumns(written);
    expect(columns).toHaveLength(7);
    expect(columns).toEqual(await describeColumns('household.csv'));
  });
});

describe('a workbook is refused by name, with what exports it', () => {
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
    ['cloud', 'submit', other],
  ])('%s %s', async (...args) => {
    const { code, stdout, stderr } = await synthrisk(directory, args);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('The file is an Excel workbook');
    expect(stderr).toContain('In R: write.csv(readxl::read_excel("FILE"), "table.csv"');
    expect(stderr).toContain('In Python: import pandas; pandas.read_excel("FILE", dtype=str)');
  });
});
