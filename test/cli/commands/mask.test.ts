import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../cli/run/folder-lock.ts';
import { maskingResultSchema } from '../../../shared/contracts/results/masking.ts';
import { csvRows, mixedTable } from '../../pipeline/small-run.ts';
import { errorOf, fileHashes, filesBelow, type Outcome, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const mask = (...args: string[]) => synthrisk(directory, ['mask', 'table.csv', ...args]);
const rowsOf = (...path: string[]) => csvRows(readFileSync(inFolder(...path)));
const NUMBERS = 'variables: { age: { type: continuous }, income: { type: continuous } }\n';

let json: Outcome;

beforeAll(async () => {
  writeFileSync(inFolder('table.csv'), mixedTable());
  writeFileSync(inFolder('numbers.yaml'), NUMBERS);
  json = await mask('--method', 'mdav', '--k', '4', '--config', 'numbers.yaml', '--out', 'mdav', '--json');
  expect(json.code, json.stderr).toBe(0);
});

describe('mask', () => {
  it('waits for nobody at work on its folder, and leaves what that one writes', async () => {
    const lock = await lockFolder(inFolder('busy'));
    mkdirSync(inFolder('busy', '.tmp'));
    writeFileSync(inFolder('busy', '.tmp', 'half'), 'half');
    const outcome = await mask('--method', 'mdav', '--k', '4', '--config', 'numbers.yaml', '--out', 'busy', '--json');
    await lock.release();
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome)).toMatchObject({ code: 'run-under-way' });
    expect(readFileSync(inFolder('busy', '.tmp', 'half'), 'utf8')).toBe('half');
  });

  it('prints one JSON document, the one that it stores, beside the masked file', () => {
    const found = maskingResultSchema.parse(JSON.parse(json.stdout));
    expect(JSON.parse(readFileSync(inFolder('mdav', 'confidential', 'masking.json'), 'utf8'))).toEqual(found);
    expect(found).toMatchObject({ method: 'mdav', k: 4, variables: ['age', 'income'], groups: 20, records: 80 });
    expect(found.informationLossPercent).toBeGreaterThan(0);
    expect(filesBelow(inFolder('mdav'))).toEqual([
      'confidential/masked-rows.csv',
      'confidential/masking.html',
      'confidential/masking.json',
      'confidential/place-key',
      'confidential/release-key',
      'release/masked-1.csv',
    ]);
    const [header, ...rows] = rowsOf('mdav', 'release', 'masked-1.csv');
    const [, ...table] = rowsOf('table.csv');
    expect(header).toEqual(['region', 'age', 'education', 'employment', 'income']);
    expect(rows.map((row) => row[2])).toEqual(table.map((row) => row[2]));
    expect(new Set(rows.map((row) => `${row[1]} ${row[4]}`)).size).toBe(20);
  });

  it('goes on in a folder where it was killed, and leaves nothing of what it was writing', async () => {
    mkdirSync(inFolder('killed', '.tmp'), { recursive: true });
    writeFileSync(inFolder('killed', '.tmp', 'half'), 'values');
    const { code, stderr } = await mask('--method', 'mdav', '--config', 'numbers.yaml', '--quiet', '--out', 'killed');
    expect([code, stderr]).toEqual([0, '']);
    expect(readdirSync(inFolder('killed', '.tmp'))).toEqual([]);
  });

  it('says for a person what is lost, subdomain by subdomain', async () => {
    const args = ['--method', 'rank-swap', '--p', '10', '--subdomains', 'region,income'];
    const { code, stdout, stderr } = await mask(...args, '--config', 'numbers.yaml', '--quiet', '--details', '--out', 'said');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/information loss {3}[\d.]+ %/);
    expect(stdout).toMatch(/income, 4 of 4, 20 records\n {2}means/);
    expect(stdout).toContain(join('said', 'release', 'masked-1.csv'));
  });

  it('samples before it masks, and tells which record each row is', async () => {
    const args = ['--method', 'individual-ranking', '--sample', '0.5', '--config', 'numbers.yaml'];
    const { code, stdout } = await mask(...args, '--json', '--out', 'sample');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ records: 40, k: 3, groups: 26 });
    const [header, ...rows] = rowsOf('sample', 'confidential', 'masked-rows.csv');
    expect(header).toEqual(['row', 'record']);
    const table = rowsOf('table.csv');
    const masked = rowsOf('sample', 'release', 'masked-1.csv');
    for (const [row, record] of rows) expect(masked[Number(row)]![3]).toBe(table[Number(record)]![3]);
  });

  it('swaps categories within strata, and leaves everything else', async () => {
    const args = ['--method', 'sample', '--sample', '0.99', '--swap', 'employment', '--strata', 'region'];
    expect((await mask(...args, '--json', '--out', 'swap')).code).toBe(0);
    const [, ...rows] = rowsOf('swap', 'release', 'masked-1.csv');
    const [, ...table] = rowsOf('table.csv');
    const [, ...places] = rowsOf('swap', 'confidential', 'masked-rows.csv');
    const records = places.map(([, record]) => table[Number(record) - 1]!);
    expect(rows.map((row) => row.toSpliced(3, 1))).toEqual(records.map((row) => row.toSpliced(3, 1)));
    const within = (all: string[][]) => all.map((row) => `${row[0]} ${row[3]}`).sort();
    expect(within(rows)).toEqual(within(records));
    expect(rows).not.toEqual(records);
  });

  it.each(['mdav', 'noise', 'individual-ranking', 'errors'])('swaps where %s finds nothing continuous', async (method) => {
    writeFileSync(inFolder('text.csv'), 'A,B\nx,u\ny,v\nx,u\ny,v\n');
    const { code, stdout } = await synthrisk(directory, ['mask', 'text.csv', '--method', method, '--swap', 'A', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ variables: [], swapped: ['A'], informationLossPercent: null, groups: null });
  });

  it('says that a sample masks nothing, and who has nobody to trade categories with', async () => {
    const args = ['--method', 'sample', '--sample', '0.5', '--swap', 'region', '--strata', 'income', '--config', 'numbers.yaml'];
    const found = JSON.parse((await mask(...args, '--json', '--out', 'alone')).stdout);
    expect(found).toMatchObject({ variables: [], informationLossPercent: null });
    const [, ...rows] = rowsOf('alone', 'release', 'masked-1.csv');
    const incomes = rows.map((row) => row[4]);
    const alone = incomes.filter((income) => incomes.indexOf(income) === incomes.lastIndexOf(income)).length;
    expect(alone).toBeGreaterThan(0);
    expect(found.warnings.find(({ code }: { code: string }) => code === 'alone-in-strata').message).toMatch(
      new RegExp(`^${alone}\\srecords? of 40: `),
    );
  });

  it('gives the same bytes under the same key, and others under another seed', async () => {
    const args = ['--method', 'noise', '--config', 'numbers.yaml', '--quiet'];
    for (const [out, seed] of [
      ['one', '1'],
      ['again', '1'],
      ['other', '2'],
    ] as const)
      expect((await mask(...args, '--out', out, '--seed', seed)).code).toBe(0);
    const hashes = (out: string) => fileHashes(inFolder(out), 'release/');
    expect(hashes('again')).toEqual(hashes('one'));
    expect(hashes('other')).not.toEqual(hashes('one'));
  });

  it('explains itself with examples', async () => {
    const { code, stdout } = await synthrisk(directory, ['mask', '--help']);
    expect(code).toBe(0);
    for (const flag of ['Examples:', '--method', '--k', '--p', '--variables', '--strata']) expect(stdout).toContain(flag);
  });
});

