import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { runTask, taskUnits } from '../../shared/pipeline/tasks/run-task.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, hashesBelow, runFigures, runInMemory, smallConfig, smallTable } from './small-run.ts';

const table = smallTable({ records: 40 });
const [variables] = csvRows(table) as [string[], ...string[][]];

/** A run of the same chains with all cells as candidates, given as such or as values of unknown variables. */
interface Assessed {
  readonly summary: Summary;
  readonly rows: Record<string, string>[];
  readonly file: (path: string) => Promise<Record<string, string>[]>;
  readonly run: Awaited<ReturnType<typeof runFigures>>;
}

async function assessed(request: RunRequest): Promise<Assessed> {
  const run = await runFigures(request);
  const file = async (path: string) => {
    const [header, ...rows] = csvRows(await run.store.get(run.keys.root + path)) as [string[], ...string[][]];
    return rows.map((row) => Object.fromEntries(header.map((name, c) => [name, row[c]!])));
  };
  const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
  return { run, file, rows: await file('confidential/attribute-risk.csv'), summary };
}

const evaluation = (estimator: string, candidates: unknown, slope = 1, prior: unknown = 'uniform'): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig({
    mcmc: { chains: 7, pairedChains: 4, pairedDraws: 8 },
    attributeRisk: { estimator, candidates, slope, prior, phi: 'drawn' },
  }),
  table,
  ...(typeof prior === 'string' ? {} : { priorFiles: WEIGHTS }),
});

/** Weights of regions, and of some of the others together: of the rest none but what records have, so that some cells have none. */
const WEIGHTS = weightFiles();

function weightFiles(): Uint8Array[] {
  const [header, ...rows] = csvRows(table) as [string[], ...string[][]];
  const regions = [...new Set(rows.map(([region]) => region!))];
  const others = [...new Set(rows.map((row) => JSON.stringify(row.slice(2))))];
  return [
    encodeCsv(
      [header[0]!, 'weight'],
      regions.map((region, i) => [region, 1 + i * i]),
    ),
    encodeCsv(
      [...header.slice(2), 'weight'],
      others.map((text, i) => [...(JSON.parse(text) as string[]), 0.1 + (i % 4)]),
    ),
  ];
}

const elsewhere = (candidates: unknown, prior: unknown = 'uniform'): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'assess',
  config: smallConfig({ mcmc: { chains: 6, pairedChains: 4, pairedDraws: 8 }, attributeRisk: { candidates, prior, phi: 'drawn' } }),
  table,
  datasets: { origin: 'elsewhere', files: [smallTable({ records: 45 }), smallTable({ records: 30 }), smallTable({ records: 38 })] },
});

const FILES = { file: ['region.csv', 'others.csv'] };

const cases: [name: string, request: (candidates: unknown) => RunRequest][] = [
  ['augmented', (candidates) => evaluation('augmented', candidates)],
  ['augmented, with a slope', (candidates) => evaluation('augmented', candidates, 0.6)],
  ['parameters', (candidates) => evaluation('parameters', candidates)],
  ['augmented, datasets made elsewhere', (candidates) => elsewhere(candidates)],
  ['augmented, model prior', (candidates) => evaluation('augmented', candidates, 1, 'model')],
  ['parameters, model prior and slope', (candidates) => evaluation('parameters', candidates, 0.6, 'model')],
  ['augmented, datasets made elsewhere, model prior', (candidates) => elsewhere(candidates, 'model')],
  ['augmented, empirical prior', (candidates) => evaluation('augmented', candidates, 1, 'empirical')],
  ['augmented, prior from files', (candidates) => evaluation('augmented', candidates, 1, FILES)],
  ['augmented, prior from files and slope', (candidates) => evaluation('augmented', candidates, 0.6, FILES)],
];

