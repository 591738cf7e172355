import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { attackSummarySchema } from '../../../shared/contracts/results/attack.ts';
import { copiesSchema } from '../../../shared/contracts/results/copies.ts';
import { encodeKey } from '../../../shared/contracts/secret-key.ts';
import { ATTACK, ATTACK_RECORDS } from '../../../shared/pipeline/attack/store-attack.ts';
import { csvRows } from '../../pipeline/small-run.ts';
import { errorOf, fileHashes, filesBelow, synthrisk, temporaryFolder } from '../../run-command.ts';
import { testKey } from '../../test-keys.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);

/** People of one population from `first` on; jobs and incomes are those of somebody `shift` on. */
const person = (i: number, from = i) =>
  `${'fm'[i % 2]},${['young', 'middle', 'old'][(i >> 1) % 3]},${'abc'[(from * 7 + (from >> 3)) % 3]},${1000 + ((from * 7919) % 9973)}`;
const people = (first: number, records: number, shift = 0) =>
  Array.from({ length: records }, (_, i) => person(first + i, first + i + shift));
const put = (name: string, lines: readonly string[], header = 'SEX,AGE,JOB,INCOME') =>
  writeFileSync(inFolder(name), `${[header, ...lines].join('\n')}\n`);

const KNOWN = ['--keys', 'SEX,AGE', '--target', 'JOB,INCOME'];
const attack = (...args: string[]) => synthrisk(directory, ['attack', 'table.csv', ...args]);

beforeAll(() => {
  put('table.csv', people(0, 240));
  put('z1.csv', people(0, 240, 1));
  put('z2.csv', people(0, 200, 5));
  put('control.csv', people(5000, 120));
  put('copy.csv', people(0, 240).reverse());
  put('overlap.csv', [...people(5000, 60), ...people(100, 60)]);
  put('other.csv', people(0, 240), 'SEX,AGE,WORK,INCOME');
  put('category.csv', ['f,young,PLANTED,1000', ...people(1, 239)]);
  put('gaps.csv', ['f,young,,1000', ...people(1, 239)]);
  writeFileSync(
    inFolder('run.yaml'),
    'attack: { keys: [SEX, AGE], target: [JOB], attempts: 50, linkability: [[SEX, INCOME], [AGE, JOB]] }\n',
  );
  writeFileSync(inFolder('wrong.yaml'), 'attack: { keys: [SEX], target: [JOB], PLANTED: 3 }\n');
  writeFileSync(inFolder('key'), encodeKey(testKey(2)));
  mkdirSync(inFolder('used'));
  writeFileSync(inFolder('used', 'notes.txt'), 'x');
});

