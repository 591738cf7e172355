import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { calibrationSchema } from '../../../shared/contracts/results/calibration.ts';
import { smallTable } from '../../pipeline/small-run.ts';
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
const run = (...args: string[]) => synthrisk(directory, args);
const flags = ['table.csv', ...FLAGS_WITH_UTILITY, '--datasets', '2'];
const calibrate = (...args: string[]) => run('calibrate', ...flags, '--targets', '12', '--replicates', '2', ...args);
const results = (out: string) => fileHashes(inFolder(out), 'confidential/', 'replicates/1/targets/');

let json: Outcome;
let document: Record<string, unknown>;

beforeAll(async () => {
  writeFileSync(inFolder('table.csv'), smallTable());
  json = await calibrate('--out', 'whole', '--json');
  expect(json.code, json.stderr).toBe(0);
  document = JSON.parse(json.stdout);
});

describe('calibrate', () => {
  it('prints one JSON document: its file with seconds and memory', () => {
    const { seconds, peakMemoryMiB, ...found } = document;
    expect(calibrationSchema.parse(found)).toEqual(readJson('whole', 'confidential', 'calibration.json'));
    expect(Object.keys(seconds as object)).toContain('total');
    expect(peakMemoryMiB).toBeGreaterThan(10);
    expect(found).toMatchObject({ targets: 12, replicates: 2, estimator: 'augmented', slopeApplied: 1 });
  });

  it('says beforehand how long it takes, and then how far it is', () => {
    expect(json.stderr).toMatch(/^2 replicates of 12 targets: about [\d.]+ (?:s|min)(?: \d+ s)? with 2 jobs, and \d+ MiB of disk\n/);
    for (const step of ['Fit the base chains', 'Synthesize', 'paired chains', 'Score the targets', 'report']) {
      expect(json.stderr).toContain(step);
    }
  });

  it('leaves a page, a true manifest, and nothing to release', () => {
    const paths = filesBelow(inFolder('whole'));
    const kept = paths.filter((path) => !/(^|\/)(draws|synthesis|scores)\//.test(path));
    const replicate = (r: number) => [
      `replicates/${r}/confidential/plan.json`,
      `replicates/${r}/confidential/release-key`,
      ...['combinations.npy', 'counts.npy', 'schema.json'].map((name) => `replicates/${r}/table/${name}`),
      ...['centres.npy', 'records.npy', 'truths.npy', 'unique.npy'].map((name) => `replicates/${r}/targets/${name}`),
    ];
    expect(kept).toEqual([
      'confidential/calibration.html',
      'confidential/calibration.json',
      'confidential/manifest.json',
      'confidential/manifest.signature.json',
      'confidential/place-key',
      'confidential/plan.json',
      'confidential/release-key',
      'manifest.json',
      'manifest.signature.json',
      'plan.json',
      ...replicate(1),
      ...replicate(2),
      'run.json',
      'table/combinations.npy',
      'table/counts.npy',
      'table/schema.json',
    ]);
    expect(manifestOf(inFolder('whole'), 'confidential/manifest.json')).toEqual(listedFiles(inFolder('whole')));
    expect(manifestOf(inFolder('whole'), 'manifest.json')).toEqual({});
  });

  it('tells a person of a finished one at once, and changes no file', async () => {
    const before = fileStates(inFolder('whole'));
    const { code, stdout, stderr } = await calibrate('--out', 'whole');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('2 replicates of 12 targets among 60 records');
    expect(stdout).toMatch(/claimed +-?\d+\.\d+ ± \d+\.\d+ bits a record/);
    expect(stdout).toContain((document.verdict as { message: string }).message);
    expect(stdout).toContain(join('whole', 'confidential', 'calibration.html'));
    expect(fileStates(inFolder('whole'))).toEqual(before);
  });

  it('leaves the same bytes with one job and batches of one', async () => {
    const args = ['--jobs', '1', '--batch-size', '1', '--out', 'one', '--quiet'];
    const { code, stderr } = await calibrate(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(results('one')).toEqual(results('whole'));
  });

  it('goes on with one that stopped, to the same bytes', async () => {
    const stopper = `
import { promises as fs } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
let artifacts = 0;
const { link } = fs;
fs.link = async (...paths) => {
  await link(...paths);
  if (!isMainThread && ++artifacts === 8) process.kill(process.pid, 'SIGKILL');
};
`;
    writeFileSync(inFolder('stopper.mjs'), stopper);
    const args = ['calibrate', ...flags, '--targets', '12', '--replicates', '2', '--out', 'stopped', '--quiet'];
    const stopped = await synthrisk(directory, args, { nodeFlags: ['--import', './stopper.mjs'] });
    expect(stopped.code).not.toBe(0);
    expect(readJson('stopped', 'run.json').status).toBe('running');
    const refused = await run(...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('holds this run, unfinished. Add --resume to go on with it.');
    const resumed = await run(...args, '--resume');
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(results('stopped')).toEqual(results('whole'));
  });
});

describe('report --calibration', () => {
  const report = (...args: string[]) => run('report', 'evaluated', ...args);

  beforeAll(async () => {
    const evaluated = await run('evaluate', ...flags, '--seed', '4', '--out', 'evaluated', '--quiet');
    expect(evaluated.code, evaluated.stderr).toBe(0);
  });

  const page = () => readFileSync(inFolder('evaluated', 'confidential', 'report.html'), 'utf8');

  it('adds a section to the report of a run of the same table and settings, which stays', async () => {
    expect(page()).not.toContain('id="calibration"');
    const { code, stderr } = await report('--calibration', 'whole');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(page()).toContain('id="calibration"');
    expect(page()).toContain(`calibration ${document.runId}`);
    const listed = manifestOf(inFolder('evaluated'), 'confidential/manifest.json');
    expect(listed['confidential/calibration.json']).toBe(
      fileHashes(inFolder('whole'), 'confidential/calibration.json')['confidential/calibration.json'],
    );
    expect((await report()).code).toBe(0);
    expect(page()).toContain('id="calibration"');
  });

  it('writes the page of a calibration again', async () => {
    const before = fileHashes(inFolder('whole'), 'confidential/', 'manifest.json');
    const { code, stdout } = await run('report', 'whole');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join('whole', 'confidential', 'calibration.html')}\n` });
    expect(fileHashes(inFolder('whole'), 'confidential/', 'manifest.json')).toEqual(before);
  });

  it('refuses calibrations of something else, and leaves every file as it is', async () => {
    writeFileSync(inFolder('other.csv'), smallTable({ seed: 4 }));
    const other = ['--targets', '12', '--replicates', '1', '--quiet'];
    const made = [
      run('calibrate', 'other.csv', ...flags.slice(1), ...other, '--out', 'other-table'),
      run('calibrate', ...flags, ...other, '--unknown', 'region', '--classes', '5', '--out', 'other-settings'),
      run('assess', 'table.csv', '--synthetic', 'other.csv', ...FLAGS_WITH_UTILITY, '--quiet', '--out', 'elsewhere'),
    ];
    for (const { code, stderr } of await Promise.all(made)) expect(code, stderr).toBe(0);
    const before = fileStates(directory);
    const refusals: [string[], string, string][] = [
      [['evaluated', '--calibration', 'other-table'], 'other-table', 'of another table'],
      [['evaluated', '--calibration', 'other-settings'], 'other-settings', 'model.classes, attributeRisk.candidates'],
      [['evaluated', '--calibration', 'evaluated'], 'no-calibration', 'is no calibration'],
      [['evaluated', '--calibration', 'gone'], 'no-run', 'holds no run'],
      [['elsewhere', '--calibration', 'whole'], 'datasets-made-elsewhere', 'made elsewhere'],
      [['whole', '--calibration', 'whole'], 'nothing-to-report', 'assessed no risk'],
    ];
    for (const [args, error, words] of refusals) {
      const outcome = await run('report', ...args, '--json');
      const { code, stderr } = outcome;
      expect({ code, error: errorOf(outcome).code }).toEqual({ code: 2, error });
      expect(stderr).toContain(words);
    }
    const assess = await run('assess', 'table.csv', '--run', 'whole', '--out', 'out');
    expect(assess.code).toBe(2);
    expect(assess.stderr).toContain('is a calibration: what it synthesized is of altered');
    expect(fileStates(directory)).toEqual(before);
  });
});

describe('calibrate refuses', () => {
  it.each([
    ['more targets than records', ['table.csv', '--targets', '61'], '(--targets), and more replicates (--replicates) for'],
    ['one target', ['table.csv', '--targets', '1'], 'expected a whole number from 2'],
    ['continuous variables', ['continuous.csv'], 'Column `B` is numeric with 80 distinct values.'],
    ['acceptance rules', ['table.csv', '--accept', 'table.records >= 1'], 'no option --accept'],
    ['rounds', ['table.csv', '--reproducibility', '0.9'], 'no option --reproducibility'],
    ['no table', [], 'Name a table: '],
  ])('%s', async (_, args, error) => {
    const values = Array.from({ length: 80 }, (__, i) => `${i % 2},${i + i / 7}`);
    writeFileSync(inFolder('continuous.csv'), `A,B\n${values.join('\n')}\n`);
    const { code, stdout, stderr } = await run('calibrate', ...args, '--out', 'refused');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(error);
    expect(filesBelow(inFolder('refused'))).toEqual([]);
  });
});
