import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Comparison, comparisonSchema } from '../../../shared/contracts/results/comparison.ts';
import { csvRows, smallTable } from '../../pipeline/small-run.ts';
import { FLAGS_WITH_UTILITY, fileHashes, filesBelow, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const at = (path: string) => join(directory, path);
const compare = (...args: string[]) => synthrisk(directory, ['compare', ...args]);

let found: Comparison;

beforeAll(async () => {
  writeFileSync(at('table.csv'), smallTable());
  writeFileSync(at('other.csv'), smallTable({ seed: 4 }));
  const evaluations = {
    two: ['table.csv', '--datasets', '2', '--seed', '1'],
    three: ['table.csv', '--datasets', '3', '--seed', '2'],
    again: ['table.csv', '--datasets', '3', '--seed', '1'],
    other: ['other.csv', '--datasets', '2'],
  };
  for (const [out, args] of Object.entries(evaluations)) {
    const run = await synthrisk(directory, ['evaluate', ...args, ...FLAGS_WITH_UTILITY, '--out', out, '--quiet']);
    expect(run.code, run.stderr).toBe(0);
  }
  const { code, stdout, stderr } = await compare('two', 'three', '--json');
  expect(code, stderr).toBe(0);
  found = comparisonSchema.parse(JSON.parse(stdout));
});

const summaryOf = (run: string) => JSON.parse(readFileSync(at(`${run}/confidential/summary.json`), 'utf8'));

describe('compare', () => {
  it('has the figures of the summaries of its runs, by their paths', () => {
    expect(found.runs.map(({ name, datasets }) => [name, datasets])).toEqual([
      ['two', 2],
      ['three', 3],
    ]);
    for (const { name, runId, risk, utility } of found.runs) {
      const summary = summaryOf(name);
      const [own] = summary.attributeRisk;
      expect(runId).toBe(summary.runId);
      const scenario = `attributeRisk[${JSON.stringify(own.scenario)}]`;
      expect(risk[`${scenario}.gainBitsMean`]).toMatchObject({ value: own.gainBitsMean, se: own.gainBitsMeanSe });
      for (const [field, value] of Object.entries(summary.utility.figures)) {
        expect(utility[`utility.figures.${field}`]!.value).toBe(value);
      }
      const { value, datasets } = utility['utility.figures.twoWayTotalVariation']!;
      expect(datasets!.reduce((sum, one) => sum + one, 0) / datasets!.length).toBeCloseTo(value!, 12);
      const main = summary.utility.propensity[0].datasets.map(({ pmse }: { pmse: number }) => pmse);
      expect(utility['utility.figures.propensityMain']!.datasets).toEqual(main);
    }
    expect(found.map).toEqual({
      risk: expect.stringMatching(/^attributeRisk\[.*\]\.gainBitsMean$/),
      utility: 'utility.figures.propensityPairs',
    });
  });

  it('writes a page and tables, the same bytes each time, and tells a person the map in numbers', async () => {
    for (const out of ['first', 'second']) {
      const { code, stdout } = await compare('two', 'three', '--out', out);
      expect(code).toBe(0);
      expect(stdout).toContain('Differences');
      expect(stdout).toContain(join(out, 'confidential', 'comparison.html'));
    }
    const files = ['comparison.csv', 'comparison.html', 'comparison.json', 'differences.csv'];
    expect(filesBelow(at('first'))).toEqual(files.map((name) => `confidential/${name}`));
    expect(fileHashes(at('second'), '')).toEqual(fileHashes(at('first'), ''));
    expect(JSON.parse(readFileSync(at('first/confidential/comparison.json'), 'utf8'))).toEqual(found);
    const page = readFileSync(at('first/confidential/comparison.html'), 'utf8');
    expect(page.match(/<svg/g)).toHaveLength(1);
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    const [, ...rows] = csvRows(readFileSync(at('first/confidential/differences.csv')));
    expect(rows).toHaveLength(found.differences.length);
  });

  it('takes the measures of the map by their paths', async () => {
    const { stdout } = await compare('two', 'three', '--utility', 'utility.figures.propensityMain', '--json');
    expect(JSON.parse(stdout).map.utility).toBe('utility.figures.propensityMain');
  });

  it('gives no error to differences of runs under one release key and seed', async () => {
    const { stdout } = await compare('two', 'again', '--json');
    for (const { se, seReason } of JSON.parse(stdout).differences) {
      expect(se).toBeNull();
      expect(seReason).toContain('release key');
    }
    expect(found.differences.some(({ se }) => se !== null)).toBe(true);
  });

  it('prints no digest, key or value of the table', async () => {
    const { stdout } = await compare('two', 'three', '--json');
    const plan = JSON.parse(readFileSync(at('two/confidential/plan.json'), 'utf8'));
    expect(stdout).not.toContain(plan.table.sha256.slice(0, 12));
    expect(stdout).not.toContain(readFileSync(at('two/confidential/release-key'), 'utf8').trim().slice(0, 12));
    const [, ...rows] = csvRows(smallTable());
    const long = [...new Set(rows.flat())].filter((value) => value.length > 6);
    expect(long.length).toBeGreaterThan(3);
    for (const value of long) expect(stdout).not.toContain(value);
  });

  it.each([
    ['a single run', ['two'], 'Name two runs at least.'],
    ['a run twice', ['two', './two'], 'A run is named twice.'],
    ['runs of other tables', ['two', 'other'], 'is of another table than'],
    ['a folder without a run', ['two', 'nowhere'], 'nowhere holds no run'],
    ['a measure that there is not', ['two', 'three', '--risk', 'x'], 'names no measure that all of these runs have: expected'],
    ['a folder in use', ['two', 'three', '--out', 'two'], 'Choose an empty --out folder.'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await compare(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