describe('attack', () => {
  it('prints a document of all measures', async () => {
    const { code, stdout, stderr } = await attack(
      ...['--synthetic', 'z1.csv', 'z2.csv', '--control', 'control.csv', ...KNOWN],
      ...['--attempts', '60', '--sampling-fraction', '0.1', '--rapid-threshold', '0.4', '--json', '--quiet'],
    );
    expect(code, stderr).toBe(0);
    const found = attackSummarySchema.extend({ copies: copiesSchema }).parse(JSON.parse(stdout));
    expect(found).toMatchObject({
      records: 240,
      controlRecords: 120,
      datasets: 2,
      keys: ['SEX', 'AGE'],
      target: ['JOB', 'INCOME'],
      banded: ['INCOME'],
      samplingFraction: 0.1,
      disFraction: 0.1,
    });
    expect(found.inference.every(({ attempts, control }) => attempts === 60 && control !== null)).toBe(true);
    // Jobs and incomes are other people's, and say no more of the table than of the control.
    expect(found.nearestNeighbour.shareCloserThanControl).toBeGreaterThan(0.3);
    expect(found.rapid).toMatchObject([
      { target: 'JOB', method: 'RCS_marginal', threshold: 0.4, records: 240, controlRecords: 120, rows: 240 },
      { target: 'INCOME', method: 'symmetric', threshold: 0.1, records: 240, controlRecords: 120 },
    ]);
    for (const { difference, differenceSe } of found.rapid) expect(Math.abs(difference!)).toBeLessThan(4 * differenceSe!);
    expect(found.membership!.map(({ test, members, others }) => [test, members, others])).toEqual(
      ['closestRecord', 'domias', 'classifier'].map((test) => [test, 240, 60]),
    );
  });

  it('has the TCAP of synthpop 1.9-3, and TCAP_alt, on a table that is counted by hand', async () => {
    const tenTimes = (rows: readonly string[]) => rows.flatMap((row) => Array.from({ length: 10 }, () => row));
    // The dataset has one job for the keys a and b, true for twenty of thirty records, and two for c.
    put('hand.csv', tenTimes(['a,x', 'a,x', 'b,y', 'c,y']), 'KEY,JOB');
    put('hand-z.csv', tenTimes(['a,x', 'b,x', 'c,x', 'c,y']), 'KEY,JOB');
    const args = ['attack', 'hand.csv', '--synthetic', 'hand-z.csv', '--keys', 'KEY', '--target', 'JOB'];
    const { code, stdout, stderr } = await synthrisk(directory, [...args, '--json', '--quiet']);
    expect(code, stderr).toBe(0);
    const document = attackSummarySchema.extend({ copies: copiesSchema }).parse(JSON.parse(stdout));
    const [found] = document.disclosure;
    expect(found!.mean).toMatchObject({ iS: 1, DiS: 0.75, DiSCO: 0.5, TCAP_alt: 0.5, TCAP: 2 / 3 });
    const lines = await synthrisk(directory, args);
    expect(lines.stdout).toMatch(/TCAP 66\.7.% \(of all whose keys are found, TCAP_alt, 50\.0.%\)/);
  });

  it('names a variable with a comma in its name so that it is not taken for two', async () => {
    const header = 'SEX,"AGE, in bands",JOB,INCOME';
    put('comma.csv', people(0, 240), header);
    put('comma-z.csv', people(0, 240, 1), header);
    const flags = ['--keys', 'SEX,"AGE, in bands"', '--target', 'JOB', '--attempts', '30', '--out', 'comma', '--quiet'];
    const { code, stdout, stderr } = await synthrisk(directory, ['attack', 'comma.csv', '--synthetic', 'comma-z.csv', ...flags]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('known SEX, "AGE, in bands"; sought JOB');
    expect(readFileSync(inFolder('comma', 'confidential', 'attack.html'), 'utf8')).toContain('SEX, &quot;AGE, in bands&quot;');
  });

  it('tells a person the figures and why some are not known, and no value of the table', async () => {
    const { code, stdout, stderr } = await attack('--config', 'run.yaml', '--synthetic', 'z1.csv');
    expect(code, stderr).toBe(0);
    for (const text of [
      'DiSCO',
      'singling out, univariate',
      'linkability',
      'inference of JOB',
      'Learned intruder (RAPID): 100 trees',
      'no control to compare with',
      'privacy loss not known without a control',
      'delta-presence',
      'bits; no record is alone in the table with its keys',
      'SUDA',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).toContain('There is no control');
    expect(stdout).toContain('Tests of who is in the table: none. It needs records');
    expect(stdout).toContain('No errors over releases: One dataset');
    expect(stdout).not.toMatch(/young|middle|\bold\b/);
    expect(stderr).not.toMatch(/young|middle|\bold\b/);
  });

  it('writes the document, tables and a page, with the same bytes for the same key', async () => {
    const write = async (out: string) => {
      const { code, stderr } = await attack(
        ...['--synthetic', 'z1.csv', 'z2.csv', '--control', 'control.csv', ...KNOWN],
        ...['--attempts', '50', '--release-key', 'key', '--out', out],
      );
      expect(code, stderr).toBe(0);
      return fileHashes(inFolder(out));
    };
    const first = await write('one');
    expect(await write('two')).toEqual(first);
    const stem = (name: string) => join('confidential', name);
    expect(filesBelow(inFolder('one')).sort()).toEqual(
      [...['attack-records.csv', 'attack-records.parquet', 'attack.csv', 'attack.html', 'attack.json'], 'attack.parquet'].map(stem),
    );
    const document = JSON.parse(readFileSync(inFolder('one', stem('attack.json')), 'utf8'));
    const [header, ...figures] = csvRows(readFileSync(inFolder('one', stem('attack.csv'))));
    expect(header).toEqual(Object.keys(ATTACK.columns));
    const risk = figures.find(([measure, item, dataset, figure]) => `${measure} ${item} ${dataset} ${figure}` === 'inference JOB 2 risk');
    expect(Number(risk![4])).toBe(document.inference[2].risk);
    const beyond = figures.find(([measure, item, , figure]) => `${measure} ${item} ${figure}` === 'rapid INCOME differenceSe');
    expect(Number(beyond![4])).toBe(document.rapid[1].differenceSe);
    const [columns, ...records] = csvRows(readFileSync(inFolder('one', stem('attack-records.csv'))));
    expect(columns).toEqual(Object.keys(ATTACK_RECORDS.columns));
    expect(records).toHaveLength(240 * 2);
    const least = figures.find(
      ([measure, item, dataset, figure]) => `${measure} ${item} ${dataset} ${figure}` === 'diversity JOB 2 entropyL',
    );
    expect(Number(least![4])).toBe(document.keyCounts.release[1].diversity[0].entropyL);
    const scores = records.filter(([, target]) => target === 'INCOME').map((row) => Number(row[columns!.indexOf('rapid_score')]));
    expect(scores.filter((error) => error < 0.1).length / 240).toBeCloseTo(document.rapid[1].confidenceRate, 12);
    const page = readFileSync(inFolder('one', stem('attack.html')), 'utf8');
    for (const id of ['disclosure', 'attacks', 'rapid', 'nearest', 'membership', 'riskutility', 'key-counts', 'readings']) {
      expect(page).toContain(`id="${id}"`);
    }
    expect(page).toContain('<svg');
    expect(page).toContain('no record is alone');
    expect(page).not.toMatch(/NaN|undefined|young/);
  });

  it('tells members of a copied table from the control, and who could do better', async () => {
    const { code, stdout, stderr } = await attack('--synthetic', 'copy.csv', '--control', 'control.csv', ...KNOWN, '--attempts', '20');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Tests of who is in the table: 240 records of the table, 60 of the control');
    expect(stdout).toMatch(/distance to the closest record: AUC (1|0\.9\d+)/);
    expect(stdout).toContain('The strongest intruder knows all other records');
  });

  it('makes a category of missing values where it is told to', async () => {
    const { code, stderr } = await attack(...['--synthetic', 'z1.csv', '--missing', 'category', ...KNOWN, '--attempts', '20', '--quiet']);
    expect(code, stderr).toBe(0);
  });

  it.each([
    ['no datasets', KNOWN, 'no-datasets'],
    ['no keys', ['--synthetic', 'z1.csv', '--target', 'JOB'], 'no-keys'],
    ['no target', ['--synthetic', 'z1.csv', '--keys', 'SEX'], 'no-target'],
    ['a key that there is not', ['--synthetic', 'z1.csv', '--keys', 'NONE', '--target', 'JOB'], 'unknown-variable'],
    ['a key twice', ['--synthetic', 'z1.csv', '--keys', 'SEX,SEX', '--target', 'JOB'], 'repeated-variable'],
    [
      'a tolerance for categories',
      ['--synthetic', 'z1.csv', '--keys', 'SEX', '--target', 'JOB', '--rapid-tolerance', '0.2'],
      'unused-rule',
    ],
    ['a key as target', ['--synthetic', 'z1.csv', '--keys', 'SEX', '--target', 'SEX'], 'key-and-target'],
    ['other columns', ['--synthetic', 'other.csv', ...KNOWN], 'absent-variable'],
    ['other categories', ['--synthetic', 'category.csv', ...KNOWN], 'value-outside-categories'],
    ['missing values', ['--synthetic', 'gaps.csv', ...KNOWN], 'missing-values'],
    ['a control of other columns', ['--synthetic', 'z1.csv', '--control', 'other.csv', ...KNOWN], 'absent-variable'],
    ['the table as its control', ['--synthetic', 'z1.csv', '--control', 'table.csv', ...KNOWN], 'control-overlaps-table'],
    ['a control with records of the table', ['--synthetic', 'z1.csv', '--control', 'overlap.csv', ...KNOWN], 'control-overlaps-table'],
    ['a sampling fraction above 1', ['--synthetic', 'z1.csv', ...KNOWN, '--sampling-fraction', '2'], 'invalid-argument'],
    ['a field that there is not', ['--synthetic', 'z1.csv', '--config', 'wrong.yaml'], 'invalid-config'],
    ['a file that there is not', ['--synthetic', 'none.csv', ...KNOWN], 'unreadable-file'],
    ['a folder in use', ['--synthetic', 'z1.csv', ...KNOWN, '--out', 'used'], 'folder-in-use'],
  ])('refuses %s, and repeats no value', async (_, args, code) => {
    const outcome = await attack(...args, '--json');
    expect([outcome.code, errorOf(outcome).code]).toEqual([2, code]);
    expect(outcome.stderr).toMatch(/^(❯ .*\n)*Error: /);
    expect(outcome.stdout + outcome.stderr).not.toContain('PLANTED');
  });
});
