import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { csvRows, smallTable } from '../pipeline/small-run.ts';
import { errorOf, fileHashes, filesBelow, type Outcome, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const evaluate = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2'];
const read = (path: string) => readFileSync(join(directory, path), 'utf8');

let before: Outcome;
let after: Outcome;

beforeAll(async () => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
  before = await synthrisk(directory, [...evaluate, '--out', 'before', '--json']);
  expect(before.code, before.stderr).toBe(0);
  writeFileSync(join(directory, 'before/confidential/risky.csv'), 'combination,why\n7,high\n2,high\n');
  const named = ['--leave-out', 'before/confidential/risky.csv', '--out', 'after', '--json'];
  after = await synthrisk(directory, [...evaluate, ...named]);
  expect(after.code, after.stderr).toBe(0);
});

describe('evaluate --leave-out', () => {
  it('compares with the run in whose confidential folder the file lies, and says what became of the risk', () => {
    const { leftOut } = JSON.parse(after.stdout);
    expect(leftOut.combinations).toEqual([2, 7]);
    expect(leftOut.after.named).toMatchObject({ informationBitsMean: 0, gainBitsMean: 0 });
    // Of what it never saw nothing is simulated; the change has the errors of both runs.
    expect(leftOut.after.named).toMatchObject({ probabilityMeanSe: 0, informationBitsMeanSe: 0, rankMeanSe: 0 });
    for (const group of ['named', 'others'] as const) {
      const [one, other] = [leftOut.before[group], leftOut.after[group]];
      for (const figure of ['truthRankedFirstShare', 'rankMean', 'probabilityMean', 'informationBitsMean']) {
        const { mean, standardError } = leftOut.change[group][figure];
        expect(mean).toBeCloseTo(other[figure] - one[figure], 12);
        expect(standardError).toBeCloseTo(Math.hypot(one[`${figure}Se`], other[`${figure}Se`]), 12);
      }
      expect(leftOut.change[group].probabilityMean.standardError).toBeGreaterThan(0);
    }
    expect(leftOut.before.runId).toBe(JSON.parse(before.stdout).runId);
    const [header, ...lines] = csvRows(readFileSync(join(directory, 'before/confidential/attribute-risk.csv')));
    const cell = (combination: number, name: string) => Number(lines[combination - 1]![header!.indexOf(name)]);
    expect(leftOut.before.rows).toHaveLength(2);
    for (const row of leftOut.before.rows) {
      expect(row.probability).toBe(cell(row.combination, 'probability'));
      expect(row.informationBits).toBe(cell(row.combination, 'information_bits'));
      expect(row.count).toBe(cell(row.combination, 'count'));
    }
    const counted = lines.map((_, at) => cell(at + 1, 'count'));
    const { named: gone, others } = leftOut.before;
    expect(gone.records + others.records).toBe(counted.reduce((sum, count) => sum + count, 0));
    const file = JSON.parse(before.stdout).attributeRisk[0];
    const mean = (gone.records * gone.gainBitsMean + others.records * others.gainBitsMean) / 60;
    expect(mean).toBeCloseTo(file.gainBitsMean, 6);
    expect(leftOut.before.file.gainBits.mean).toBe(file.gainBitsMean);
    expect(read('after/confidential/report.html')).toContain('Records left out of the fit');
  });

  it('gives the same with the folder named, and the numbers typed', async () => {
    const named = ['--leave-out', '7,2,7', '--compare', 'before', '--out', 'typed', '--json'];
    const typed = await synthrisk(directory, [...evaluate, ...named]);
    expect(typed.code, typed.stderr).toBe(0);
    expect(JSON.parse(typed.stdout).leftOut).toEqual(JSON.parse(after.stdout).leftOut);
    expect(fileHashes(join(directory, 'typed'), 'release/')).toEqual(fileHashes(join(directory, 'after'), 'release/'));
  });

  it('tells a person, and says when there is nothing to compare', async () => {
    const { code, stdout } = await synthrisk(directory, [...evaluate, '--leave-out', '1', '--out', 'alone']);
    expect(code).toBe(0);
    expect(stdout).toContain('Left out of the fit: 1 combination');
    expect(stdout).toContain('no run before was named');
  });

  it('leaves no trace in open files and in the progress', () => {
    const open = filesBelow(join(directory, 'after')).filter((path) => /^[^/]*$/.test(path));
    expect(open).toEqual(expect.arrayContaining(['manifest.json', 'plan.json', 'run.json']));
    for (const path of open) expect(read(join('after', path))).not.toMatch(/leave|left/i);
    expect(after.stderr).not.toMatch(/leave|left.?out|risky/i);
    const settings = (path: string) => {
      const { runId: _, ...plan } = JSON.parse(read(path));
      return plan;
    };
    expect(settings('after/plan.json')).toEqual(settings('before/plan.json'));
    const sizes = (run: string) => read(join(run, 'release/synthetic-1.csv')).trim().split('\n').length;
    expect(sizes('after')).toBe(sizes('before'));
  });
});

