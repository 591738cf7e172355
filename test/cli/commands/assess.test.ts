import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { csvRows, smallTable } from '../../pipeline/small-run.ts';
import { fileHashes, fileStates, filesBelow, SMALL_FLAGS, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const results = (out: string) => fileHashes(inFolder(out), 'confidential/', 'diagnostics/');
const OWN = ['run/release/synthetic-1.csv', 'run/release/synthetic-2.csv'];

async function assess(...args: string[]) {
  const outcome = await synthrisk(directory, ['assess', 'table.csv', ...args, '--json', '--quiet', '--jobs', '2']);
  expect(outcome.code, outcome.stderr).toBe(0);
  return JSON.parse(outcome.stdout);
}

/** The ranks of the truth, one a combination. */
function ranks(out: string): number[] {
  const [header, ...rows] = csvRows(readFileSync(inFolder(out, 'confidential', 'attribute-risk.csv')));
  const column = header!.indexOf('rank');
  return rows.map((row) => Number(row[column]));
}

beforeAll(async () => {
  writeFileSync(inFolder('table.csv'), smallTable());
  const args = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--paired-draws', '30', '--datasets', '2'];
  const { code, stderr } = await synthrisk(directory, [...args, '--out', 'run', '--quiet']);
  expect(code, stderr).toBe(0);
});

describe('assess --run', () => {
  it("takes the run's settings and datasets, and leaves the same bytes for the same seed", async () => {
    const summary = await assess('--run', 'run', '--seed', '2', '--out', 'second');
    expect(summary).toMatchObject({
      seed: 2,
      model: { classes: 6, chains: 3, drawsKept: 12 },
      synthesis: { datasets: 2, chains: 'own' },
      attributeRisk: [{ estimator: 'augmented' }],
    });
    await assess('--run', 'run', '--seed', '2', '--out', 'again');
    expect(results('again')).toEqual(results('second'));
    expect(filesBelow(inFolder('second')).filter((path) => path.startsWith('release/'))).toEqual([]);
  });

  it('estimates the same risk with another seed, in other bytes', async () => {
    await assess('--run', 'run', '--seed', '3', '--out', 'third');
    const [a, b] = [results('second'), results('third')];
    expect(Object.keys(a)).toEqual(Object.keys(b));
    // Nobody signs on this machine, and that is said in the same words.
    const same = Object.keys(a).filter((path) => a[path] === b[path]);
    expect(same).toEqual(['confidential/manifest.signature.json']);
    // Ranks of two evaluations go together: their correlation over combinations is far above none.
    const [x, y] = [ranks('second'), ranks('third')];
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const product = (u: number[], v: number[]) => mean(u.map((value, i) => (value - mean(u)) * (v[i]! - mean(v))));
    expect(product(x, y) / Math.sqrt(product(x, x) * product(y, y))).toBeGreaterThan(0.3);
  });

  it("accepts the run's own files by name, which change nothing", async () => {
    await assess('--run', 'run', '--synthetic', ...OWN, '--seed', '2', '--out', 'named');
    expect(results('named')).toEqual(results('second'));
  });

  it('goes on from an assessment, which has the draws that generated its datasets', async () => {
    await assess('--run', 'second', '--estimator', 'parameters', '--out', 'upper');
    expect(ranks('upper')).toHaveLength(ranks('second').length);
    const again = ['assess', 'table.csv', '--run', 'second', '--synthetic', ...OWN, '--out', 'none'];
    const { code, stderr } = await synthrisk(directory, again);
    expect(code).toBe(2);
    expect(stderr).toContain('That run made no datasets of its own');
  });
});

describe('assess --synthetic', () => {
  it('assesses files as made elsewhere, whose generating draws are unknown', async () => {
    const summary = await assess('--synthetic', ...OWN, ...SMALL_FLAGS, '--out', 'foreign');
    expect(summary.synthesis).toMatchObject({ datasets: 2, chains: 'foreign' });
    const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);
    expect(codes(summary)).toContain('made-elsewhere');
    const own = JSON.parse(readFileSync(inFolder('run', 'confidential', 'summary.json'), 'utf8'));
    expect(codes(own)).not.toContain('made-elsewhere');
    expect(filesBelow(inFolder('foreign')).some((path) => path.startsWith('draws/synthesis/'))).toBe(false);
    const refused = ['assess', 'table.csv', '--run', 'foreign', '--out', 'none'];
    const { code, stderr } = await synthrisk(directory, refused);
    expect(code).toBe(2);
    expect(stderr).toContain('That run assessed datasets made elsewhere');
    expect(filesBelow(inFolder('none'))).toEqual([]);
  });
});

