import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Comparison, comparisonSchema } from '../../../shared/contracts/results/comparison.ts';
import { measureInWords } from '../../../shared/report/words/measures-in-words.ts';
import { SMALL_SETTINGS, smallTable } from '../../pipeline/small-run.ts';
import { fileStates, filesBelow, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const at = (path: string) => join(directory, path);
const sweep = (...args: string[]) => synthrisk(directory, ['sweep', '--config', ...args]);

const GRID = { datasets: [1, 2], classes: [3, 6] };
const NAMES = [1, 2].flatMap((m) => [3, 6].map((classes) => `datasets-${m}_classes-${classes}`));

let found: Comparison;

beforeAll(async () => {
  writeFileSync(at('table.csv'), smallTable());
  const settings = { mcmc: SMALL_SETTINGS.mcmc, table: 'table.csv' };
  writeFileSync(at('grid.yaml'), stringify({ ...settings, grid: GRID }));
  const rules = ['attributeRisk.probabilityMax <= 1e-9'];
  writeFileSync(at('judged.yaml'), stringify({ ...settings, acceptance: rules, grid: GRID }));
  writeFileSync(at('misfit.yaml'), stringify({ ...SMALL_SETTINGS, ...settings, grid: { model: ['dpmpm', 'dp-areal'] } }));
  writeFileSync(at('bad.yaml'), stringify({ ...settings, grid: { datasets: ['PLANTED'] } }));
  const done = await sweep('grid.yaml', '--json', '--jobs', '2');
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).toContain('Run 4 of 4: datasets-2_classes-6');
  found = comparisonSchema.parse(JSON.parse(done.stdout));
});

describe('sweep', () => {
  it('makes a run of every combination, each with its settings and random numbers of its own', () => {
    expect(found.runs.map(({ name }) => name)).toEqual(NAMES);
    const configs = NAMES.map((name) => JSON.parse(readFileSync(at(`grid-sweep/${name}/confidential/plan.json`), 'utf8')).config);
    expect(configs.map(({ synthesis, model }) => [synthesis.datasets, model.classes])).toEqual([
      ...[
        [1, 3],
        [1, 6],
        [2, 3],
        [2, 6],
      ],
    ]);
    const keys = NAMES.map((name) => readFileSync(at(`grid-sweep/${name}/confidential/release-key`), 'utf8'));
    expect(new Set(keys).size).toBe(4);
  });

  it('ends in the comparison of its runs', async () => {
    expect(filesBelow(at('grid-sweep/confidential'))).toContain('comparison.html');
    const folders = NAMES.map((name) => join('grid-sweep', name));
    const compared = await synthrisk(directory, ['compare', ...folders, '--json']);
    expect(JSON.parse(compared.stdout)).toEqual(found);
  });

  it('shows who is in the table as every other figure: in its files, on its page and as a measure of its map', async () => {
    const measure = found.measures.find(({ name }) => name.endsWith('.membership.auc'))!.name;
    const summaries = NAMES.map((name) => JSON.parse(readFileSync(at(`grid-sweep/${name}/confidential/summary.json`), 'utf8')));
    expect(found.runs.map(({ risk }) => [risk[measure]!.value, risk[measure]!.se])).toEqual(
      summaries.map(({ attributeRisk: [{ membership }] }) => [membership.auc, membership.aucSe]),
    );
    for (const file of ['comparison.html', 'comparison.csv']) {
      const text = readFileSync(at(`grid-sweep/confidential/${file}`), 'utf8');
      expect(text).toContain(file.endsWith('csv') ? '.membership.auc' : measureInWords(measure));
    }
    const { stdout } = await sweep('grid.yaml', '--quiet', '--risk', measure);
    expect(stdout).toContain(measureInWords(measure));
  });

  it('finds its runs again', async () => {
    const runs = () => NAMES.map((name) => fileStates(at(`grid-sweep/${name}`)));
    const before = runs();
    const { code, stdout } = await sweep('grid.yaml', '--json', '--quiet');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(found);
    expect(runs()).toEqual(before);
  });

  it('plans with seconds and memory, and writes nothing', async () => {
    const args = ['grid.yaml', '--plan', '--out', 'planned', '--jobs', '2'];
    const { code, stdout } = await sweep(...args, '--json');
    expect(code).toBe(0);
    const plan = JSON.parse(stdout);
    expect(plan.runs.map(({ name }: { name: string }) => name)).toEqual(NAMES);
    for (const { minutes, memoryMiB } of plan.runs) {
      expect(minutes).toBeGreaterThan(0);
      expect(memoryMiB).toBeGreaterThan(10);
    }
    expect(plan.minutes).toBeGreaterThan(plan.runs[0].minutes);
    const told = await sweep(...args);
    expect(told.stdout).toContain('4 runs, one after the other');
    expect(existsSync(at('planned'))).toBe(false);
  });

  it('has the exit code of acceptance where no run meets the rules, with everything written', async () => {
    const { code } = await sweep('judged.yaml', '--quiet', '--jobs', '2');
    expect(code).toBe(4);
    expect(filesBelow(at('judged-sweep/confidential'))).toHaveLength(4);
  });

  it('refuses a measure that its runs do not have when the first has ended, not the last', async () => {
    const { code, stderr } = await sweep('grid.yaml', '--out', 'unmeasured', '--jobs', '2', '--risk', 'attributeRisk.mean');
    expect(code).toBe(2);
    const [first] = found.measures.filter((measure) => measure.of === 'risk');
    expect(stderr).toContain(`--risk names no measure that all of these runs have: expected one of ${first!.name}, `);
    expect(readdirSync(at('unmeasured'))).toEqual([NAMES[0]]);
  });

  it('refuses a run that cannot be by its name, before any has begun', async () => {
    const { code, stderr } = await sweep('misfit.yaml');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: Run dp-areal: /m);
    expect(existsSync(at('misfit-sweep'))).toBe(false);
  });

  it('refuses a bad grid without repeating it, other settings in its folder, and a config without a grid', async () => {
    const bad = await sweep('bad.yaml');
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('grid is not valid.');
    expect(bad.stderr).not.toContain('PLANTED');
    const other = await sweep('judged.yaml', '--out', 'grid-sweep');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('holds another run');
    const within = await sweep('grid.yaml', '--out', `grid-sweep/${NAMES[0]}`);
    expect(within.code).toBe(2);
    expect(within.stderr).toContain('Choose an empty --out folder.');
    writeFileSync(at('none.yaml'), 'table: table.csv\n');
    expect((await sweep('none.yaml')).stderr).toContain('grid: { datasets: [1, 5], classes: [20, 40] }');
  });
});
