import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { CATEGORY_TREE_SETTINGS, csvRows, mixedTable, smallTable, TREE_SETTINGS } from '../pipeline/small-run.ts';
import {
  errorOf,
  fileHashes,
  filesBelow,
  listedFiles,
  manifestOf,
  type Outcome,
  SMALL_FLAGS,
  synthrisk,
  temporaryFolder,
} from '../run-command.ts';

const directory = temporaryFolder();
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content);
const RESULTS = ['release/', 'confidential/'];

/** Expects that a command with `--json` was refused, with this code and these words. */
function expectRefusal(outcome: Outcome, error: string, words = /\w/) {
  expect({ code: outcome.code, error: errorOf(outcome).code }).toEqual({ code: 2, error });
  expect(outcome.stderr).toMatch(words);
}

beforeAll(() => {
  put('mixed.csv', mixedTable());
  put('table.csv', smallTable());
  put('trees.yaml', stringify(TREE_SETTINGS));
  put('categories.yaml', stringify(CATEGORY_TREE_SETTINGS));
});

describe('evaluate with trees of categories', () => {
  const evaluate = (out: string, ...more: string[]) =>
    synthrisk(directory, ['evaluate', 'mixed.csv', '--config', 'categories.yaml', '--out', out, ...more]);

  it('prints what is guessed right and proven, the same whatever the jobs and batches', async () => {
    const { code, stdout } = await evaluate('categories', '--details');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Attribute risk, exact, candidates one-change \(\d+ for each record\)/);
    expect(stdout).toMatch(/employment: [\d.]+ % guessed right before, [\d.]+ ± [\d.]+ % after/);
    expect(stdout).toMatch(/proven {17} +\d+ records \([\d.]+ %\)/);
    expect(stdout).toMatch(/with divisions held {5}[\d.]+ % guessed right/);
    expect(stdout).toMatch(/privacy loss .*without bound/);
    expect(stdout).not.toMatch(/undefined|NaN|Infinity/);
    await evaluate('cut', '--jobs', '3', '--batch-size', '9', '--quiet');
    expect(fileHashes(join(directory, 'cut'), ...RESULTS)).toEqual(fileHashes(join(directory, 'categories'), ...RESULTS));
  });

  it('says that divisions are held where it is to be quick, and refuses what trees do not have', async () => {
    const { stdout } = await evaluate('quick', '--precision', 'quick', '--details');
    expect(stdout).toMatch(/Attribute risk, fixed-structure, /);
    expect(stdout).toMatch(/with the divisions of the trees held as they are/);
    expectRefusal(await evaluate('refused', '--precision', 'high', '--json'), 'not-of-cart');
  });

  it('is assessed from its files as it was in the run, with the settings that made them alone', async () => {
    const assess = (out: string, config: string) =>
      synthrisk(directory, [
        ...['assess', 'mixed.csv', '--config', config, '--out', out, '--synthetic'],
        ...[1, 2].map((l) => `categories/release/synthetic-${l}.csv`),
      ]);
    expect(await assess('elsewhere', 'categories.yaml')).toMatchObject({ code: 0 });
    for (const file of ['attribute-risk', 'variable-risk', 'identification-risk']) {
      expect(readFileSync(join(directory, `elsewhere/confidential/${file}.csv`), 'utf8')).toBe(
        readFileSync(join(directory, `categories/confidential/${file}.csv`), 'utf8'),
      );
    }
    put('other.yaml', stringify({ ...CATEGORY_TREE_SETTINGS, model: { ...CATEGORY_TREE_SETTINGS.model, minimumLeaf: 1 } }));
    const { code, stdout } = await assess('other', 'other.yaml');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Attribute risk: not measured\. No donor could give/);
    expect(stdout).toMatch(/Warning \(other-trees\)/);
    expect(stdout).toMatch(/Records found by matching/);
    expect(filesBelow(join(directory, 'other')).join()).not.toContain('attribute-risk.csv');
  });

  it('is planned with candidates and batches', async () => {
    const plan = ['plan', 'mixed.csv', '--config', 'categories.yaml', '--json'];
    const document = JSON.parse((await synthrisk(directory, plan)).stdout);
    expect(document).toMatchObject({ trees: 2, chains: 0, rounds: null });
    expect(document.candidates).toBe(80 * document.candidatesPerCombination);
    expect(document.candidatesPerCombination).toBeGreaterThan(2);
    expect(document.batches).toBeGreaterThan(0);
    expect(document.secondsPer.combination).toBeGreaterThan(0);
  });
});