describe('report', () => {
  it("writes the same bytes again, from a run's files", async () => {
    const report = join('run', 'confidential', 'report.html');
    const expected = fileHashes(inFolder('run'), '');
    writeFileSync(inFolder(report), 'spoilt');
    const { code, stdout, stderr } = await synthrisk(directory, ['report', 'run']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${report}\n`, stderr: '' });
    expect(fileHashes(inFolder('run'), '')).toEqual(expected);
  });

  it('prints one JSON document when asked to', async () => {
    const { stdout } = await synthrisk(directory, ['report', 'run', '--json']);
    expect(JSON.parse(stdout)).toEqual({ report: join('run', 'confidential', 'report.html') });
  });

  it('refuses a run that is not finished, and changes nothing', async () => {
    const state = JSON.parse(readFileSync(inFolder('again', 'run.json'), 'utf8'));
    writeFileSync(inFolder('again', 'run.json'), JSON.stringify({ ...state, status: 'interrupted' }));
    const before = fileStates(inFolder('again'));
    const { code, stderr } = await synthrisk(directory, ['report', 'again']);
    expect(code).toBe(2);
    expect(stderr).toContain('Its own command with --resume goes on with it.');
    expect(stderr).toContain('interrupted');
    expect(fileStates(inFolder('again'))).toEqual(before);
  });
});

describe('assess of partially synthetic data', () => {
  const partial = ['--synthesized', 'education,employment'];

  it('plans, makes and assesses them, of a run with its draws and of files without', async () => {
    const args = ['table.csv', ...SMALL_FLAGS, '--datasets', '2', ...partial];
    const plan = await synthrisk(directory, ['plan', ...args]);
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stdout).toMatch(/^\d+ candidates for each record, \d+ in all$/m);
    const made = await synthrisk(directory, ['evaluate', ...args, '--out', 'partial', '--quiet']);
    expect(made.code, made.stderr).toBe(0);
    const summary = await assess('--run', 'partial', '--seed', '2', '--out', 'partial-run');
    expect(summary.synthesis).toMatchObject({ kind: 'partial', synthesized: ['education', 'employment'] });
    expect(ranks('partial-run')).toHaveLength(60);
    const files = ['partial/release/synthetic-1.csv', 'partial/release/synthetic-2.csv'];
    const elsewhere = await assess('--synthetic', ...files, ...SMALL_FLAGS, ...partial, '--out', 'partial-files');
    expect(elsewhere.synthesis).toMatchObject({ kind: 'partial', chains: 'foreign' });
    expect(ranks('partial-files')).toHaveLength(60);
  });

  it('refuses a file whose rows are not those of the records, naming row and column and no value', async () => {
    const [header, ...rows] = csvRows(readFileSync(inFolder('table.csv')));
    const shuffled = [header!, ...rows.reverse()].map((row) => row.map((cell) => `"${cell}"`).join());
    writeFileSync(inFolder('shuffled.csv'), shuffled.join('\n'));
    const args = ['assess', 'table.csv', '--synthetic', 'shuffled.csv', ...partial, '--out', 'none'];
    const { code, stderr } = await synthrisk(directory, args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: dataset 1, row \d+: the value of `\w+` of the table is not /m);
    for (const value of new Set(rows.flat())) expect(stderr).not.toMatch(new RegExp(`\\b${value}\\b`));
  });
});