describe('what cannot be left out is refused', () => {
  const everything = Array.from({ length: 60 }, (_, i) => i + 1);
  const cases: [string, string[], string, RegExp][] = [
    ['a combination that is not there', ['--leave-out', '61'], 'unknown-combination', /numbers of the column/],
    ['something else than numbers', ['--leave-out', '0'], 'malformed-combinations', /whole ones from 1/],
    ['a file without the column', ['--leave-out', 'table.csv'], 'malformed-combinations', /no column/],
    ['a file that is not there', ['--leave-out', 'none.csv'], 'unreadable-file', /no file/],
    ['kept variables', ['--leave-out', '1', '--synthesized', 'education'], 'leave-out-of-partial', /all variables/],
    ['all cells', ['--leave-out', '1', '--candidates', 'all-cells'], 'leave-out-of-cells', /one-change/],
    ['nothing, compared', ['--compare', 'before'], 'nothing-left-out', /--leave-out/],
    ['no run', ['--leave-out', '1', '--compare', 'nowhere'], 'no-run', /holds no run/],
    [
      'a run of other candidates',
      ['--leave-out', '1', '--compare', 'before', '--candidates', 'two-changes'],
      'other-settings',
      /: it differs in attributeRisk\.scenarios\.1\.candidates\.$/m,
    ],
  ];

  it.each(cases)('%s', async (_, flags, error, words) => {
    const refused = await synthrisk(directory, [...evaluate, ...flags, '--out', 'refused', '--json']);
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 2, error });
    expect(refused.stderr).toMatch(words);
    expect(filesBelow(join(directory, 'refused'))).toEqual([]);
  });

  it('all combinations of the table', async () => {
    const [, ...lines] = csvRows(readFileSync(join(directory, 'before/confidential/attribute-risk.csv')));
    const all = everything.slice(0, lines.length).join(',');
    const flags = ['--leave-out', all, '--out', 'refused', '--json'];
    const refused = await synthrisk(directory, [...evaluate, ...flags]);
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 2, error: 'nothing-left' });
  });

  it('a number in a config that is none, without telling how many there are', async () => {
    writeFileSync(join(directory, 'bad.yaml'), 'synthesis: { leaveOut: [1, 2, 41, -7] }\n');
    const flags = ['--config', 'bad.yaml', '--out', 'refused', '--json'];
    const { code, stdout, stderr } = await synthrisk(directory, [...evaluate, ...flags]);
    for (const told of [stdout, stderr]) {
      expect(told).toContain('synthesis.leaveOut');
      expect(told).not.toMatch(/leaveOut\[|41|-7|\b3\b/);
    }
    expect(code).toBe(2);
  });

  it('from a calibration', async () => {
    writeFileSync(join(directory, 'out.yaml'), 'synthesis: { leaveOut: [1] }\n');
    const flags = ['calibrate', 'table.csv', '--config', 'out.yaml', '--targets', '2', '--out', 'refused', '--json'];
    const refused = await synthrisk(directory, flags);
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 2, error: 'uncalibrated' });
  });
});
