import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { AttributeRiskSummary } from '../../shared/contracts/results/summary.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { errorOf, filesBelow, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const table = smallTable();
const [header, ...rows] = csvRows(table) as [string[], ...string[][]];
const regions = [...new Set(rows.map(([region]) => region!))];

const oneChange = { name: 'one change', candidates: 'one-change' };
const lacksTwo = { name: 'lacks two', candidates: { unknown: ['region', 'education'] } };
const weighs = { name: 'weighs the regions', candidates: { unknown: ['region'] }, prior: { file: 'weights.csv' } };
const hasSome = { name: 'has some records', knows: { file: 'known.csv' } };
const allCells = { name: 'all cells', candidates: 'all-cells' };

/** Both orders of two scenarios. */
const orders = <One, Other>(one: One, other: Other): (One | Other)[][] => [
  [one, other],
  [other, one],
];

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content);

/** A config file of some scenarios. */
function configOf(name: string, scenarios: readonly object[], settings: object = {}): string {
  write(`${name}.yaml`, stringify({ ...SMALL_SETTINGS, ...settings, attributeRisk: { scenarios } }));
  return `${name}.yaml`;
}

const evaluate = (config: string, out: string, from = 'table.csv') =>
  synthrisk(directory, ['evaluate', from, '--config', config, '--out', out, '--json', '--quiet']);

beforeAll(async () => {
  write('table.csv', table);
  write(
    'incomplete.csv',
    encodeCsv(
      header,
      rows.map((row, i) => (i % 9 === 0 ? [...row.slice(0, 2), '', row[3]!] : row)),
    ),
  );
  const absent = regions
    .flatMap((region) => [...new Set(rows.map((row) => row[3]!))].map((work) => [region, work] as const))
    .find(([region, work]) => !rows.some((row) => row[0] === region && row[3] === work));
  write('zeros.csv', encodeCsv(['region', 'employment'], [absent!]));
  write(
    'weights.csv',
    encodeCsv(
      ['region', 'weight'],
      regions.map((region, i) => [region, i + 1]),
    ),
  );
  write('known.csv', encodeCsv(['record'], [[1], [2], [3]]));
});

describe('a setting that does not go with one of two scenarios', () => {
  it.each([
    ['all cells beside structural zeros', 'zeros', allCells, 'cells-beyond-support'],
    ['unknown variables beside values to impute', 'impute', lacksTwo, 'candidates-of-missing'],
  ])('is refused whichever comes first: %s', async (_, name, refused, code) => {
    const settings = name === 'zeros' ? { structuralZeros: 'zeros.csv' } : { missing: 'impute', datasets: 2 };
    for (const [place, scenarios] of orders(refused, oneChange).entries()) {
      const config = configOf(`${name}-${place}`, scenarios, { synthesis: settings });
      const out = `${name}-${place}`;
      const done = await evaluate(config, out, name === 'zeros' ? 'table.csv' : 'incomplete.csv');
      expect(done.code, done.stdout).toBe(2);
      expect(errorOf(done).code).toBe(code);
      expect(filesBelow(join(directory, out))).toEqual([]);
    }
  });

  it('is refused of a reassessment too', async () => {
    const config = configOf('possible', [oneChange], { synthesis: { structuralZeros: 'zeros.csv' } });
    const first = await evaluate(config, 'possible');
    expect(first.code, first.stderr).toBe(0);
    for (const [place, scenarios] of orders(allCells, oneChange).entries()) {
      write('scenarios.yaml', stringify({ attributeRisk: { scenarios } }));
      const args = ['reassess', 'possible', '--config', 'scenarios.yaml', '--out', `impossible-${place}`];
      const done = await synthrisk(directory, [...args, '--json']);
      expect(done.code, done.stdout).toBe(2);
      expect(errorOf(done).code).toBe('cells-beyond-support');
    }
  });
});

describe('remedies of a run of two scenarios', () => {
  it('are of one of them, in the file and in the records that are named', async () => {
    const remedies = async (run: string, ...flags: string[]) => {
      const tried = await synthrisk(directory, [
        ...['remedies', run, '--table', 'table.csv', '--datasets', '1', '--precision', 'quick'],
        ...['--quiet', '--json', '--resume', ...flags],
      ]);
      expect(tried.code, tried.stderr).toBe(0);
      return JSON.parse(tried.stdout);
    };
    const found: unknown[] = [];
    for (const [place, scenarios] of orders(oneChange, lacksTwo).entries()) {
      const run = `two-${place}`;
      const done = await evaluate(configOf(run, scenarios), run);
      expect(done.code, done.stderr).toBe(0);
      const risks = JSON.parse(done.stdout).attributeRisk as AttributeRiskSummary[];
      const asked = place === 0 ? [oneChange.name, lacksTwo.name] : [lacksTwo.name];
      for (const [i, name] of asked.entries()) {
        const own = risks.find(({ scenario }) => scenario === name)!;
        const tried = await remedies(run, ...(i === 0 ? [] : ['--scenario', name]));
        expect(tried.scenario).toBe(name);
        const [itself] = tried.remedies;
        expect(itself.probabilityMax).toBe(own.probabilityMax);
        // The ten riskiest are named, and one of them is the riskiest.
        expect(itself.risk.named.probabilityMax).toBe(own.probabilityMax);
        expect(itself.candidatesMax).toBe(own.candidatesPerCombinationMax);
        for (const row of itself.risk.rows) expect(row.candidates).toBe(own.candidatesPerCombinationMax);
        // The two runs are of other ids.
        const { runId: _, ...risk } = itself.risk;
        found.push({ named: tried.named, risk });
      }
    }
    const [, second, first] = found;
    expect(second).toEqual(first);
  });

  it('refuse a scenario that the run does not have', async () => {
    const args = ['remedies', 'two-0', '--table', 'table.csv', '--datasets', '1', '--scenario', 'nobody'];
    const done = await synthrisk(directory, [...args, '--json']);
    expect(done.code).toBe(2);
    expect(errorOf(done).code).toBe('no-such-scenario');
  });
});

describe('a run with a file in one of two scenarios', () => {
  it.each<[string, { name: string }, string]>([
    ['prior', weighs, 'other-prior'],
    ['known', hasSome, 'other-known-records'],
  ])('says which has to be named again, and no digest: %s', async (run, filed, code) => {
    const config = configOf(run, [oneChange, filed]);
    const done = await evaluate(config, run);
    expect(done.code, done.stderr).toBe(0);
    const commands = [
      ['assess', 'table.csv', '--run', run],
      ['reassess', run],
      ['remedies', run, '--table', 'table.csv', '--datasets', '1'],
    ];
    for (const command of commands) {
      const again = await synthrisk(directory, [...command, '--out', `${run}-again`, '--json']);
      expect(again.code, again.stdout).toBe(2);
      expect(errorOf(again).code).toBe(code);
      expect(again.stderr).toContain(`"${filed.name}"`);
      expect(again.stderr + again.stdout).not.toMatch(/[0-9a-f]{16}/);
    }
    const named = ['assess', 'table.csv', '--run', run, '--config', config, '--out', `${run}-named`];
    const again = await synthrisk(directory, [...named, '--json']);
    expect(again.code, again.stderr).toBe(0);
    const risks = JSON.parse(again.stdout).attributeRisk as AttributeRiskSummary[];
    expect(risks.map(({ scenario }) => scenario)).toEqual([oneChange.name, filed.name]);
  });
});
