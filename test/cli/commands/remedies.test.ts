import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Remedies, remediesSchema } from '../../../shared/contracts/results/remedies.ts';
import { formatPercent } from '../../../shared/report/words/format-number.ts';
import { csvRows, smallTable } from '../../pipeline/small-run.ts';
import { errorOf, fileStates, filesBelow, type Outcome, SMALL_FLAGS, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const at = (path: string) => join(directory, path);
const remedies = (...flags: string[]) => synthrisk(directory, ['remedies', 'run', '--table', 'table.csv', ...flags]);
const ALL = [...['--datasets', '1,3', '--concentration', '1,0.1/0.1', '--merge', 'fewer.yaml'], ...['--named', '7,2,5', '--jobs', '2']];

let done: Outcome;
let found: Remedies;
let education: string[];

beforeAll(async () => {
  const table = smallTable();
  writeFileSync(at('table.csv'), table);
  const [header, ...rows] = csvRows(table);
  education = [...new Set(rows.map((row) => row[header!.indexOf('education')]!))];
  const settings = { variables: { education: { merge: { fewer: education.slice(0, 2) } } } };
  writeFileSync(at('fewer.yaml'), JSON.stringify(settings));
  const run = await synthrisk(directory, [...['evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2', '--out', 'run']]);
  expect(run.code, run.stderr).toBe(0);
  done = await remedies(...ALL, '--json');
  expect(done.code, done.stderr).toBe(0);
  found = remediesSchema.parse(JSON.parse(done.stdout));
});

const summaryOf = (folder: string) => JSON.parse(readFileSync(at(join(folder, 'confidential/summary.json')), 'utf8'));

describe('remedies', () => {
  it('gives for each what its own run found', () => {
    expect(found.remedies.map(({ name }) => name)).toEqual([
      ...[null, 'again', 'datasets-1', 'datasets-3', 'concentration-1', 'concentration-0.1-0.1'],
      'fewer-categories',
    ]);
    for (const { name, risk, ...own } of found.remedies) {
      const summary = summaryOf(name === null ? 'run' : `run-remedies/${name}`);
      const figures = summary.attributeRisk[0];
      expect(risk.runId).toBe(summary.runId);
      expect(risk.file.informationBits).toEqual({ mean: figures.informationBitsMean, standardError: figures.informationBitsMeanSe });
      expect(risk.file.gainBits!.mean).toBe(figures.gainBitsMean);
      const { auc, aucSe, foundAt1Percent, foundAt1PercentSe } = figures.membership;
      expect(risk.file.membership).toEqual({
        auc: { mean: auc, standardError: aucSe },
        foundAt1Percent: { mean: foundAt1Percent, standardError: foundAt1PercentSe },
      });
      expect(own.probabilityMax).toBe(figures.probabilityMax);
      expect(risk.named.records + risk.others.records).toBe(60);
    }
    expect(found.remedies.map(({ datasets }) => datasets)).toEqual([2, 2, 1, 3, 2, 2, 2]);
    const [itself, again, , three] = found.remedies;
    expect(itself!.gainBitsChange).toBeNull();
    // Another release, of the same settings.
    expect(again!.risk.file).not.toEqual(itself!.risk.file);
    expect(three!.gainBitsChange!.mean).toBeCloseTo(three!.risk.file.gainBits!.mean - itself!.risk.file.gainBits!.mean, 12);
  });

  it('has one difference each', () => {
    const configOf = (folder: string) => JSON.parse(readFileSync(at(join(folder, 'confidential/plan.json')), 'utf8')).config;
    const itself = configOf('run');
    const own = (name: string) => configOf(`run-remedies/${name}`);
    expect(own('again')).toEqual(itself);
    expect(own('datasets-1')).toEqual({ ...itself, synthesis: { ...itself.synthesis, datasets: 1 } });
    expect(own('concentration-0.1-0.1')).toEqual({ ...itself, model: { ...itself.model, concentration: { shape: 0.1, rate: 0.1 } } });
    expect(own('fewer-categories').variables).toEqual({ education: { merge: { fewer: education.slice(0, 2) } } });
  });

  it('follows named combinations, into a table of fewer categories as well', () => {
    expect(found.named).toEqual([2, 5, 7]);
    const [header, ...lines] = csvRows(readFileSync(at('run/confidential/attribute-risk.csv')));
    const merged = csvRows(readFileSync(at('run-remedies/fewer-categories/confidential/attribute-risk.csv')));
    const names = ['region', 'age_group', 'education', 'employment'];
    const textsOf = (header: string[], line: string[]) => names.map((name) => line[header.indexOf(name)]!);
    const becomes = new Set(
      found.named.map((number) =>
        textsOf(header!, lines[number - 1]!)
          .map((text, k) => (k === 2 && education.slice(0, 2).includes(text) ? 'fewer' : text))
          .join('|'),
      ),
    );
    const rows = found.remedies[6]!.risk.rows;
    const own = rows.map(({ combination }) => textsOf(merged[0]!, merged[combination]!).join('|'));
    expect(new Set(own)).toEqual(becomes);
    expect(found.remedies[6]!.candidatesMax).toBe(found.remedies[0]!.candidatesMax - 1);
  });

  it('is kept as JSON, as a table and as a page, for its owner alone', async () => {
    const folder = 'run-remedies/confidential';
    expect(JSON.parse(readFileSync(at(`${folder}/remedies.json`), 'utf8'))).toEqual(JSON.parse(done.stdout));
    const [header, ...lines] = csvRows(readFileSync(at(`${folder}/remedies.csv`)));
    expect(lines).toHaveLength(found.remedies.length);
    const column = header!.indexOf('named_probability_mean');
    expect(lines.map((line) => Number(line[column]))).toEqual(found.remedies.map(({ risk }) => risk.named.probabilityMean));
    const aucs = found.remedies.map(({ risk }) => risk.file.membership!.auc.mean);
    expect(lines.map((line) => Number(line[header!.indexOf('membership_auc')]))).toEqual(aucs);
    const page = readFileSync(at(`${folder}/remedies.html`), 'utf8');
    // The settings have another number of datasets in the third, of which nothing shows how releases differ.
    expect(page).toContain(`<td>${formatPercent(aucs[2]!)}</td>`);
    for (const { setting } of found.remedies) expect(page).toContain(`<th scope="row">${setting}</th>`);
    expect(statSync(at(`${folder}/remedies.json`)).mode & 0o077).toBe(0);
    expect(done.stderr).toContain('Remedy 6 of 6: fewer-categories');
    expect(done.stderr).not.toMatch(/\b7,2,5\b/);
    const outside = filesBelow(at('run-remedies')).filter((path) => !path.includes('/confidential/'));
    const open = outside.filter((path) => /^[^/]+\/[^/]+\.json$/.test(path) && !path.startsWith('confidential'));
    expect(open).toHaveLength(24);
    for (const path of open) expect(readFileSync(at(`run-remedies/${path}`), 'utf8')).not.toMatch(/merge/i);
  });

  it('runs nothing again that is there, and prints a table', async () => {
    const runs = () =>
      Object.fromEntries(Object.entries(fileStates(at('run-remedies'))).filter(([path]) => !path.startsWith('confidential/')));
    const before = runs();
    const again = await remedies(...ALL);
    expect(again.code, again.stderr).toBe(0);
    expect(runs()).toEqual(before);
    expect(again.stdout).toContain('fewer categories');
    expect(again.stdout).toMatch(/AUC of membership {2}found at 1 %/);
    expect(again.stdout).toContain('run-remedies/confidential/remedies.html');
  });

  it.each([
    ['no-remedies', []],
    ['repeated-remedy', ['--datasets', '1,1']],
    ['unknown-combination', ['--datasets', '1', '--named', '61']],
    ['malformed-merge', ['--merge', 'bad.yaml']],
    ['malformed-merge', ['--merge', 'nothing.yaml']],
    ['malformed-merge', ['--merge', 'empty.yaml']],
    ['unknown-category', ['--merge', 'nobody.yaml', '--out', 'fewer']],
    ['malformed-combinations', ['--datasets', '1', '--named', '']],
    ['malformed-combinations', ['--datasets', '1', '--named', '3,,5']],
    ['folder-in-use', ['--datasets', '1', '--out', 'run']],
  ])('refuses: %s', async (error, flags) => {
    writeFileSync(at('bad.yaml'), 'variables: { education: { type: continuous } }\n');
    writeFileSync(at('nothing.yaml'), 'variables: {}\n');
    writeFileSync(at('empty.yaml'), 'variables: { education: { merge: {} } }\n');
    writeFileSync(at('nobody.yaml'), 'variables: { education: { merge: { x: [NOBODY, KNOWN] } } }\n');
    const outcome = await remedies(...flags, '--json');
    expect({ code: outcome.code, error: errorOf(outcome).code }).toEqual({ code: 2, error });
    expect(outcome.stderr + outcome.stdout).not.toMatch(/NOBODY|KNOWN/);
    expect(existsSync(at('run/again'))).toBe(false);
  });

  it('refuses another table', async () => {
    writeFileSync(at('other.csv'), smallTable({ seed: 4 }));
    const outcome = await synthrisk(directory, ['remedies', 'run', '--table', 'other.csv', '--datasets', '1', '--json']);
    expect({ code: outcome.code, error: errorOf(outcome).code }).toEqual({ code: 2, error: 'other-table' });
  });

  it('compares a run that keeps variables by its records, into fewer categories as well', async () => {
    const flags = ['--synthesized', 'education', '--datasets', '2', '--out', 'partial'];
    const run = await synthrisk(directory, ['evaluate', 'table.csv', ...SMALL_FLAGS, ...flags]);
    expect(run.code, run.stderr).toBe(0);
    writeFileSync(at('named.csv'), 'record,combination\n60,1\n3,1\n');
    const asked = ['--datasets', '1', '--merge', 'fewer.yaml', '--named', 'named.csv', '--json'];
    const tried = await synthrisk(directory, ['remedies', 'partial', '--table', 'table.csv', ...asked]);
    expect(tried.code, tried.stderr).toBe(0);
    const partial = remediesSchema.parse(JSON.parse(tried.stdout));
    expect(partial).toMatchObject({ ofRecords: true, named: [3, 60] });
    expect(partial.remedies).toHaveLength(4);
    for (const { name, risk } of partial.remedies) {
      const folder = name === null ? 'partial' : `partial-remedies/${name}`;
      const [header, ...lines] = csvRows(readFileSync(at(`${folder}/confidential/attribute-risk.csv`)));
      const cell = (record: number, column: string) => Number(lines[record - 1]![header!.indexOf(column)]);
      expect(risk.named.records).toBe(2);
      expect(risk.rows).toMatchObject(
        [3, 60].map((record) => ({ record, count: 1, combination: cell(record, 'combination'), probability: cell(record, 'probability') })),
      );
      expect(risk.file.continuousVariables).toBeUndefined();
    }
  });

  it('refuses a run of a model without chains', async () => {
    const flags = ['--model', 'cart', '--synthesized', 'education', '--datasets', '2', '--no-utility', '--out', 'trees'];
    const run = await synthrisk(directory, ['evaluate', 'table.csv', ...flags]);
    expect(run.code, run.stderr).toBe(0);
    const refused = await synthrisk(directory, ['remedies', 'trees', '--table', 'table.csv', '--datasets', '1', '--json']);
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 2, error: 'remedies-without-chains' });
  });
});
