import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { foundBoundsSchema } from '../../../shared/contracts/results/bounds.ts';
import { smallTable } from '../../pipeline/small-run.ts';
import { fileHashes, fileStates, filesBelow, type Outcome, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const run = (...args: string[]) => synthrisk(directory, args);
const flags = ['--synthesized', 'education', '--known', 'region', '--known', 'region,age_group'];
const inherent = (...args: string[]) => run('inherent', 'table.csv', ...flags, '--resamples', '8', ...args);

let json: Outcome;

beforeAll(async () => {
  writeFileSync(inFolder('table.csv'), smallTable());
  writeFileSync(inFolder('other.csv'), smallTable({ seed: 4 }));
  json = await inherent('--synthetic', 'table.csv', '--out', 'bounds', '--json');
  expect(json.code, json.stderr).toBe(0);
});

describe('inherent', () => {
  it('prints one JSON document, the one that it stores', () => {
    const found = foundBoundsSchema.parse(JSON.parse(json.stdout));
    expect(JSON.parse(readFileSync(inFolder('bounds', 'confidential', 'inherent.json'), 'utf8'))).toEqual(found);
    expect(found.identificationRisk.map(({ known }) => known)).toEqual([['region'], ['region', 'age_group']]);
    expect(found).toMatchObject({ resamples: 8, datasets: 1, synthesized: ['education'] });
    expect(filesBelow(inFolder('bounds'))).toEqual(
      [...['csv', 'html', 'json', 'parquet'].map((kind) => `inherent.${kind}`), ...['place-key', 'release-key']].map(
        (name) => `confidential/${name}`,
      ),
    );
  });

  it('says for a person what it found, without progress where that is not wanted', async () => {
    const told = await inherent('--synthetic', 'table.csv', '--out', 'bounds', '--quiet');
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toMatch(/Exact attribute disclosures.*\n {2}minimum {3}mean .*\n {2}maximum {3}mean /);
    expect(told.stdout).toContain('Warning (release-beyond-maximum)');
    expect(told.stdout).toContain(join('bounds', 'confidential', 'inherent.html'));
    expect(json.stderr).toContain('Measure the resamples of both bounds');
  });

  it('gives the same bytes again, and others with another seed', async () => {
    await inherent('--synthetic', 'table.csv', '--out', 'again', '--quiet');
    await inherent('--synthetic', 'table.csv', '--out', 'seeded', '--quiet', '--seed', '2');
    const hashes = (out: string) => fileHashes(inFolder(out), 'confidential/');
    expect(hashes('again')).toEqual(hashes('bounds'));
    expect(hashes('seeded')['confidential/inherent.csv']).not.toBe(hashes('bounds')['confidential/inherent.csv']);
  });

  it('takes variables and intruders from a config, and a folder named by the run', async () => {
    writeFileSync(
      inFolder('run.yaml'),
      'table: table.csv\nsynthesis: { synthesized: [education] }\nidentification: [{ name: neighbour, known: [region] }]\n',
    );
    const { code, stdout, stderr } = await run('inherent', '--config', 'run.yaml', '--resamples', '2', '--json');
    expect(code, stderr).toBe(0);
    const { runId, identificationRisk } = foundBoundsSchema.parse(JSON.parse(stdout));
    expect(identificationRisk.map(({ scenario }) => scenario)).toEqual(['neighbour']);
    expect(filesBelow(inFolder('synthrisk-runs', runId))).toContain('confidential/inherent.csv');
  });

  it('explains itself with examples', async () => {
    const { code, stdout } = await run('inherent', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    for (const flag of ['--synthesized', '--known', '--synthetic', '--radius', '--resamples', '--bands', '--seed'])
      expect(stdout).toContain(flag);
  });
});

describe('inherent refuses', () => {
  it.each([
    ['no synthesized variable', ['table.csv'], 'Name the variables that the release replaces'],
    ['a radius below 0', ['table.csv', ...flags, '--radius', 'education=-1'], 'expected a share of the value that is not negative,'],
    ['a radius without a variable', ['table.csv', ...flags, '--radius', '0.1'], ' does not take '],
    ['no resample', ['table.csv', ...flags, '--resamples', '0'], ' does not take '],
    ['no table', flags, 'Name a table: '],
    ['a dataset of other records', ['table.csv', ...flags, '--synthetic', 'other.csv'], 'rows: expected variables that are not named as'],
    ['a folder in use', ['table.csv', ...flags, '--out', 'bounds'], 'Choose an empty --out folder.'],
    ['a folder of other files', ['table.csv', ...flags, '--out', '.'], 'Choose an empty --out folder.'],
  ])('%s, and writes nothing', async (_, args, error) => {
    const before = fileStates(directory);
    const { code, stdout, stderr } = await run('inherent', ...args, '--quiet');
    expect(stderr).toContain(error);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(fileStates(directory)).toEqual(before);
  });
});
