import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { increaseTableSchema, privacyEvaluationSchema } from '../../../../shared/contracts/results/differential-privacy.ts';
import { errorOf, fileHashes, filesBelow, synthrisk, temporaryFolder } from '../../../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const run = (...args: string[]) => synthrisk(directory, ['dp', ...args]);
const csv = (...path: string[]) =>
  readFileSync(inFolder(...path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));

describe('dp table', () => {
  it('prints the 24 entries of Table 1 of McClure & Reiter 2012 as JSON', async () => {
    const { code, stdout } = await run('table', '--json', '--quiet');
    expect(code).toBe(0);
    const { rows } = increaseTableSchema.parse(JSON.parse(stdout));
    expect(rows).toHaveLength(24);
    expect(rows[0]).toMatchObject({ p0: 0.001, epsilon: 1000, n: 1000, prior: 0.5 });
    expect(rows[0]!.expectedIncrease).toBeCloseTo(0.125, 3);
    expect(rows.at(-1)).toMatchObject({ p0: 0.999, epsilon: 0.01 });
  });

  it('prints others for a person', async () => {
    const { code, stdout, stderr } = await run(
      ...['table', '--p0', '0.01,0.2', '--epsilon', '4', '--n', '50', '--prior', '0.1', '--quiet'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('n = 50, prior probability 0.1');
    expect(stdout).toMatch(/p0 \\ epsilon +4\n +0\.01 +0\.\d+\n +0\.2 +0\.\d+\n/);
  });
});

describe('dp evaluate', () => {
  it('writes the series of each figure, a page and the document that it prints', async () => {
    const { code, stdout, stderr } = await run(
      ...['evaluate', '--n', '60', '--epsilon', '100,2', '--replicates', '3', '--out', 'found', '--json'],
    );
    expect(code, stderr).toBe(0);
    const found = privacyEvaluationSchema.parse(JSON.parse(stdout));
    expect(JSON.parse(readFileSync(inFolder('found', 'evaluation.json'), 'utf8'))).toEqual(found);
    expect(found.scenarios.map(({ p0, epsilon, pairs }) => [p0, epsilon, pairs.length])).toEqual([
      [0.5, 100, 3],
      [0.5, 2, 3],
      [0.001, 100, 3],
      [0.001, 2, 3],
    ]);
    expect(filesBelow(inFolder('found'))).toEqual([
      ...['evaluation.html', 'evaluation.json'],
      ...[1, 2, 3, 4].map((figure) => `figure-${figure}.csv`),
    ]);
    const [header, ...points] = csv('found', 'figure-2.csv');
    expect(points).toHaveLength(6);
    const first = found.scenarios[2]!.pairs[0]!;
    const point = Object.fromEntries(header!.map((name, column) => [name, Number(points[0]![column])]));
    expect(point).toMatchObject({
      p0: 0.001,
      utility_loss: first.utilityLoss,
      risk: first.absolute,
      privacy_loss: Math.abs(first.logBayesFactor),
    });
    const [, ...curves] = csv('found', 'figure-4.csv');
    expect(curves).toHaveLength(6000);
    expect(stderr).toContain('Simulate tables');
  });

  it('gives the same bytes again, and others by another seed', async () => {
    const small = ['evaluate', '--n', '40', '--epsilon', '5', '--p0', '0.3', '--replicates', '2', '--quiet'];
    await run(...small, '--out', 'once');
    await run(...small, '--out', 'again');
    await run(...small, '--out', 'seeded', '--seed', '2');
    expect(fileHashes(inFolder('again'), '')).toEqual(fileHashes(inFolder('once'), ''));
    expect(fileHashes(inFolder('seeded'), '')['figure-1.csv']).not.toBe(fileHashes(inFolder('once'), '')['figure-1.csv']);
  });

  it('tells a person where the figures are, on a page that is not called confidential', async () => {
    const { stdout } = await run('evaluate', '--n', '30', '--p0', '0.2', '--epsilon', '1', '--quiet');
    const folder = join('synthrisk-runs', 'dp-1');
    expect(stdout).toContain(join(folder, 'evaluation.html'));
    const page = readFileSync(inFolder(folder, 'evaluation.html'), 'utf8');
    expect(page).not.toContain('Confidential');
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).toContain('Figure 2. Relative and absolute risk');
  });
});

describe('dp', () => {
  it.each([['table'], ['evaluate']])('explains %s with examples', async (command) => {
    const { code, stdout } = await run(command, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    for (const flag of ['--p0', '--epsilon', '--n <', '--prior', '--json']) expect(stdout).toContain(flag);
  });

  it.each([
    ['an epsilon of 0', ['--epsilon', '0'], 'invalid-epsilon'],
    ['an infinite epsilon', ['--epsilon', 'Infinity'], 'invalid-epsilon'],
    ['an epsilon too large to be a number', ['--epsilon', '1e999'], 'invalid-epsilon'],
    ['a negative epsilon', ['--epsilon', '2,-1'], 'invalid-epsilon'],
    ['an epsilon that leaves no count to add', ['--epsilon', '1e7'], 'invalid-epsilon'],
    ['a population without a 1', ['--p0', '0'], 'invalid-probability'],
    ['a population of 1s', ['--p0', '0.5,1'], 'invalid-probability'],
    ['a population that is none', ['--p0', ''], 'invalid-probability'],
    ['half a record', ['--n', '2.5'], 'invalid-records'],
    ['no record', ['--n', '0'], 'invalid-records'],
    ['two numbers of records', ['--n', '10,20'], 'invalid-records'],
    ['a certain prior', ['--prior', '1'], 'invalid-prior'],
    ['an epsilon that is there twice', ['--epsilon', '1,2,1.0'], 'repeated-value'],
    ['a population that is there twice', ['--p0', '0.3,.3'], 'repeated-value'],
  ])('refuses %s', async (_, flags, errorCode) => {
    for (const command of ['table', 'evaluate']) {
      const outcome = await run(command, ...flags, '--json');
      expect([outcome.code, errorOf(outcome).code]).toEqual([2, errorCode]);
    }
  });

  it('refuses a folder that holds files', async () => {
    writeFileSync(inFolder('file'), '');
    const { code, stderr } = await run('evaluate', '--out', '.');
    expect(code).toBe(2);
    expect(stderr).toContain('Choose an empty --out folder.');
  });
});
