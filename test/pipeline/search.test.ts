import { beforeAll, describe, expect, it } from 'vitest';
import { householdTable } from '../../examples/household-table.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { runTask, taskUnits } from '../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, hashesBelow, runInMemory, smallConfig } from './small-run.ts';

const VARIABLES = ['region', 'age_group', 'education', 'employment', 'income_band'];

/** CSV bytes of some variables of the example's survey. */
function tableOf(variables: readonly string[], seed: number): Uint8Array {
  const [header, ...rows] = csvRows(householdTable(seed, 40));
  const columns = variables.map((name) => header!.indexOf(name));
  expect(columns).not.toContain(-1);
  return encodeCsv(
    variables,
    rows.map((row) => columns.map((column) => row[column]!)),
  );
}

const evaluation = (seed: number, variables: readonly string[], attributeRisk: object): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig({ seed, mcmc: { chains: 3, pairedChains: 4, pairedDraws: 4 }, attributeRisk }),
  table: tableOf(variables, seed),
});

type Row = Record<string, string>;

interface Assessed {
  readonly summary: Summary;
  readonly file: (name: string) => Promise<Row[]>;
}

async function assessed(request: RunRequest): Promise<Assessed> {
  const { store, keys } = await runInMemory(request);
  return {
    summary: await readJson(store, keys.confidential.summary, summarySchema),
    file: async (name) => {
      const [header, ...rows] = csvRows(await store.get(`${keys.root}confidential/${name}.csv`)) as [string[], ...string[][]];
      return rows.map((row) => Object.fromEntries(header.map((column, c) => [column, row[c]!])));
    },
  };
}

/** Both ways of one table: the posterior of every cell of each combination, and what the search makes of it. */
async function bothWays(seed: number, most: number, variables = VARIABLES, settings: object = {}) {
  const marginals = [variables];
  const all = await assessed(evaluation(seed, variables, { candidates: 'all-cells', marginals, ...settings }));
  const some = await assessed(evaluation(seed, variables, { candidates: { search: most }, marginals, ...settings }));
  const byCombination = async ({ file }: Assessed) => {
    const cells: Map<string, number>[] = [];
    for (const { combination, category, probability } of await file('marginals')) {
      const row = Number(combination) - 1;
      cells[row] ??= new Map<string, number>();
      cells[row].set(category!, Number(probability));
    }
    return cells;
  };
  return {
    whole: await byCombination(all),
    found: await byCombination(some),
    search: await some.file('search'),
    allRisk: await all.file('attribute-risk'),
    risk: await some.file('attribute-risk'),
    guesses: await some.file('guesses'),
    summary: some.summary,
    variables,
  };
}

type Both = Awaited<ReturnType<typeof bothWays>>;

/** Of a combination, the posterior mass of the cells that have one in the search, its own left out if it was not found. */
function massFound({ whole, found, search, risk, variables }: Both, row: number) {
  const truth = variables.map((name) => risk[row]![name]).join('; ');
  let mass = 0;
  let own = 0;
  for (const [cell, probability] of whole[row]!) {
    if (found[row]!.get(cell)! === 0) continue;
    if (cell === truth) own = probability;
    mass += probability;
  }
  return { candidates: mass, found: search[row]!.truth_found === 'true' ? mass : mass - own, truth };
}

describe.each([
  ['augmented', {}],
  ['with a slope', { slope: 0.6 }],
  ['parameters', { estimator: 'parameters' }],
])('candidates that are searched for, %s, against all cells', (_, settings) => {
  let both: Both;
  beforeAll(async () => {
    both = await bothWays(3, 1024, VARIABLES, settings);
  });

  it('are some of the cells, and the truth', () => {
    for (const [row, { cells_found, truth_found }] of both.search.entries()) {
      const listed = [...both.found[row]!.values()].filter((probability) => probability > 0).length;
      expect(Number(both.risk[row]!.candidates)).toBe(Number(cells_found) + (truth_found === 'true' ? 0 : 1));
      expect(listed).toBe(Number(both.risk[row]!.candidates));
      expect(Number(cells_found)).toBeLessThan(both.whole[row]!.size);
    }
    expect(both.search.some(({ truth_found }) => truth_found === 'false')).toBe(true);
    expect(both.search.some(({ truth_found }) => truth_found === 'true')).toBe(true);
  });

  it('have the probabilities of all cells, relative to the mass found', () => {
    for (const [row, cells] of both.found.entries()) {
      const { candidates, truth } = massFound(both, row);
      for (const [cell, probability] of cells) {
        if (probability === 0) continue;
        expect(probability).toBeCloseTo(both.whole[row]!.get(cell)! / candidates, 11);
      }
      expect(Number(both.risk[row]!.probability)).toBeCloseTo(cells.get(truth)!, 11);
    }
  });

  it('rank the truth among them, no lower than among all cells', () => {
    for (const [row, risk] of both.risk.entries()) {
      const own = Number(risk.probability);
      const above = [...both.found[row]!.values()].filter((probability) => probability > own * (1 + 1e-9));
      expect(Number(risk.rank)).toBe(1 + above.length);
      expect(Number(risk.rank)).toBeLessThanOrEqual(Number(both.allRisk[row]!.rank));
    }
  });

  it('give guesses in order, which are the most probable ones', () => {
    for (const [row, cells] of both.found.entries()) {
      const best = [...cells.values()].sort((a, b) => b - a).slice(0, 10);
      const own = both.guesses.filter(({ combination }) => Number(combination) === row + 1);
      expect(own).toHaveLength(10);
      for (const [g, guess] of own.entries()) {
        expect(Number(guess.probability)).toBeCloseTo(best[g]!, 11);
        const cell = both.variables.map((name) => guess[name]).join('; ');
        expect(cells.get(cell)).toBeCloseTo(Number(guess.probability), 11);
      }
    }
  });

  it('say in the summary how much was found', () => {
    const [risk] = both.summary.attributeRisk;
    expect(risk!.candidates).toBe('search: 1024');
    expect(risk!.search!.cellsFound).toBe(Number(both.search[0]!.cells_found));
    expect(risk!.search!.missedMassMean).toBeGreaterThan(0.1);
    const warning = both.summary.warnings.find(({ code }) => code === 'search-incomplete');
    expect(warning!.message).toMatch(/^The search found cells that hold \d.*\s% of the posterior/);
  });
});

