import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { COUNT_SETTINGS, csvRows, smallTable } from '../pipeline/small-run.ts';
import { fileHashes, filesBelow, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const run = (...args: string[]) => synthrisk(directory, args);
const { variables } = COUNT_SETTINGS;
const MODEL = ['--model', 'dirichlet-multinomial', '--epsilon', '4', '--datasets', '2'];

beforeAll(() => {
  writeFileSync(inFolder('table.csv'), smallTable());
  writeFileSync(inFolder('run.yaml'), stringify({ variables }));
  writeFileSync(inFolder('binary.csv'), `smokes\n${'no\n'.repeat(30)}yes\n`);
  writeFileSync(inFolder('binary.yaml'), stringify({ variables: { smokes: { categories: ['no', 'yes'] } } }));
});

describe('evaluate with a model of counts', () => {
  it('gives the stated epsilon beside an exact risk, in the summary, the table and the report', async () => {
    const { code, stdout, stderr } = await run(...['evaluate', 'table.csv', '--config', 'run.yaml', ...MODEL, '--out', 'counts', '--json']);
    expect(code, stderr).toBe(0);
    const { seconds: _, peakMemoryMiB: __, ...document } = JSON.parse(stdout);
    const summary = summarySchema.parse(document);
    const [risk] = summary.attributeRisk;
    expect(summary.model).toMatchObject({ name: 'dirichlet-multinomial', classes: null, chains: 0 });
    expect(summary.model.alpha).toBeCloseTo(1 / Math.expm1(4 / 120), 9);
    expect(risk).toMatchObject({
      ...{ estimator: 'exact', candidates: 'one-change', epsilon: 4 },
      ...{ truthRankedFirstShareSimulationSe: 0, probabilityMeanSimulationSe: 0, informationBitsMeanSimulationSe: 0 },
      ...{ effectiveDrawsMin: null, paretoKMax: null, firstGuessRightBeforeSe: 0, probabilityTrueBeforeSe: 0 },
    });
    // Another release would differ all the same.
    expect(risk!.informationBitsMeanSe).toBe(risk!.informationBitsMeanReleaseSe);
    expect(risk!.informationBitsMeanSe).toBeGreaterThan(0);
    const [header, ...rows] = csvRows(readFileSync(inFolder('counts/confidential/attribute-risk.csv')));
    const column = (name: string) => rows.map((row) => Number(row[header!.indexOf(name)]));
    expect(header!.indexOf('privacy_loss')).toBe(header!.indexOf('bayes_factor_se') + 1);
    expect(Math.max(...column('privacy_loss'))).toBe(risk!.privacyLossMax);
    expect(risk!.privacyLossMax).toBeLessThanOrEqual(4);
    expect(risk!.privacyLossMedian).toBeLessThanOrEqual(risk!.privacyLossMax!);
    expect(new Set(column('privacy_loss_se'))).toEqual(new Set([0]));
    expect(new Set(column('probability_se'))).toEqual(new Set([0]));
    const page = readFileSync(inFolder('counts/confidential/report.html'), 'utf8');
    expect(page).toContain('Epsilon, stated');
    expect(page).toContain('Given the release its figures are exact');
    expect(page).not.toContain('id="diagnostics"');
    expect(filesBelow(inFolder('counts'))).not.toContain('diagnostics/chains.json');
  });

  it('tells a person, and gives the same bytes whatever the batches and threads', async () => {
    const { code, stdout } = await run(
      ...['evaluate', 'table.csv', '--config', 'run.yaml', ...MODEL, '--out', 'again'],
      ...['--quiet', '--details', '--batch-size', '5', '--jobs', '1'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/epsilon +4 stated; privacy loss of this release 0\.\d+ at most.*\(exact\)/);
    expect(stdout).not.toContain('reproducibility');
    for (const part of ['release/', 'confidential/attribute-risk', 'confidential/variable-risk']) {
      expect(fileHashes(inFolder('again'), part)).toEqual(fileHashes(inFolder('counts'), part));
    }
  });

  it('releases the same as synthesize under one key', async () => {
    const { code, stderr } = await run(...['synthesize', 'table.csv', '--config', 'run.yaml', ...MODEL, '--out', 'alone', '--quiet']);
    expect(code, stderr).toBe(0);
    expect(fileHashes(inFolder('alone'), 'release/')).toEqual(fileHashes(inFolder('counts'), 'release/'));
  });

  it('judges by privacyLossMax, with exit code 4', async () => {
    const { code, stdout } = await run(
      ...['evaluate', 'binary.csv', '--config', 'binary.yaml', '--model', 'beta-binomial', '--epsilon', '1'],
      ...['--accept', 'attributeRisk.privacyLossMax <= 0.00001', '--out', 'judged', '--quiet'],
    );
    expect(code).toBe(4);
    expect(stdout).toContain('NOT MET');
  });

  it('plans without chains', async () => {
    const planned = await run('plan', 'table.csv', '--config', 'run.yaml', ...MODEL, '--json');
    expect(planned.code, planned.stderr).toBe(0);
    expect(JSON.parse(planned.stdout)).toMatchObject({ chains: 0, draws: 0, trees: 0, rounds: null });
    for (const flags of [['--candidates', 'all-cells'], ['--cloud']]) {
      const { code, stdout, stderr } = await run('plan', 'table.csv', '--config', 'run.yaml', ...MODEL, ...flags);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('2 datasets from counts, the risk in closed form');
    }
  });
});

describe('a model of counts refuses', () => {
  const table = ['table.csv', '--config', 'run.yaml', ...MODEL];
  const withEpsilon = ['table.csv', '--config', 'run.yaml', '--model', 'dirichlet-multinomial', '--epsilon'];
  it.each([
    ['undeclared categories', ['evaluate', 'table.csv', ...MODEL], 'Write into the config, for each variable:'],
    [
      'more than one variable in a beta-binomial',
      ['evaluate', 'table.csv', '--config', 'run.yaml', '--model', 'beta-binomial', '--epsilon', '1'],
      'The model beta-binomial is of a table of one variable',
    ],
    ['no epsilon', ['evaluate', 'table.csv', '--config', 'run.yaml', '--model', 'dirichlet-multinomial'], 'The config is not valid.'],
    ['an epsilon of 0', ['evaluate', ...withEpsilon, '0'], '--epsilon <nats> does not take'],
    ['a negative epsilon', ['evaluate', ...withEpsilon, '-1'], '--epsilon <nats> does not take'],
    ['an infinite epsilon', ['evaluate', ...withEpsilon, 'Infinity'], 'expected a number'],
    ['an epsilon beyond double precision', ['evaluate', ...withEpsilon, '1e9'], 'it is beyond double precision'],
    ['an epsilon of another model', ['evaluate', 'table.csv', '--epsilon', '1'], 'The config is not valid.'],
    ['chains', ['evaluate', ...table, '--chains', '8'], 'leave out mcmc.chains (--chains).'],
    ['chains of datasets', ['synthesize', ...table, '--synthesis-chains', 'one'], 'leave out synthesis.chains (--synthesis-chains).'],
    ['variables that are kept', ['evaluate', ...table, '--synthesized', 'education'], 'synthesizes all variables: epsilon says nothing of'],
    ['missing values', ['evaluate', ...table, '--missing', 'impute'], 'takes no missing values: whether there are some would'],
    [
      'missing values as a category',
      ['evaluate', ...table, '--missing', 'category'],
      'takes no missing values: whether there are some would',
    ],
    [
      'structural zeros',
      ['evaluate', ...table, '--structural-zeros', 'table.csv'],
      'Structural zeros are respected by the model dpmpm, not',
    ],
    ['an estimator', ['evaluate', ...table, '--estimator', 'parameters'], 'attributeRisk.estimator: the risk under the model'],
    [
      'the estimator of other models',
      ['evaluate', ...table, '--estimator', 'augmented'],
      'attributeRisk.estimator: the risk under the model',
    ],
    ['a slope', ['evaluate', ...table, '--slope', '0.9'], 'attributeRisk.slope: the likelihood under the model'],
    ['a calibration', ['calibrate', ...table], 'The risk under the model'],
    ['datasets made elsewhere', ['assess', 'table.csv', '--config', 'counts.yaml', '--synthetic', 'table.csv'], 'The risk under the model'],
  ])('%s', async (_, args, message) => {
    writeFileSync(inFolder('counts.yaml'), stringify(COUNT_SETTINGS));
    const { code, stdout, stderr } = await run(...args, '--out', 'refused');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    // Which values there are is not told.
    expect(stderr).not.toMatch(/Primary|Secondary|Tertiary/);
  });

  it('the datasets of an earlier run, whose risk that run has given', async () => {
    const { code, stderr } = await run('assess', 'table.csv', '--run', 'counts', '--out', 'refused');
    expect(code).toBe(2);
    expect(stderr).toContain('whose risk is exact: evaluate gives it with the datasets');
  });

  it('an exact risk of other models', async () => {
    writeFileSync(inFolder('exact.yaml'), stringify({ attributeRisk: { estimator: 'exact' } }));
    const { code, stderr } = await run('evaluate', 'table.csv', '--config', 'exact.yaml');
    expect(code).toBe(2);
    expect(stderr).toContain('is no closed form, so that it has to be estimated:');
  });
});
