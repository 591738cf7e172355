import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { runNumpy } from './programs.ts';

const directory = temporaryFolder();
const at = (...path: string[]) => join(directory, ...path);
const MEMBERSHIP_BITS = fileURLToPath(new URL('exact/membership_bits.py', import.meta.url));

/** Standard errors by which a figure may differ. */
const BOUND = 4;
const NAMES = ['v0', 'v1', 'v2'];
const rowsOf = (records: readonly string[]) => records.map((record) => [...record].map((digit) => `c${digit}`));

const config = {
  model: { classes: 3, concentration: { value: 0.7 } },
  mcmc: { chains: 32, burnIn: 50, draws: 250, thin: 2, pairedChains: 32, pairedDraws: 250, pairedThin: 4 },
  synthesis: { datasets: 2 },
  utility: 'off',
  variables: { v0: { categories: ['c0', 'c1'] }, v1: { categories: ['c0', 'c1', 'c2'] }, v2: { categories: ['c0', 'c1', 'c3'] } },
};

it('the bits of five records and of a control are what a program in Python finds by enumeration', async () => {
  writeFileSync(at('table.csv'), encodeCsv(NAMES, rowsOf(['003', '123', '001', '110', '023'])));
  writeFileSync(at('control.csv'), encodeCsv(NAMES, rowsOf(['013', '121', '100', '020', '103', '111'])));
  writeFileSync(at('config.json'), JSON.stringify(config));
  const evaluate = ['evaluate', 'table.csv', '--config', 'config.json', '--control', 'control.csv', '--out', 'run', '--quiet'];
  const { code, stderr } = await synthrisk(directory, evaluate);
  expect(code, stderr).toBe(0);
  const python = runNumpy(MEMBERSHIP_BITS, ...['run', 'table.csv', 'config.json', 'control.csv'].map((path) => at(path)));
  expect(python, python.output).toMatchObject({ code: 0 });
  const exact: Record<'members' | 'control' | 'absent', number[]> = JSON.parse(python.output);
  /** By how many of its own errors each figure of a table differs. */
  const apart = (table: string, expected: readonly number[]) => {
    const [header, ...lines] = csvRows(readFileSync(at('run/confidential', `${table}.csv`))) as [string[], ...string[][]];
    expect(lines).toHaveLength(expected.length);
    const of = (line: readonly string[], column: string) => Number(line[header.indexOf(column)]);
    return lines.map((line, row) => Math.abs(of(line, 'membership_bits') - expected[row]!) / of(line, 'membership_bits_se'));
  };
  for (const [table, expected] of [['attribute-risk', exact.members] as const, ['control-membership', exact.control] as const]) {
    expect(Math.max(...apart(table, expected)), table).toBeLessThan(BOUND);
  }
  // The test would notice a record that is taken to be in the table once more.
  expect(Math.max(...apart('attribute-risk', exact.absent))).toBeGreaterThan(BOUND);
}, 120_000);
