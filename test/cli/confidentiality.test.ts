import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { filesBelow, type Outcome, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

/** A category that occurs in the table alone: neither a name, nor part of the config or the command. */
const CANARY = 'CANARY-7Q';

/**
 * Where a value of the table may be:
 * - release/, because synthetic records take the categories of the real ones; whether it leaves is a person's
 *   decision;
 * - confidential/, because its purpose is to name the records at risk, and it never leaves;
 * - table/schema.json, which the other steps need to write those two.
 */
const ALLOWED = /^(release\/|confidential\/|table\/schema\.json$)/;

/** Names of the table and of a person, which are for those who decide. */
const NAMES = ['--table-name', 'Survey SPARROW', '--by', 'A. HERON'];

const directory = temporaryFolder();
let run: Outcome;

beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'm' : 'f'},${[CANARY, 'clerk', 'none'][((7 * i) % 5) % 3]}`);
  writeFileSync(join(directory, 'table.csv'), `SEX,JOB\n${rows.join('\n')}\n`);
  const args = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2', '--out', 'run', ...NAMES];
  run = await synthrisk(directory, args);
  expect(run.code, run.stderr).toBe(0);
});

describe('a value of the table', () => {
  /** Files of the run that hold the value as text, in UTF-8 or UTF-16. */
  const holding = () =>
    filesBelow(join(directory, 'run')).filter((path) => {
      const bytes = readFileSync(join(directory, 'run', path));
      return bytes.includes(CANARY) || bytes.includes(Buffer.from(CANARY, 'utf16le'));
    });

  it('is in no file but those that may hold it', () => {
    expect(holding().filter((path) => !ALLOWED.test(path))).toEqual([]);
  });

  it('is in those that need it', () => {
    expect(holding()).toEqual(
      expect.arrayContaining([
        'confidential/attribute-risk.csv',
        'confidential/variable-risk.csv',
        'release/synthetic-1.csv',
        'table/schema.json',
      ]),
    );
  });

  it('is neither in what a person is told nor in the progress', async () => {
    expect(run.stdout).toContain('60 records');
    expect(run.stderr).toContain('Fit the base chains');
    expect(run.stdout + run.stderr).not.toContain('CANARY');
    const json = await synthrisk(directory, ['evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2', '--out', 'run', '--json']);
    expect(JSON.parse(json.stdout).table.records).toBe(60);
    expect(json.stdout + json.stderr).not.toContain('CANARY');
  });
});

describe('a name of the table or of who ran it', () => {
  const isHeld = (path: string) => /SPARROW|HERON|FINCH/.test(readFileSync(join(directory, 'run', path), 'latin1'));

  it('is in the report and the plan of those who decide, and nowhere else', () => {
    expect(filesBelow(join(directory, 'run')).filter(isHeld)).toEqual(['confidential/plan.json', 'confidential/report.html']);
    expect(run.stdout + run.stderr).not.toMatch(/SPARROW|HERON/);
  });

  it('is refused for a run that is there with another, and is put in the place of it by report alone', async () => {
    const again = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2', '--out', 'run'];
    expect(await synthrisk(directory, [...again, ...NAMES])).toMatchObject({ code: 0 });
    const other = await synthrisk(directory, [...again, '--by', 'B. FINCH']);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('synthrisk report run takes them') });
    const named = ['report', 'run', '--by', 'B. FINCH'];
    const { code, stderr } = await synthrisk(directory, [...named, '--public']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('the public page never') });
    expect(await synthrisk(directory, named)).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'run/confidential/report.html'), 'utf8')).toMatch(/Survey SPARROW.*B\. FINCH/s);
    expect(await synthrisk(directory, ['report', 'run', '--evidence'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'run/confidential/evidence.html'), 'utf8')).toMatch(/Survey SPARROW.*B\. FINCH/s);
    expect(filesBelow(join(directory, 'run')).filter((path) => isHeld(path) && !path.startsWith('confidential/'))).toEqual([]);
  });

  it.each([
    ['--by', ''],
    ['--table-name', 'one\nanother'],
  ])('is refused as %s %j', async (flag, name) => {
    const { code, stderr } = await synthrisk(directory, ['evaluate', 'table.csv', flag, name]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('one line of text, not empty') });
  });
});