describe.each(cases)('%s over all cells, against the same values listed as unknown', (_, request) => {
  let cells: Assessed;
  let listed: Assessed;

  beforeAll(async () => {
    cells = await assessed(request('all-cells'));
    listed = await assessed(request({ unknown: variables }));
  });

  it.each([
    ['probability', 1e-12],
    ['information_bits', 1e-11],
    ['prior_odds_to_first', 1e-10],
    ['first_guess_probability', 1e-12],
    ['ratio_to_uniform', 1e-9],
    ['prior_probability', 1e-12],
    ['rank', 0],
  ])('gives the same %s', (column, tolerance) => {
    expect(cells.rows).toHaveLength(listed.rows.length);
    for (const [i, row] of cells.rows.entries()) {
      const apart = Number(row[column]) - Number(listed.rows[i]![column]);
      expect(Math.abs(apart), `combination ${i + 1}`).toBeLessThanOrEqual(tolerance);
    }
  });

  it.each(['combination', 'count', 'candidates', 'first_guess_variable', 'first_guess_value'])('gives the same %s', (column) => {
    expect(cells.rows.map((row) => row[column])).toEqual(listed.rows.map((row) => row[column]));
  });

  it('gives the same Bayes factor, and shares of the file that the prior alone has', () => {
    for (const [i, row] of cells.rows.entries()) {
      const [ours, theirs] = [row, listed.rows[i]!].map(({ bayes_factor }) => Number(bayes_factor));
      expect(Math.abs(ours! / theirs! - 1), `combination ${i + 1}`).toBeLessThan(1e-9);
    }
    const [ours, theirs] = [cells, listed].map(({ summary }) => summary.attributeRisk[0]!);
    for (const figure of ['priorProbabilityMean', 'priorFirstShare', 'informationBitsMean'] as const) {
      expect(ours![figure]).toBeCloseTo(theirs![figure]!, 10);
    }
    // What half-samples say of the error of a mean, against resamples of few chains.
    const ratio = ours!.informationBitsMeanSimulationSe! / theirs!.informationBitsMeanSimulationSe!;
    expect(ratio).toBeGreaterThan(0.3);
    expect(ratio).toBeLessThan(3);
  });

  it('gives errors and intervals like those of the resamples', () => {
    const ratios = cells.rows.map((row, i) => Number(row.probability_se) / Number(listed.rows[i]!.probability_se));
    const mean = Math.sqrt(ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / ratios.length);
    expect(mean).toBeGreaterThan(0.6);
    expect(mean).toBeLessThan(1.7);
    for (const row of cells.rows) {
      expect(Number(row.rank_low)).toBeLessThanOrEqual(Number(row.rank));
      expect(Number(row.rank_high)).toBeGreaterThanOrEqual(Number(row.rank));
      expect(Number(row.effective_draws)).toBeGreaterThan(0);
    }
  });

  it('finds the same Pareto k, from the same draws', () => {
    expect(cells.rows.some((row) => row.pareto_k !== '')).toBe(true);
    for (const [i, row] of cells.rows.entries()) {
      expect(Number(row.pareto_k)).toBeCloseTo(Number(listed.rows[i]!.pareto_k), 8);
    }
  });

  it('gives the same figures of the file, and a reproducibility of about the same', () => {
    const [ours] = cells.summary.attributeRisk;
    const [theirs] = listed.summary.attributeRisk;
    expect(ours!.candidates).toBe('all-cells');
    expect(ours!.candidatesPerCombinationMax).toBe(theirs!.candidatesPerCombinationMax);
    // The same halves, whose agreement is stepped up here, and which are brought to full length there.
    for (const figure of ['reproducibility', 'rankReproducibility'] as const) {
      expect(Math.abs(ours![figure]! - theirs![figure]!)).toBeLessThan(0.12);
      expect(ours![figure]).toBeGreaterThan(0.3);
    }
    expect(ours!.probabilityMean).toBeCloseTo(theirs!.probabilityMean!, 12);
    expect(ours!.rankHistogram).toEqual(theirs!.rankHistogram);
    expect(ours!.truthRankedFirst).toBe(theirs!.truthRankedFirst);
  });

  it('lists guesses in order, the first of which is the first guess', async () => {
    const guesses = await cells.file('confidential/guesses.csv');
    expect(guesses).toHaveLength(10 * cells.rows.length);
    for (const [i, row] of cells.rows.entries()) {
      const own = guesses.slice(10 * i, 10 * (i + 1));
      expect(own.map(({ combination, rank }) => [combination, rank])).toEqual(own.map((_, g) => [String(i + 1), String(g + 1)]));
      expect(own[0]!.probability).toBe(row.first_guess_probability);
      const changed = variables.filter((name) => own[0]![name] !== row[name]);
      expect(changed.join('; ')).toBe(row.first_guess_variable);
      for (let g = 1; g < 10; g++) {
        expect(Number(own[g]!.probability)).toBeLessThanOrEqual(Number(own[g - 1]!.probability));
      }
      // The truth is among them, with its own probability, exactly if its rank says so.
      const truth = own.find((guess) => variables.every((name) => guess[name] === row[name]));
      expect(truth?.rank).toBe(Number(row.rank) <= 10 ? row.rank : undefined);
      expect(truth?.probability).toBe(Number(row.rank) <= 10 ? row.probability : undefined);
    }
  });

  it('gives marginals that sum to one for each variable', async () => {
    const marginals = await cells.file('confidential/marginals.csv');
    const sums = new Map<string, number>();
    for (const { combination, variable, probability } of marginals) {
      const key = `${combination} ${variable}`;
      sums.set(key, (sums.get(key) ?? 0) + Number(probability));
    }
    expect(sums.size).toBe(cells.rows.length * variables.length);
    for (const sum of sums.values()) expect(sum).toBeCloseTo(1, 12);
  });

  it('writes the same to Parquet as to CSV', async () => {
    for (const name of ['guesses', 'marginals']) {
      const bytes = await cells.run.store.get(`${cells.run.keys.root}confidential/${name}.parquet`);
      const file = bytes.slice().buffer;
      const objects = await parquetReadObjects({ file, compressors });
      const texts = objects.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value ?? '')])));
      expect(texts).toEqual(await cells.file(`confidential/${name}.csv`));
    }
  });
});