describe('mask refuses', () => {
  const numbers = ['--config', 'numbers.yaml'];

  it('on standard error alone, and names the flag', async () => {
    const { code, stdout, stderr } = await mask('--method', 'mdav', '--variables', 'age,', ...numbers);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Error: --variables <names> does not take 'age,': expected .* none of them empty/m);
  });

  it.each([
    ['k above the records', ['--method', 'mdav', '--k', '81', ...numbers], 'k-above-records'],
    ['k of one', ['--method', 'mdav', '--k', '1', ...numbers], 'invalid-masking'],
    ['p of 0', ['--method', 'rank-swap', '--p', '0', ...numbers], 'invalid-masking'],
    ['p of 100', ['--method', 'rank-swap', '--p', '100', ...numbers], 'invalid-masking'],
    ['p of less than a rank', ['--method', 'rank-swap', '--p', '1', ...numbers], 'window-too-narrow'],
    ['a negative noise', ['--method', 'noise', '--noise', '-1', ...numbers], 'invalid-masking'],
    ['a sample without its share', ['--method', 'sample', ...numbers], 'no-sample-share'],
    ['a sample of one', ['--method', 'sample', '--sample', '0.01', ...numbers], 'sample-too-small'],
    ['too few errors', ['--method', 'errors', '--errors', '0.1', ...numbers], 'no-variable-in-error'],
    ['a setting of another method', ['--method', 'mdav', '--p', '5', ...numbers], 'flag-of-other-method'],
    ['variables of a sample', ['--method', 'sample', '--sample', '0.5', '--variables', 'age', ...numbers], 'flag-of-other-method'],
    ['an unknown variable', ['--method', 'mdav', '--variables', 'wage', ...numbers], 'unknown-variable'],
    ['a variable twice', ['--method', 'mdav', '--variables', 'age,age', ...numbers], 'repeated-variable'],
    ['a text column', ['--method', 'mdav', '--variables', 'region', ...numbers], 'not-continuous'],
    ['numbers to swap', ['--method', 'mdav', '--swap', 'income', ...numbers], 'not-categorical'],
    ['strata without swaps', ['--method', 'mdav', '--strata', 'region', ...numbers], 'strata-without-swap'],
    ['a swap within itself', ['--method', 'mdav', '--swap', 'region', '--strata', 'region', ...numbers], 'swap-in-strata'],
    ['a folder in use', ['--method', 'mdav', '--out', 'mdav', ...numbers], 'folder-in-use'],
  ])('%s', async (_, args, code) => {
    const outcome = await mask(...args, '--json');
    expect([outcome.code, errorOf(outcome).code]).toEqual([2, code]);
    expect(outcome.stderr).toMatch(/^Error: /);
    // The document of the error is all that standard output holds.
    expect(Object.keys(JSON.parse(outcome.stdout))).toEqual(['error', 'exitCode']);
  });

  it.each([
    ['missing values', 'A,B\n1.5,2\n,3\n2.5,4\n', 'missing-values'],
    ['constant variables', 'A,B\n7,2\n7,3\n7,4\n', 'constant-variable'],
    ['text alone', 'A,B\nx,u\ny,v\nx,u\n', 'nothing-to-mask'],
    ['text among numbers', 'A,B\n1,2\nmany,3\n2,4\n', 'not-a-number'],
  ])('%s', async (_, table, code) => {
    writeFileSync(inFolder('bad.csv'), table);
    const type = code === 'nothing-to-mask' ? 'categorical' : 'continuous';
    writeFileSync(inFolder('bad.yaml'), `variables: { A: { type: ${type} }, B: { type: ${type} } }\n`);
    const args = ['mask', 'bad.csv', '--method', 'mdav', '--k', '2', '--config', 'bad.yaml'];
    const outcome = await synthrisk(directory, [...args, '--json']);
    expect([outcome.code, errorOf(outcome).code]).toEqual([2, code]);
  });
});