describe('evaluate with trees', () => {
  const evaluate = (out: string, ...more: string[]) =>
    synthrisk(directory, ['evaluate', 'mixed.csv', '--config', 'trees.yaml', '--out', out, ...more]);

  it('prints what matching finds, and why attribute risk is not measured', async () => {
    const { code, stdout, stderr } = await evaluate('first', '--details');
    expect({ code, stderr: stderr.match(/Grow the trees \(/)?.[0] }).toEqual({ code: 0, stderr: 'Grow the trees (' });
    expect(stdout).toContain('employment, income synthesized, the other variables kept');
    expect(stdout).toMatch(/Attribute risk: not measured\. Attribute risk of trees is of values that can be listed/);
    expect(stdout).toMatch(/Identification risk, known: region, age/);
    expect(stdout).toMatch(/expected match risk/);
    expect(stdout).toMatch(/True values of employment, income came out for [\d.]+ of 80 records/);
    expect(stdout).toContain('identification-risk.csv');
    expect(stdout).not.toContain('attribute-risk.csv');
  });

  it('leaves the same bytes with any number of jobs, and lists every artifact in its manifest', async () => {
    await evaluate('three', '--jobs', '3', '--quiet');
    const hashes = fileHashes(join(directory, 'first'), ...RESULTS);
    expect(fileHashes(join(directory, 'three'), ...RESULTS)).toEqual(hashes);
    expect(Object.keys(hashes)).toEqual(expect.arrayContaining(['confidential/identification-risk.csv', 'confidential/report.html']));
    const first = join(directory, 'first');
    expect(manifestOf(first, 'confidential/manifest.json')).toEqual(listedFiles(first));
  });

  it('gives one document with --json, and exit code 4 where a rule over identification risk is not met', async () => {
    const { code, stdout } = await evaluate('judged', '--json', '--quiet', '--accept', 'identificationRisk.mean.expectedMatchRisk <= 0.01');
    expect(code).toBe(4);
    const summary = JSON.parse(stdout);
    expect(summary.attributeRisk).toEqual([]);
    expect(summary.attributeRiskReason).toMatch(/continuous and synthesized/);
    expect(summary.identificationRisk[0].applies).toBe(true);
    expect(summary.acceptance[0].met).toBe(false);
  });

  it('reads its own release back as datasets with the same risk', async () => {
    const release = ['first/release/synthetic-1.csv', 'first/release/synthetic-2.csv'];
    const { stdout } = await synthrisk(directory, [
      ...['identify', 'mixed.csv', '--config', 'trees.yaml', '--json', '--quiet', '--synthetic', ...release],
    ]);
    const { copies, ...found } = JSON.parse(stdout);
    const summary = JSON.parse(readFileSync(join(directory, 'first/confidential/summary.json'), 'utf8'));
    expect(found).toEqual(summary.identificationRisk[0]);
    expect(copies).toEqual({ ...summary.copies, uniquesExpectedReason: 'no model was fitted to the table' });
  });

  it('writes the report again, and has no calibration to include', async () => {
    const before = readFileSync(join(directory, 'first/confidential/report.html'), 'utf8');
    expect((await synthrisk(directory, ['report', 'first'])).code).toBe(0);
    expect(readFileSync(join(directory, 'first/confidential/report.html'), 'utf8')).toBe(before);
    const report = ['report', 'first', '--calibration', 'three', '--json'];
    expectRefusal(await synthrisk(directory, report), 'no-attribute-risk');
  });

  it('is no run to assess, whatever else is asked of it', async () => {
    const assess = ['assess', 'mixed.csv', '--run', 'first', '--json'];
    expectRefusal(await synthrisk(directory, assess), 'exact-risk', /identify/);
  });

  it('is planned with its trees, and without candidates', async () => {
    const plan = ['plan', 'mixed.csv', '--config', 'trees.yaml'];
    const { stdout } = await synthrisk(directory, plan);
    expect(stdout).toMatch(/no attribute risk\. Attribute risk of trees is .*\n2 trees, 2 datasets\n/);
    expect(stdout).toMatch(/identification risk under 1 scenario/);
    const document = JSON.parse((await synthrisk(directory, [...plan, '--json', '--cloud'])).stdout);
    expect(document).toMatchObject({ trees: 2, chains: 0, candidates: 0, table: { cells: null } });
    expect(document.memoryMiB).toBeGreaterThan(80);
    expect(document.cloud.minutes.total).toBeGreaterThan(0);
  });

  it('synthesizes the same datasets alone', async () => {
    const { code, stdout } = await synthrisk(directory, [
      ...['synthesize', 'mixed.csv', '--config', 'trees.yaml', '--out', 'alone', '--quiet'],
    ]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('dentification');
    expect(fileHashes(join(directory, 'alone'), 'release/')).toEqual(fileHashes(join(directory, 'first'), 'release/'));
  });
});

describe('flags of partially synthetic data', () => {
  it('name the model, the synthesized variables and the intruder', async () => {
    const { code, stdout } = await synthrisk(directory, [
      ...['evaluate', 'table.csv', '--synthesized', 'education', '--known', 'region,age_group'],
      ...[...SMALL_FLAGS, '--datasets', '2', '--json', '--quiet', '--out', 'flags'],
    ]);
    expect(code).toBe(0);
    const { attributeRisk, identificationRisk, attributeDisclosures } = JSON.parse(stdout);
    expect(attributeRisk[0].candidates).toBe('unknown: education');
    expect(identificationRisk[0]).toMatchObject({ known: ['region', 'age_group'], synthesized: ['education'] });
    expect(attributeDisclosures.all.byDataset).toHaveLength(2);
    const [header, ...rows] = csvRows(readFileSync(join(directory, 'flags/confidential/attribute-risk.csv')));
    expect(header!.slice(0, 2)).toEqual(['record', 'combination']);
    expect(rows).toHaveLength(60);
  });

  it('also measure identification risk of the datasets of an earlier run', async () => {
    const { code, stdout } = await synthrisk(directory, [
      ...['assess', 'table.csv', '--run', 'flags', '--known', 'region', '--json', '--quiet', '--out', 'again'],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).identificationRisk[0]).toMatchObject({ known: ['region'], applies: true });
  });

  const refused: [string, string[], string, RegExp][] = [
    ['a variable that the table lacks', ['--known', 'city'], 'unknown-variable', /city/],
    ['a variable both known and synthesized', ['--known', 'region,income'], 'known-and-synthesized', /income is/],
    [
      'a radius of a categorical variable',
      ['--known', 'region', '--radius', 'region=0.1'],
      'radius-of-categorical',
      /region is categorical/,
    ],
    ['a continuous variable without a radius', ['--known', 'age'], 'no-radius', /(age|income) is/],
  ];
  it.each(refused)('are refused with %s, before the run starts', async (_, flags, code, words) => {
    const outcome = await synthrisk(directory, [
      ...['evaluate', 'mixed.csv', '--config', 'trees.yaml', ...flags, '--out', 'refused', '--json'],
    ]);
    expectRefusal(outcome, code, words);
    expect(filesBelow(join(directory, 'refused'))).toEqual([]);
  });

  it.each(['calibrate', 'assess'])('are refused by %s where the model scores no guess', async (command) => {
    const { code, stderr } = await synthrisk(directory, [
      ...[command, 'mixed.csv', '--config', 'trees.yaml', '--out', 'refused'],
      ...(command === 'assess' ? ['--synthetic', 'first/release/synthetic-1.csv'] : []),
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: .*[Aa]ttribute risk/m);
  });
});
