import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutValues } from '../../../cli/print/print-utility.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { csvRows, smallTable } from '../../pipeline/small-run.ts';
import {
  errorOf,
  FLAGS_WITH_UTILITY,
  fileHashes,
  fileStates,
  filesBelow,
  listedFiles,
  manifestOf,
  type Outcome,
  synthrisk,
  temporaryFolder,
} from '../../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const readJson = (...path: string[]) => JSON.parse(readFileSync(inFolder(...path), 'utf8'));
const evaluate = (...args: string[]) => synthrisk(directory, ['evaluate', ...args]);
const flags = ['table.csv', ...FLAGS_WITH_UTILITY, '--datasets', '2'];
const results = (out: string) => fileHashes(inFolder(out), 'release/', 'confidential/', 'diagnostics/');

let json: Outcome;
let document: Record<string, unknown>;

beforeAll(async () => {
  writeFileSync(inFolder('table.csv'), smallTable());
  json = await evaluate(...flags, '--out', 'run', '--json');
  expect(json.code, json.stderr).toBe(0);
  document = JSON.parse(json.stdout);
});

describe('evaluate --json', () => {
  it('prints one JSON document: the summary with seconds and memory', () => {
    const { seconds, peakMemoryMiB, ...summary } = document;
    expect(Object.keys(document)).toEqual([
      'headline',
      'version',
      'runId',
      'seed',
      'table',
      'model',
      'synthesis',
      'attributeRisk',
      'rounds',
      'identificationRisk',
      'attributeDisclosures',
      'attributeDisclosuresReason',
      'assessable',
      'copies',
      'utility',
      'acceptance',
      'warnings',
      'seconds',
      'peakMemoryMiB',
    ]);
    expect(Object.keys(readJson('run', 'confidential', 'summary.json'))[0]).toBe('headline');
    const stored = summarySchema.parse(readJson('run', 'confidential', 'summary.json'));
    expect(summarySchema.parse(summary)).toEqual({ ...stored, utility: withoutValues(stored.utility!) });
    const steps = ['fit', 'synthesize', 'augment', 'assess', 'aggregate', 'report'] as const;
    expect(Object.keys(seconds as object)).toEqual([...steps, 'total']);
    const of = seconds as Record<string, number>;
    const sum = steps.reduce((total, step) => total + of[step]!, 0);
    expect(of.total).toBeCloseTo(sum, 6);
    expect(peakMemoryMiB).toBeGreaterThan(10);
  });

  it('has the figures that other programs read', () => {
    const fields = (value: unknown) => Object.keys(value as object);
    expect(fields(document.table)).toEqual(['records', 'variables', 'combinations', 'cells', 'sampleUniques']);
    expect(fields(document.model)).toEqual(['name', 'classes', 'chains', 'drawsKept', 'occupiedClassesMax']);
    expect(document.model).toMatchObject({ name: 'dpmpm', classes: 6, chains: 3, drawsKept: 12 });
    expect(document.synthesis).toMatchObject({ datasets: 2, kind: 'full', chains: 'own' });
    expect(fields((document.attributeRisk as object[])[0])).toEqual(
      expect.arrayContaining([
        'scenario',
        'estimator',
        'candidates',
        'prior',
        'records',
        'truthRankedFirst',
        'truthRankedFirstShare',
        'truthRankMedian',
        'probabilityMean',
        'probabilityMax',
        'informationBitsMean',
        'informationBitsMax',
        'reproducibility',
        'effectiveDrawsMin',
        'paretoKMax',
        'paretoKThreshold',
        'heavyTailShare',
        'distinguishableShare',
      ]),
    );
  });

  it('leaves every file of a run, and nothing else on the way', () => {
    const kept = filesBelow(inFolder('run')).filter((path) => !/^(draws|synthesis|parts)\//.test(path));
    expect(kept).toEqual([
      'confidential/attribute-risk.csv',
      'confidential/attribute-risk.parquet',
      'confidential/manifest.json',
      'confidential/manifest.signature.json',
      'confidential/place-key',
      'confidential/plan.json',
      'confidential/release-key',
      'confidential/report.html',
      'confidential/summary.json',
      'confidential/utility-measured.json',
      'confidential/utility.csv',
      'confidential/utility.json',
      'confidential/utility.parquet',
      'confidential/variable-risk.csv',
      'confidential/variable-risk.parquet',
      'diagnostics/chains.json',
      'manifest.json',
      'manifest.signature.json',
      'plan.json',
      'release/synthetic-1.csv',
      'release/synthetic-2.csv',
      'rounds/1.json',
      'run.json',
      'table/combinations.npy',
      'table/counts.npy',
      'table/schema.json',
    ]);
    expect(readJson('run', 'run.json')).toMatchObject({ status: 'finished', purpose: 'evaluate' });
  });

  it('puts true hashes in its manifests, of all but themselves, the keys and the state of the run', () => {
    expect(manifestOf(inFolder('run'), 'confidential/manifest.json')).toEqual(listedFiles(inFolder('run')));
    const release = fileHashes(inFolder('run'), 'release/');
    expect(manifestOf(inFolder('run'), 'manifest.json')).toEqual(release);
  });

  it('shows progress on standard error', () => {
    for (const step of ['Fit the base chains', 'Synthesize', 'paired chains', 'Assess', 'report', 'manifest']) {
      expect(json.stderr).toContain(step);
    }
  });
});

describe('evaluate, asked again for a finished run', () => {
  it('prints the same at once and changes no file', async () => {
    const before = fileStates(inFolder('run'));
    const again = await evaluate(...flags, '--out', 'run', '--json');
    expect(again).toEqual({ code: 0, signal: null, stdout: json.stdout, stderr: '' });
    const resumed = await evaluate(...flags, '--out', 'run', '--json', '--resume');
    expect(resumed).toEqual({ code: 0, signal: null, stdout: json.stdout, stderr: '' });
    expect(fileStates(inFolder('run'))).toEqual(before);
  });

  it('tells a person what it found and where', async () => {
    const { code, stdout, stderr } = await evaluate(...flags, '--out', 'run', '--details');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('60 records, 4 variables');
    expect(stdout).toMatch(/truth ranked first +\d+ records/);
    expect(stdout).toContain('Warning (classes-near-limit): ');
    expect(stdout).toContain(join('run', 'release'));
    expect(stdout).toContain(join('run', 'confidential', 'report.html'));
  });
});

describe('evaluate', () => {
  it('leaves the same bytes with one job and batches of one, and with as many as there are', async () => {
    const expected = results('run');
    expect(Object.keys(expected)).toHaveLength(14);
    const one = await evaluate(...flags, '--jobs', '1', '--batch-size', '1', '--out', 'one', '--json', '--quiet');
    expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 0, stderr: '' });
    expect(results('one')).toEqual(expected);
    const all = await evaluate(...flags, '--batch-size', '1000', '--out', 'all', '--quiet');
    expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 0, stderr: '' });
    expect(results('all')).toEqual(expected);
    const parts = (out: string) => readdirSync(inFolder(out, 'parts', '1')).length;
    const { combinations } = document.table as { combinations: number };
    expect([parts('one'), parts('all')]).toEqual([combinations, 1]);
  });

  it('runs into a folder named by the run id, told in JSON, unless --out names another', async () => {
    const { code, stdout } = await synthrisk(directory, [
      ...['synthesize', 'table.csv', '--classes', '6', '--burn-in', '10', '--datasets', '1', '--json'],
    ]);
    expect(code).toBe(0);
    const { runId } = JSON.parse(stdout);
    expect(filesBelow(inFolder('synthrisk-runs'))).toContain(`${runId}/release/synthetic-1.csv`);
  });

  it('exits with 4 when an acceptance rule is not met, with everything written, each time it is asked', async () => {
    const rules = ['table.records >= 60', 'attributeRisk.probabilityMax <= 0'];
    const args = [...flags, '--accept', ...rules, '--out', 'strict'];
    const first = await evaluate(...args, '--json');
    expect(first.code).toBe(4);
    expect(JSON.parse(first.stdout).acceptance).toEqual([
      { rule: rules[0], scenario: null, value: 60, met: true },
      { rule: rules[1], scenario: 'one-change', value: expect.any(Number), met: false },
    ]);
    expect(readJson('strict', 'run.json').status).toBe('finished');
    expect(Object.keys(results('strict'))).toEqual(Object.keys(results('run')));
    const again = await evaluate(...args, '--details');
    expect(again.code).toBe(4);
    expect(again.stdout).toContain('table.records >= 60: met (60)');
    expect(again.stdout).toContain('attributeRisk.probabilityMax <= 0: NOT MET');
  });

  it('takes settings from a config, its table relative to it, and flags over both', async () => {
    mkdirSync(inFolder('settings', 'data'), { recursive: true });
    writeFileSync(inFolder('settings', 'data', 'survey.csv'), smallTable());
    writeFileSync(
      inFolder('settings', 'run.yaml'),
      `table: data/survey.csv
seed: 5
model: { classes: 6 }
mcmc: { chains: 3, burnIn: 10, draws: 4, thin: 2, pairedChains: 2, pairedDraws: 4, pairedThin: 1 }
synthesis: { datasets: 3, chains: one }
attributeRisk: { estimator: importance, candidates: { unknown: [region] } }
acceptance: ["table.records >= 100"]
`,
    );
    const config = ['--config', join('settings', 'run.yaml'), '--json'];
    const overriding = ['--seed', '9', '--chains', '2', '--accept', 'table.records >= 60'];
    const { code, stdout, stderr } = await evaluate(...config, ...overriding, '--out', 'configured');
    expect(code, stderr).toBe(0);
    const { config: used } = readJson('configured', 'confidential', 'plan.json');
    expect(used).toMatchObject({
      seed: 9,
      mcmc: { chains: 2, burnIn: 10, pairedDraws: 4 },
      synthesis: { datasets: 3, chains: 'one' },
      attributeRisk: { estimator: 'importance', scenarios: [{ candidates: { unknown: ['region'] } }] },
      acceptance: ['table.records >= 60'],
    });
    expect(JSON.parse(stdout).attributeRisk[0]).toMatchObject({ candidates: 'unknown: region' });
  });

  it('makes missing values a category when asked to, and says so', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i % 3 ? 'a' : 'NA'},${['x', 'y', ''][((7 * i) % 5) % 3]}`);
    writeFileSync(inFolder('missing.csv'), `A,B\n${rows.join('\n')}\n`);
    const args = ['missing.csv', ...FLAGS_WITH_UTILITY, '--datasets', '1', '--missing', 'category'];
    const { code, stdout, stderr } = await evaluate(...args, '--out', 'missing', '--quiet');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Warning \(table-notice\): missing values were made a category: A 10, B \d+/);
    const [header, ...released] = csvRows(readFileSync(inFolder('missing', 'release', 'synthetic-1.csv')));
    expect(header).toEqual(['A', 'B']);
    expect(released).toHaveLength(30);
    expect(new Set(released.flat())).toEqual(new Set(['a', '', 'x', 'y']));
  });

  it('fails with what the file system says, and goes on when that is repaired', async () => {
    // A file where a folder has to be, since a full disk cannot be had everywhere.
    const state = readJson('all', 'run.json');
    writeFileSync(inFolder('all', 'run.json'), JSON.stringify({ ...state, status: 'interrupted' }));
    const expected = results('all');
    rmSync(inFolder('all', 'draws', 'base'), { recursive: true });
    writeFileSync(inFolder('all', 'draws', 'base'), '');
    const args = [...flags, '--batch-size', '1000', '--out', 'all', '--resume', '--quiet'];
    const failed = await evaluate(...args, '--json');
    expect({ code: failed.code, error: errorOf(failed) }).toMatchObject({
      code: 3,
      error: { code: expect.stringMatching(/^E[A-Z]+$/), file: join('all', 'draws', 'base') },
    });
    expect(failed.stderr).toMatch(/^Error: .*draws/);
    expect(failed.stderr).not.toContain('mistake in synthrisk');
    expect(readJson('all', 'run.json').status).toBe('failed');
    rmSync(inFolder('all', 'draws', 'base'));
    const repaired = await evaluate(...args);
    expect(repaired.code, repaired.stderr).toBe(0);
    expect(results('all')).toEqual(expected);
  });
});
