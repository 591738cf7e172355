import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallTable } from '../pipeline/small-run.ts';
import { SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const page = () => readFileSync(join(directory, 'run/confidential/report.html'), 'utf8');
const report = (...args: string[]) => synthrisk(directory, ['report', 'run', ...args]);

beforeAll(async () => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
  const run = await synthrisk(directory, [
    ...['evaluate', 'table.csv', '--out', 'run', '--datasets', '2', '--no-utility', '--quiet'],
    ...SMALL_FLAGS,
  ]);
  expect(run.code, run.stderr).toBe(0);
  // So few draws converge on nothing.
  expect(run.stdout).toMatch(
    /^Verdict: No acceptance rule was set.* No figure of attribute risk can be relied upon\. The chains have not converged/m,
  );
});

describe('report', () => {
  it('includes what other tools measure of the release', async () => {
    const attack = (out: string, ...datasets: string[]) =>
      synthrisk(directory, [
        ...['attack', 'table.csv', '--synthetic', ...datasets, '--keys', 'region,age_group'],
        ...['--target', 'education', '--attempts', '5', '--out', out, '--quiet'],
      ]);
    const [first, second] = [1, 2].map((l) => `run/release/synthetic-${l}.csv`) as [string, string];
    expect(await attack('both', first, second)).toMatchObject({ code: 0 });
    expect(await attack('one', first)).toMatchObject({ code: 0 });
    expect(page()).not.toContain('as synthpop measures it');
    expect(await report('--attack', 'one')).toMatchObject({ code: 2, stderr: expect.stringContaining('are of another release') });
    expect(await report('--attack', 'both')).toMatchObject({ code: 0 });
    expect(page()).toContain('as synthpop measures it');
    expect(await report()).toMatchObject({ code: 0 });
    expect(page()).toContain('as synthpop measures it');
  });

  it('holds attacks on its release against the optimal test of the run, and refuses another table or release', async () => {
    writeFileSync(join(directory, 'control.csv'), smallTable({ seed: 9 }));
    writeFileSync(join(directory, 'other.csv'), smallTable({ seed: 4 }));
    const known = ['--keys', 'region,age_group', '--target', 'education', '--attempts', '5', '--quiet', '--run', 'run'];
    const attack = (...args: string[]) => synthrisk(directory, ['attack', ...args, ...known]);
    const [first, second] = [1, 2].map((l) => `run/release/synthetic-${l}.csv`) as [string, string];
    const found = await attack('table.csv', '--control', 'control.csv', '--json');
    expect(found.code, found.stderr).toBe(0);
    const { optimal, membership } = JSON.parse(found.stdout);
    const [risk] = JSON.parse(readFileSync(join(directory, 'run/confidential/summary.json'), 'utf8')).attributeRisk;
    expect(optimal).toEqual([
      { scenario: risk.scenario, knows: 'others', others: 'simulated', auc: risk.membership.auc, aucSe: risk.membership.aucSe },
    ]);
    for (const { auc, ofOptimal } of membership) {
      const [{ share, reason }] = ofOptimal;
      if (reason === undefined) expect(share).toBeCloseTo((auc - 0.5) / (risk.membership.auc - 0.5), 9);
      else expect(risk.membership.auc - 0.5).toBeLessThan(2 * risk.membership.aucSe);
    }
    // In whatever order, and without a control.
    const named = await attack('table.csv', '--synthetic', second, first);
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('Tests of who is in the table: none.') });
    const refused = { code: 2, stderr: expect.stringContaining('has other datasets') };
    expect(await attack('table.csv', '--synthetic', first, first)).toMatchObject(refused);
    expect(await attack('table.csv', '--synthetic', first)).toMatchObject(refused);
    expect(await attack('other.csv')).toMatchObject({ code: 2, stderr: expect.stringContaining('of another table') });
    const dropped = await attack('table.csv', '--categorical', 'region', '--drop', 'employment');
    expect(dropped).toMatchObject({ code: 2, stderr: expect.stringContaining('with other settings') });
  });

  it('includes remedies of its own run, and says where none are', async () => {
    expect(await report('--remedies', 'run-remedies')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run-remedies/confidential/remedies.json'),
    });
    const tried = await synthrisk(directory, [...['remedies', 'run', '--table', 'table.csv', '--datasets', '1', '--quiet']]);
    expect(tried.code, tried.stderr).toBe(0);
    expect(await report('--remedies', 'run-remedies')).toMatchObject({ code: 0 });
    expect(page()).toMatch(/What was tried.*1 dataset/s);
    const path = join(directory, 'run-remedies/confidential/remedies.json');
    const found = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...found, runId: '0123456789abcdef' }));
    expect(await report('--remedies', 'run-remedies')).toMatchObject({ code: 2, stderr: expect.stringContaining('another run') });
    writeFileSync(path, '{}');
    expect(await report('--remedies', 'run-remedies')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not what `synthrisk remedies` of this version writes'),
    });
  });
});
