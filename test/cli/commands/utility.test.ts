import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { copiesSchema } from '../../../shared/contracts/results/copies.ts';
import { utilitySummarySchema } from '../../../shared/contracts/results/utility.ts';
import { encodeKey } from '../../../shared/contracts/secret-key.ts';
import { csvRows } from '../../pipeline/small-run.ts';
import { errorOf, fileHashes, filesBelow, synthrisk, temporaryFolder } from '../../run-command.ts';
import { testKey } from '../../test-keys.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);

/** 240 records; in a dataset jobs and incomes are those of a record `shift` on. */
const row = (i: number, from = i) =>
  `${'fm'[i % 2]},${['young', 'middle', 'old'][(i >> 1) % 3]},${'abc'[(from * 7 + (from >> 3)) % 3]},${1000 + ((from * 37) % 997)}`;
const rows = (shift: number) => Array.from({ length: 240 }, (_, i) => row(i, i + shift));
const put = (name: string, lines: readonly string[], header = 'SEX,AGE,JOB,INCOME') =>
  writeFileSync(inFolder(name), `${[header, ...lines].join('\n')}\n`);

const CONFIG = `variables:
  AGE: { categories: [young, middle, old], ordered: true }
utility:
  propensity: [main, tree]
  permutations: 2
  regressions: ["AGE ~ SEX + JOB", "JOB == a ~ SEX * AGE"]
  patterns: { by: [SEX], of: [JOB] }
`;