describe('the mass that a search missed', () => {
  it('is found within its error, over several tables', async () => {
    const apart: number[] = [];
    const missed: number[] = [];
    let errors = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const both = await bothWays(seed, 1024 * (1 + (seed % 3)));
      // Combinations of a table share the visits: each table counts once, by the mean over its combinations.
      let difference = 0;
      let error = 0;
      for (const [row, { missed_mass, missed_mass_se }] of both.search.entries()) {
        difference += Number(missed_mass) - (1 - massFound(both, row).found);
        error += Number(missed_mass_se);
      }
      apart.push(difference / error);
      missed.push(Number(both.search[0]!.missed_mass));
      errors += error / both.search.length / 6;
    }
    // Within the error, and an error that tells something.
    expect(Math.sqrt(apart.reduce((sum, z) => sum + z * z, 0) / apart.length)).toBeLessThan(2);
    expect(errors).toBeLessThan(0.05);
    expect(Math.max(...missed) - Math.min(...missed)).toBeGreaterThan(0.2);
  });

  it('is nothing where all cells are found, whose figures are those of all cells', async () => {
    const both = await bothWays(2, 50_000, ['region', 'education', 'employment']);
    for (const [row, { cells_found, truth_found, missed_mass, missed_mass_se }] of both.search.entries()) {
      expect(Number(cells_found)).toBe(both.whole[row]!.size);
      expect([truth_found, Number(missed_mass), Number(missed_mass_se)]).toEqual(['true', 0, 0]);
    }
    const columns = Object.keys(both.risk[0]!).filter((name) => name !== 'scenario');
    for (const [row, risk] of both.risk.entries()) {
      for (const column of columns) {
        const [ours, theirs] = [risk[column]!, both.allRisk[row]![column]!];
        if (ours !== theirs) expect(Number(ours), column).toBeCloseTo(Number(theirs), 9);
      }
    }
  });
});

describe('a run that searches', () => {
  const request = evaluation(5, VARIABLES, { candidates: { search: 2000 } });

  it('leaves the same bytes whatever the batches', async () => {
    const results = ['release/', 'confidential/', 'diagnostics/'];
    const ours = await runInMemory(request);
    const theirs = await runInMemory({ ...request, batchSize: 3 });
    expect(await hashesBelow(theirs.store, theirs.plan, ...results)).toEqual(await hashesBelow(ours.store, ours.plan, ...results));
  });

  it('counts steps of the search and blocks of cells as units of work, as many as were said at most', async () => {
    const store = new MemoryStore();
    const plan = await storePlannedRun(store, await planRun(request));
    const round = firstRound(plan);
    const { fit, synthesize, augment, assess } = roundTasks(plan, round);
    for (const task of [...fit, ...synthesize, ...augment]) await runTask(store, task, () => undefined);
    let units = 0;
    await runTask(store, assess[0]!, () => units++);
    const said = taskUnits(plan, assess[0]!, round);
    expect(units).toBeLessThanOrEqual(said);
    expect(units).toBeGreaterThan(said / 2);
  });

  it.each([
    ['search-importance', { purpose: 'evaluate' }, { estimator: 'importance' }],
    ['search-calibration', { purpose: 'calibrate' }, {}],
  ] as const)('refuses %s', async (code, { purpose }, settings) => {
    const refused = planRun({ ...evaluation(5, VARIABLES, { candidates: { search: 2000 }, ...settings }), purpose });
    await expect(refused).rejects.toMatchObject({ name: 'UnsupportedOptionError', code });
  });

  it('refuses a search of so few cells that chains would hardly move', () => {
    expect(() => smallConfig({ attributeRisk: { candidates: { search: 1000 } } })).toThrow();
  });

  it('refuses to search for the values of records, where variables are kept', () => {
    const settings = { synthesis: { synthesized: ['income_band'] }, attributeRisk: { candidates: { search: 2000 } } };
    expect(() => completeConfig(settings)).toThrow(expect.objectContaining({ code: 'candidates-of-kept-variables' }));
  });
});
