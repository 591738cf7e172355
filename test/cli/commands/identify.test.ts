import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { copiesSchema } from '../../../shared/contracts/results/copies.ts';
import { identificationRiskSummarySchema } from '../../../shared/contracts/results/identification.ts';
import { csvRows } from '../../pipeline/small-run.ts';
import { fileHashes, filesBelow, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const HEADER = 'SEX,AGE,JOB,INCOME';

/** 200 records whose incomes, and jobs of every other, are replaced in a dataset by those of a record `shift` on. */
const row = (i: number, from = i) => `${'fm'[i % 2]},${20 + (i % 61)},${'abc'[(i % 2 ? from : i) % 3]},${1000 + ((from * 37) % 997)}`;
const rows = (shift: number) => Array.from({ length: 200 }, (_, i) => row(i, i + shift));
const put = (name: string, lines: readonly string[], header = HEADER) =>
  writeFileSync(inFolder(name), `${[header, ...lines].join('\n')}\n`);

const SCENARIO = ['--known', 'SEX,AGE', '--radius', 'AGE=abs:2', '--radius', 'INCOME=0.1'];
const identify = (...args: string[]) => synthrisk(directory, ['identify', 'table.csv', ...args]);
const identified = async (...args: string[]) => {
  const { code, stdout, stderr } = await identify(...args, '--json', '--quiet');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

/** The figures alone, of which the copies beside them are no part. */
const withoutCopies = ({ copies, ...figures }: { copies: unknown }) => {
  copiesSchema.parse(copies);
  return figures;
};

beforeAll(() => {
  put('table.csv', rows(0));
  put('z1.csv', rows(1));
  put('z2.csv', rows(5));
  put('short.csv', rows(1).slice(1));
  put('shuffled.csv', rows(1).toReversed());
  put('other.csv', rows(1), 'SEX,AGE,WORK,INCOME');
  put('category.csv', ['f,20,d,1000', ...rows(1).slice(1)]);
  put(
    'full.csv',
    rows(0).map((_, i) => `${'mff'[i % 3]},${30.5 + (i % 40)},${'bca'[i % 3]},${500 + i}`),
  );
  mkdirSync(inFolder('used'));
  writeFileSync(inFolder('used', 'notes.txt'), 'x');
});

describe('identify', () => {
  it('prints one element of `identificationRisk` as JSON, the synthesized variables found in the data', async () => {
    const risk = await identified('--synthetic', 'z1.csv', 'z2.csv', ...SCENARIO);
    expect(identificationRiskSummarySchema.parse(withoutCopies(risk))).toMatchObject({
      scenario: 'known: SEX, AGE',
      synthesized: ['JOB', 'INCOME'],
      applies: true,
      records: 200,
      radii: { AGE: { absolute: 2 }, INCOME: { relative: 0.1 } },
      datasets: [{}, {}],
    });
    expect(risk.mean.expectedMatchRisk).toBeGreaterThan(0);
  });

  it('tells a person of the variables, the datasets and what is assumed of the rows', async () => {
    const { code, stdout, stderr } = await identify('--synthetic', 'z1.csv', 'z2.csv', ...SCENARIO);
    expect(code).toBe(0);
    expect(stdout).toMatch(/synthesized +JOB, INCOME \(the variables that differ\)/);
    expect(stdout).toMatch(/radii +AGE 2, INCOME 10 %, box/);
    expect(stdout).toMatch(/dataset +expected match risk/);
    expect(stdout).toContain('Row i of each dataset is taken to be record i of the table.');
    expect(stderr).toContain('Notice: numbers with more than 50 distinct values, read as continuous: AGE, INCOME');
  });

  it('writes a table of all records, the figures and a page, the same bytes each time', async () => {
    const args = ['--synthetic', 'z1.csv', 'z2.csv', '--known', 'SEX,AGE', '--sweep', '--quiet'];
    for (const out of ['first', 'second']) {
      const { code, stderr } = await identify(...args, '--out', out);
      expect(code, stderr).toBe(0);
    }
    const names = ['html', 'json'].map((kind) => `confidential/identification.${kind}`);
    const tables = ['csv', 'parquet'].map((kind) => `confidential/identification-risk.${kind}`);
    expect(filesBelow(inFolder('first'))).toEqual([...tables, ...names].sort());
    expect(fileHashes(inFolder('second'), '')).toEqual(fileHashes(inFolder('first'), ''));

    const [risk] = JSON.parse(readFileSync(inFolder('first', names[1]!), 'utf8'));
    const [header, ...lines] = csvRows(readFileSync(inFolder('first', tables[0]!)));
    expect(header).toEqual(['scenario', 'record', 'dataset', 'matches', 'own_record_matches', 'risk']);
    expect(lines.map(([, record, dataset]) => `${record} ${dataset}`)).toEqual(
      Array.from({ length: 400 }, (_, i) => `${Math.floor(i / 2) + 1} ${(i % 2) + 1}`),
    );
    for (const dataset of [1, 2]) {
      const total = lines
        .filter((line) => line[2] === String(dataset))
        .reduce((sum, [, , , matches, own, one]) => {
          expect(Number(one)).toBe(own === '1' ? 1 / Number(matches) : 0);
          return sum + Number(one);
        }, 0);
      expect(total).toBeCloseTo(risk.datasets[dataset - 1].expectedMatchRisk, 9);
    }
    const file = readFileSync(inFolder('first', tables[1]!));
    const objects = await parquetReadObjects({
      file: file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer,
    });
    expect(objects.map((object) => Object.values(object).map(String))).toEqual(lines);

    const page = readFileSync(inFolder('first', names[0]!), 'utf8');
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).toContain('Row i of each dataset is taken to be record i');
  });

  it('matches under several scenarios of a config, and prints them all', async () => {
    writeFileSync(
      inFolder('run.yaml'),
      `table: table.csv
identification:
  - { name: all, known: [SEX, AGE], radius: { AGE: abs:2, INCOME: 0.1 } }
  - { name: sex, known: [SEX], synthesized: [JOB] }
  - { name: round, known: [SEX, AGE], radius: { AGE: abs:2, INCOME: 0.1 }, shape: ellipse }
`,
    );
    const outcome = await synthrisk(directory, [
      ...['identify', '--config', 'run.yaml', '--synthetic', 'z1.csv', '--json', '--quiet', '--out', 'three'],
    ]);
    expect(outcome.code, outcome.stderr).toBe(0);
    const risks = JSON.parse(outcome.stdout);
    expect(risks.map(({ scenario }: { scenario: string }) => scenario)).toEqual(['all', 'sex', 'round']);
    const [all, sex, round] = risks;
    expect(sex.synthesized).toEqual(['JOB']);
    expect(round.mean.expectedMatchRisk).not.toBe(all.mean.expectedMatchRisk);
    expect(readFileSync(inFolder('three', 'confidential', 'identification.html'), 'utf8')).toContain('Scenarios compared');
  });

  it('judges acceptance rules of identification risk, and leaves others to evaluations', async () => {
    const judge = (...rules: string[]) => identify('--synthetic', 'z1.csv', 'z2.csv', ...SCENARIO, '--accept', ...rules);
    const met = await judge('identificationRisk.mean.trueMatchRate <= 1', 'attributeRisk.probabilityMax <= 0');
    expect(met.code, met.stderr).toBe(0);
    expect(met.stdout).toContain('Acceptance: identificationRisk.mean.trueMatchRate <= 1: met (');
    expect(met.stderr).toMatch(/Notice: not judged here, being of other measures: 1\sacceptance rule/);
    const broken = await judge('identificationRisk.datasets.expectedMatchRisk <= 0.01');
    expect(broken.code).toBe(4);
    expect(broken.stdout).toContain('NOT MET');
    expect((await judge('identificationRisk.nothing <= 0')).code).toBe(2);
  });

  it('judges by the worst of several scenarios, or by the one that a rule names, when everything is written', async () => {
    writeFileSync(
      inFolder('judged.yaml'),
      `table: table.csv
acceptance: ['identificationRisk.mean.trueMatchRate <= 0.01', 'identificationRisk["sex"].mean.trueMatchRate <= 0.01']
identification:
  - { name: all, known: [SEX, AGE], radius: { AGE: abs:2, INCOME: 0.3 } }
  - { name: sex, known: [SEX], synthesized: [JOB] }
`,
    );
    const args = ['--config', 'judged.yaml', '--synthetic', 'z2.csv', '--json', '--quiet', '--out', 'unmet'];
    const { code, stdout } = await synthrisk(directory, ['identify', ...args]);
    expect(code).toBe(4);
    const [all, sex] = JSON.parse(stdout);
    expect(all.mean.trueMatchRate).toBeGreaterThan(0.01);
    expect(sex.acceptance).toEqual(all.acceptance);
    expect(all.acceptance).toMatchObject([
      { scenario: 'all', value: all.mean.trueMatchRate, met: false },
      { scenario: 'sex', value: sex.mean.trueMatchRate, met: true },
    ]);
    expect(filesBelow(inFolder('unmet'))).toHaveLength(4);
  });

  it('holds no rule met by what does not apply', async () => {
    const rule = ['--accept', 'identificationRisk.mean.expectedMatchRisk <= 1000'];
    const { code, stdout } = await identify('--synthetic', 'full.csv', ...SCENARIO, ...rule, '--quiet');
    expect(code).toBe(4);
    expect(stdout).toContain('NOT MET (undefined)');
  });

  it('says that matching does not apply to fully synthetic data, and is done', async () => {
    const risk = await identified('--synthetic', 'full.csv', '--known', 'SEX', '--radius', 'INCOME=0.1');
    expect(risk).toMatchObject({ applies: false, reason: expect.stringMatching(/fully synthetic/i) });
    const { code, stdout } = await identify('--synthetic', 'full.csv', ...SCENARIO, '--quiet');
    expect(code).toBe(0);
    expect(stdout).toContain('does not apply');
  });
});

describe('identify refuses', () => {
  it.each([
    ['datasets with other row counts', ['--synthetic', 'short.csv', ...SCENARIO], 'expected one for each record, in the same order'],
    ['datasets with other variables', ['--synthetic', 'other.csv', ...SCENARIO], 'other.csv'],
    ['datasets with other categories', ['--synthetic', 'z1.csv', 'category.csv', ...SCENARIO], 'category.csv: row 1, column `JOB`'],
    ['shuffled rows', ['--synthetic', 'shuffled.csv', ...SCENARIO], 'as the table, but in other rows: expected row i to be'],
    [
      'a variable both known and synthesized',
      ['--synthetic', 'z1.csv', ...SCENARIO, '--synthesized', 'AGE,INCOME'],
      'is named as known and as synthesized',
    ],
    [
      'a radius for a categorical variable',
      ['--synthetic', 'z1.csv', ...SCENARIO, '--radius', 'JOB=1'],
      'is categorical and matches when it is equal: it has no',
    ],
    [
      'a negative radius',
      ['--synthetic', 'z1.csv', '--known', 'SEX', '--radius', 'INCOME=-0.1'],
      'expected a share of the value that is not negative, such as INCOME=0.1, or a distance in its units, such as INCOME=abs:500',
    ],
    [
      'a continuous variable without a radius',
      ['--synthetic', 'z1.csv', '--known', 'SEX,AGE', '--radius', 'AGE=1'],
      'Scenario "known: SEX, AGE": variable INCOME',
    ],
    [
      'a known variable that differs',
      ['--synthetic', 'z1.csv', '--known', 'JOB', '--radius', 'INCOME=0.1'],
      'rows: what is known must be kept, and row i of a',
    ],
    ['no knowledge', ['--synthetic', 'z1.csv'], 'Say what the intruder knows: --known A,B, or scenarios'],
    ['a radius without knowledge', ['--synthetic', 'z1.csv', '--radius', 'AGE=1'], 'The flags --radius, --shape and --sweep are of an'],
    ['no dataset', SCENARIO, 'Name the datasets: --synthetic FILE...'],
    ['a folder in use', ['--synthetic', 'z1.csv', ...SCENARIO, '--out', 'used'], 'Choose an empty --out folder.'],
  ])('%s', async (_, args, error) => {
    const { code, stdout, stderr } = await identify(...args, '--quiet');
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(error);
  });
});
