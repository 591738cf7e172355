import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { encodeParquet } from '../../shared/table/files/write-parquet.ts';
import { csvRows, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { errorOf, filesBelow, type Outcome, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const [header, ...rows] = csvRows(smallTable({ records: 200 })) as [string[], ...string[][]];
const own = rows.slice(0, 60);
const people = rows.slice(60).filter((row) => row.every((text) => own.flat().includes(text)));
const values = [...new Set(own.flat())];

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content);
const controlOf = (run: string) => readFileSync(join(directory, run, 'confidential/control-membership.csv'), 'utf8');
const othersIn = ({ stdout }: Outcome) => (JSON.parse(stdout) as Summary).attributeRisk.map(({ membership }) => membership?.others);
const run = (...args: string[]) => synthrisk(directory, [...args, '--json', '--quiet']);

beforeAll(async () => {
  mkdirSync(join(directory, 'settings'));
  write('table.csv', encodeCsv(header, own));
  write('settings/strangers.csv', encodeCsv(header, people));
  write('settings/run.yaml', stringify({ ...SMALL_SETTINGS, utility: 'off', attributeRisk: { control: 'strangers.csv' } }));
  const { code, stderr } = await run('evaluate', 'table.csv', '--config', 'settings/run.yaml', '--out', 'run');
  expect(code, stderr).toBe(0);
});

describe('--control', () => {
  it('is read from beside the config, as CSV, gzip or Parquet alike, and is in no file of the run as text', async () => {
    expect(controlOf('run').trim().split('\n')).toHaveLength(1 + people.length);
    const columns = header.map((name, c) => ({ name, type: 'string' as const, values: people.map((row) => row[c]!) }));
    write('strangers.parquet', encodeParquet([columns.toReversed()]));
    write('strangers.csv.gz', gzipSync(encodeCsv(header, people)));
    const args = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2', '--no-utility'];
    for (const file of ['strangers.parquet', 'strangers.csv.gz']) {
      const outcome = await run(...args, '--control', file, '--out', file.slice(10));
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(othersIn(outcome)).toEqual(['control']);
      expect(controlOf(file.slice(10))).toBe(controlOf('run'));
    }
    const told = filesBelow(join(directory, 'run')).filter((path) =>
      /strangers/.test(readFileSync(join(directory, 'run', path), 'latin1')),
    );
    expect(told).toEqual([]);
  });

  it('tells no value where the same people are the table', async () => {
    write('same.csv', encodeCsv(header, own.toReversed()));
    const outcome = await run('plan', 'table.csv', '--control', 'same.csv');
    expect({ code: outcome.code, error: errorOf(outcome).code }).toEqual({ code: 2, error: 'control-overlaps-table' });
    for (const value of values) expect(outcome.stderr).not.toContain(value);
  });

  it('stays in a reassessment, which refuses another', async () => {
    const again = await run('reassess', 'run', '--config', 'settings/run.yaml', '--unknown', header[0]!, '--out', 'again');
    expect(again.code, again.stderr).toBe(0);
    expect(othersIn(again)).toEqual(['control']);
    expect(controlOf('again')).toBe(controlOf('run'));
    write('settings/fewer.csv', encodeCsv(header, people.slice(1)));
    write('settings/other.yaml', stringify({ attributeRisk: { control: 'fewer.csv' } }));
    const other = await run('reassess', 'run', '--config', 'settings/other.yaml', '--out', 'other');
    expect({ code: other.code, error: errorOf(other).code }).toEqual({ code: 2, error: 'other-control' });
  });

  it('is named again, or another, where the datasets of a run are assessed anew', async () => {
    const unnamed = await run('assess', 'table.csv', '--run', 'run', '--out', 'unnamed');
    expect({ code: unnamed.code, error: errorOf(unnamed).code }).toEqual({ code: 2, error: 'other-control' });
    const named = await run('assess', 'table.csv', '--run', 'run', '--control', 'settings/strangers.csv', '--out', 'named');
    expect(named.code, named.stderr).toBe(0);
    expect(othersIn(named)).toEqual(['control']);
  });
});