describe('a run over all cells', () => {
  const request = evaluation('augmented', 'all-cells');
  const results = ['release/', 'confidential/', 'diagnostics/'];

  it.each([1, 5, 1000])('leaves the same bytes with batches of %i', async (batchSize) => {
    const ours = await runInMemory(request);
    const theirs = await runInMemory({ ...request, batchSize });
    expect(await hashesBelow(theirs.store, theirs.plan, ...results)).toEqual(await hashesBelow(ours.store, ours.plan, ...results));
  });

  it.each(['augmented', 'parameters'])(
    'by %s counts each chain that is read and each block of cells as a unit of work',
    async (estimator) => {
      const store = new MemoryStore();
      const plan = await storePlannedRun(store, await planRun(evaluation(estimator, 'all-cells')));
      const round = firstRound(plan);
      const { fit, synthesize, augment, assess } = roundTasks(plan, round);
      for (const task of [...fit, ...synthesize, ...augment]) await runTask(store, task, () => undefined);
      let units = 0;
      await runTask(store, assess[0]!, (more = 1) => {
        units += more;
      });
      expect(units).toBe(taskUnits(plan, assess[0]!, round));
      expect(units).toBeGreaterThan(Math.ceil(plan.candidatesPerCombination / 64));
    },
  );

  it.each([
    ['the estimator importance', 'all-cells-importance', { attributeRisk: { estimator: 'importance' } }],
    ['more draws than memory holds', 'too-many-draws', { mcmc: { chains: 40_000, draws: 1000 } }],
  ])('refuses %s', async (_, code, settings: { attributeRisk?: object; mcmc?: object }) => {
    const config = smallConfig({ ...settings, attributeRisk: { candidates: 'all-cells', ...settings.attributeRisk } });
    const refused = planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    await expect(refused).rejects.toThrow(UnsupportedOptionError);
    await expect(refused).rejects.toMatchObject({ code });
  });

  it('refuses a calibration, which needs a score of every candidate', async () => {
    await expect(planRun({ ...request, purpose: 'calibrate' })).rejects.toMatchObject({ code: 'all-cells-calibration' });
  });

  it('has no limit of candidates', async () => {
    const header = Array.from({ length: 24 }, (_, k) => `v${k}`).join(',');
    const row = (value: (k: number) => number) => Array.from({ length: 24 }, (_, k) => value(k)).join(',');
    const wide = new TextEncoder().encode([header, row(() => 1), row(() => 2), row((k) => (k % 3) + 1), ''].join('\n'));
    const { plan } = await planRun({ ...request, table: wide });
    expect(plan.candidatesPerCombination).toBe(2 ** 16 * 3 ** 8);
  });
});