const utility = (...args: string[]) => synthrisk(directory, ['utility', 'table.csv', ...args]);
const measured = async (...args: string[]) => {
  const { code, stdout, stderr } = await utility(...args, '--json', '--quiet');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

beforeAll(() => {
  put('table.csv', rows(0));
  put('z1.csv', rows(1));
  put('z2.csv', rows(5));
  put('short.csv', rows(1).slice(1));
  put('shuffled.csv', rows(1).toReversed());
  put('other.csv', rows(1), 'SEX,AGE,WORK,INCOME');
  put('category.csv', ['f,young,PLANTED,1000', ...rows(1).slice(1)]);
  writeFileSync(inFolder('run.yaml'), CONFIG);
  writeFileSync(inFolder('off.yaml'), 'utility: off\n');
  writeFileSync(inFolder('key'), encodeKey(testKey(2)));
  mkdirSync(inFolder('used'));
  writeFileSync(inFolder('used', 'notes.txt'), 'x');
});

describe('utility', () => {
  it('prints a document of all measures, the synthesized variables found in the data', async () => {
    const found = await measured('--synthetic', 'z1.csv', 'z2.csv');
    expect(utilitySummarySchema.extend({ copies: copiesSchema }).parse(found)).toMatchObject({
      records: 240,
      datasets: 2,
      kind: 'partial',
      synthesized: ['JOB', 'INCOME'],
      patterns: { by: ['SEX', 'AGE'] },
    });
  });

  it('takes datasets of another size for fully synthetic', async () => {
    expect(await measured('--synthetic', 'short.csv', 'z2.csv')).toMatchObject({ kind: 'full', patterns: null });
  });

  it('tells a person the figures, and what was noticed', async () => {
    const { code, stdout, stderr } = await utility('--config', 'run.yaml', '--synthetic', 'z1.csv', 'z2.csv');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('AGE ~ SEX + JOB (ordered)');
    expect(stdout).toContain('SEX (coefficient 1): ');
    expect(stdout).toContain('classification tree');
    expect(stdout).toContain('JOB within 2 patterns of SEX');
    expect(stderr).toContain('the program assumes row i to be record i: SEX, AGE');
  });

  it('prints no category but those of a formula that was typed, which the stored document has', async () => {
    // Of terms with a number and a category the number alone is a name.
    const asked = ['--regression', 'AGE == old ~ SEX * JOB', '--regression', 'AGE == old ~ INCOME * SEX', '--patterns', 'AGE=SEX'];
    for (const args of [
      ['z1.csv', 'z2.csv'],
      ['short.csv'],
      ['z1.csv', '--config', 'run.yaml'],
      ['table.csv', '--synthesized', 'JOB,AGE', ...asked],
    ]) {
      const told = await utility('--synthetic', ...args, '--quiet');
      const json = await utility('--synthetic', ...args, '--quiet', '--json');
      for (const { code, stdout, stderr } of [told, json]) {
        expect(code, stderr).toBe(0);
        expect(stdout).not.toMatch(/young|middle|(SEX|AGE|JOB)=|"value"/);
      }
      utilitySummarySchema.extend({ copies: copiesSchema }).parse(JSON.parse(json.stdout));
    }
    const stored = await utility('--config', 'run.yaml', '--synthetic', 'z1.csv', '--out', 'whole', '--quiet');
    expect(stored.code, stored.stderr).toBe(0);
    const document = JSON.parse(readFileSync(inFolder('whole', 'confidential', 'utility.json'), 'utf8'));
    const terms = document.regressions[0].coefficients.map(({ term }: { term: string }) => term);
    expect(terms).toContain('young|middle');
    expect(document.patterns.variables[0].shown[0].values[0]).toHaveProperty('value');
  });

  it('tells in one line of the regressions that nobody asked for, of which the document has all', async () => {
    const { code, stdout, stderr } = await utility('--synthetic', 'z1.csv', 'z2.csv', '--quiet');
    expect(code, stderr).toBe(0);
    const { regressions } = await measured('--synthetic', 'z1.csv', 'z2.csv');
    const [line, ...others] = stdout.split('\n').filter((one) => one.includes('intervals overlap'));
    expect(others).toEqual([]);
    expect(line).toContain(`${regressions.length} regressions of one variable on the others`);
    expect(line).toMatch(/least of (JOB|INCOME) \(/);
    expect(stdout).not.toContain(' ~ ');
  });

  it('does not take intervals that one dataset does not have for intervals apart', async () => {
    const { code, stdout, stderr } = await utility('--synthetic', 'z1.csv', '--regression', 'INCOME ~ AGE', '--quiet');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^ {2}INCOME ~ AGE \(.*\): no interval could be compared;/m);
    expect(stdout).toMatch(/coefficients without: .*one dataset does not tell how datasets differ/);
    const ofAll = await utility('--synthetic', 'z1.csv', '--quiet');
    expect(ofAll.stdout).toMatch(/regressions of one variable on the others: no interval could be compared; the report says why$/m);
    expect(stdout + ofAll.stdout).not.toContain('overlap by');
  });

  it('writes the document, every figure as a table and a page, with the same bytes for the same key', async () => {
    const write = async (out: string) => {
      const { code, stderr } = await utility(
        ...['--config', 'run.yaml', '--synthetic', 'z1.csv', 'z2.csv'],
        ...['--release-key', 'key', '--out', out],
      );
      expect(code, stderr).toBe(0);
      return fileHashes(inFolder(out));
    };
    const first = await write('one');
    expect(await write('two')).toEqual(first);
    expect(filesBelow(inFolder('one')).sort()).toEqual(
      ['csv', 'html', 'json', 'parquet'].map((type) => join('confidential', `utility.${type}`)),
    );
    const document = JSON.parse(readFileSync(inFolder('one', 'confidential', 'utility.json'), 'utf8'));
    const page = readFileSync(inFolder('one', 'confidential', 'utility.html'), 'utf8');
    expect(page).toContain('JOB == a ~ SEX * AGE');
    expect(page.match(/<svg/g)!.length).toBeGreaterThanOrEqual(2);
    const [header, ...figures] = csvRows(readFileSync(inFolder('one', 'confidential', 'utility.csv')));
    expect(header).toEqual(['measure', 'item', 'dataset', 'figure', 'value']);
    const pmse = figures.find(([name, , dataset, figure]) => `${name} ${dataset} ${figure}` === 'propensity 2 pmse');
    expect(Number(pmse![4])).toBe(document.propensity[0].datasets[1].pmse);
  });

  it('measures the same in one thread as in two and three', async () => {
    const many = (shift: number) => Array.from({ length: 16_000 }, (_, i) => `${row(i, i + shift)},${'uvwxyz'[((i + shift) * 11) % 6]}`);
    for (const [name, shift] of Object.entries({ m0: 0, m1: 1, m2: 5 })) put(`${name}.csv`, many(shift), 'SEX,AGE,JOB,INCOME,PLACE');
    const of = async (jobs: number) => {
      const args = ['utility', 'm0.csv', '--synthetic', 'm1.csv', 'm2.csv', '--release-key', 'key', '--jobs', `${jobs}`];
      const out = `jobs-${jobs}`;
      const { code, stderr } = await synthrisk(directory, [...args, '--out', out, '--quiet']);
      expect(code, stderr).toBe(0);
      return fileHashes(inFolder(out));
    };
    const alone = await of(1);
    expect(await of(2)).toEqual(alone);
    expect(await of(3)).toEqual(alone);
  });

  it('judges acceptance rules of utility, and leaves others to evaluations', async () => {
    const judge = (...rules: string[]) => utility('--synthetic', 'z1.csv', 'z2.csv', '--quiet', '--accept', ...rules);
    const met = await judge('utility.figures.oneWayTotalVariation <= 1', 'attributeRisk.probabilityMax <= 0');
    expect(met.code).toBe(0);
    expect(met.stdout).toContain('utility.figures.oneWayTotalVariation <= 1: met');
    const broken = await judge('utility.figures.twoWayTotalVariation <= 0');
    expect(broken.code).toBe(4);
    expect(broken.stdout).toContain('NOT MET');
    expect((await judge('utility.nothing <= 0')).code).toBe(2);
  });

  it('measures where a config turns it off for runs', async () => {
    expect(await measured('--config', 'off.yaml', '--synthetic', 'z1.csv')).toMatchObject({ datasets: 1 });
  });

  it.each([
    ['no datasets', [], 'no-datasets'],
    ['other columns', ['--synthetic', 'other.csv'], 'absent-variable'],
    ['other categories', ['--synthetic', 'category.csv'], 'value-outside-categories'],
    ['rows in another order', ['--synthetic', 'shuffled.csv', '--synthesized', 'JOB,INCOME'], 'kept-values-differ'],
    ['fewer rows', ['--synthetic', 'short.csv', '--synthesized', 'JOB,INCOME'], 'other-records'],
    ['a formula that names nothing', ['--synthetic', 'z1.csv', '--regression', 'PLANTED ~ SEX'], 'unknown-variable'],
    ['a formula that is none', ['--synthetic', 'z1.csv', '--regression', 'PLANTED'], 'invalid-config'],
    ['a category that there is not', ['--synthetic', 'z1.csv', '--regression', 'JOB == PLANTED ~ SEX'], 'unknown-category'],
    ['a response without an order', ['--synthetic', 'z1.csv', '--regression', 'AGE ~ SEX'], 'unordered-response'],
    ['patterns of nothing', ['--synthetic', 'z1.csv', '--patterns', 'JOB=WORK'], 'unknown-variable'],
    ['a folder in use', ['--synthetic', 'z1.csv', '--out', 'used'], 'folder-in-use'],
  ])('refuses %s, and repeats no value', async (_, args, code) => {
    const outcome = await utility(...args, '--json');
    expect([outcome.code, errorOf(outcome).code]).toEqual([2, code]);
    expect(outcome.stderr).toMatch(/^(❯ .*\n)*Error: /);
    expect(outcome.stdout + outcome.stderr).not.toContain('PLANTED');
  });
});

describe('evaluate and synthesize', () => {
  it('measure utility unless they are told not to', async () => {
    const flags = ['--model', 'cart', '--synthesized', 'JOB,INCOME', '--datasets', '2', '--jobs', '1', '--quiet', '--json'];
    const run = async (command: string, ...more: string[]) => synthrisk(directory, [command, 'table.csv', ...flags, ...more]);
    const found = JSON.parse((await run('evaluate', '--out', 'run', '--config', 'run.yaml')).stdout);
    expect(found.utility.regressions.map(({ formula }: { formula: string }) => formula)).toEqual([
      'AGE ~ SEX + JOB',
      'JOB == a ~ SEX * AGE',
    ]);
    expect(readFileSync(inFolder('run', 'confidential', 'report.html'), 'utf8')).toContain('id="utility"');
    const without = JSON.parse((await run('synthesize', '--out', 'without', '--no-utility')).stdout);
    expect(without).toMatchObject({ utility: null, utilityReason: expect.stringContaining('off') });
    const flagged = JSON.parse(
      (await run('synthesize', '--out', 'flagged', '--config', 'off.yaml', '--regression', 'INCOME ~ JOB')).stdout,
    );
    expect(flagged.utility.regressions).toHaveLength(1);
    // Without batches the threads measure by themselves.
    const shown = ['--model', 'cart', '--synthesized', 'JOB', '--datasets', '2', '--jobs', '2', '--out', 'shown'];
    const { code, stderr } = await synthrisk(directory, ['synthesize', 'table.csv', ...shown]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Measure utility');
  });
});
