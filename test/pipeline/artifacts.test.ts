import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import type { runKeys } from '../../shared/contracts/keys.ts';
import { chainDiagnosticsSchema } from '../../shared/contracts/results/chain-diagnostics.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { manifestSignatureSchema } from '../../shared/contracts/run/manifest-signature.ts';
import { datasetSourceSchema, type Plan, planSchema } from '../../shared/contracts/run/plan.ts';
import { manifestSchema } from '../../shared/contracts/run/run-state.ts';
import { type CategoricalVariable, tableSchema } from '../../shared/contracts/schema.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import type { MemoryStore } from '../../shared/storage/memory-store.ts';
import { readTableAs } from '../../shared/table/files/read-table.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, runInMemory, smallConfig, smallTable } from './small-run.ts';

const RECORDS = 60;
const table = smallTable({ records: RECORDS });
const [variables, ...records] = csvRows(table) as [string[], ...string[][]];

/** As docs/explanation/estimators.md and the command line document them: written out, since other programs read them. */
const HEADER = [
  'combination',
  'count',
  ...variables,
  'candidates',
  'rank',
  'rank_low',
  'rank_high',
  'prior_probability',
  'probability',
  'probability_se',
  'ratio_to_uniform',
  'information_bits',
  'uncertainty_resolved',
  'uncertainty_resolved_se',
  'prior_odds_to_first',
  'bayes_factor',
  'bayes_factor_se',
  'privacy_loss',
  'privacy_loss_se',
  'membership_bits',
  'membership_bits_se',
  'membership_probability',
  'first_guess_variable',
  'first_guess_value',
  'first_guess_probability',
  'distinguishable',
  'effective_draws',
  'pareto_k',
  'heavy_tail',
  'scenario',
];

type Row = Record<string, string>;

interface Case {
  name: string;
  request: () => Promise<RunRequest> | RunRequest;
  origin: 'synthesized' | 'elsewhere';
  chains: Summary['synthesis']['chains'];
}

const evaluation = (estimator: string, chains: 'own' | 'one', candidates: unknown = 'one-change'): Case => ({
  name: `${estimator}, ${chains} chain${chains === 'own' ? 's' : ''}, ${JSON.stringify(candidates)}`,
  request: () => ({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig({ synthesis: { chains }, attributeRisk: { estimator, candidates } }),
    table,
  }),
  origin: 'synthesized',
  chains,
});

const foreignAssessment = (estimator: string): Case => ({
  name: `${estimator}, datasets made elsewhere`,
  request: () => ({
    ...TEST_KEYS,
    purpose: 'assess',
    config: smallConfig({ attributeRisk: { estimator } }),
    table,
    // Of other sizes than the table, which only a dataset made elsewhere can be.
    datasets: { origin: 'elsewhere', files: [smallTable({ records: 45 }), smallTable({ records: 30 }), smallTable({ records: 58 })] },
  }),
  origin: 'elsewhere',
  chains: 'foreign',
});

describe.each([
  evaluation('augmented', 'own'),
  evaluation('augmented', 'one'),
  evaluation('parameters', 'own'),
  evaluation('parameters', 'one'),
  evaluation('importance', 'own'),
  evaluation('importance', 'one'),
  evaluation('augmented', 'own', 'two-changes'),
  evaluation('augmented', 'own', { unknown: ['region', 'employment'] }),
  foreignAssessment('augmented'),
  foreignAssessment('importance'),
])('a run of the whole pipeline ($name)', ({ request, origin, chains }) => {
  let store: MemoryStore;
  let plan: Plan;
  let keys: ReturnType<typeof runKeys>;
  let summary: Summary;
  let header: string[];
  let rows: Row[];
  let categorical: CategoricalVariable[];

  beforeAll(async () => {
    ({ store, plan, keys } = await runInMemory(await request()));
    summary = await readJson(store, keys.confidential.summary, summarySchema);
    const [first, ...cells] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    header = first!;
    rows = cells.map((row) => Object.fromEntries(header.map((name, k) => [name, row[k]!])));
    const schema = await readJson(store, keys.table.schema, tableSchema);
    categorical = schema.variables.filter((variable) => variable.type === 'categorical');
  });

  const numbers = (name: string) => rows.map((row) => Number(row[name]));
  /** Sum over records of a figure of their combination. */
  const overRecords = (figure: (row: Row) => number) => rows.reduce((sum, row) => sum + Number(row.count) * figure(row), 0);

  it('leaves artifacts that fit their contracts', async () => {
    expect(await readJson(store, keys.plan, planSchema)).toEqual(plan);
    const diagnostics = await readJson(store, keys.chains, chainDiagnosticsSchema);
    expect(diagnostics).toMatchObject({ chains: 3, drawsPerChain: 4, burnIn: 10, thin: 2 });
    for (let l = 1; l <= plan.datasets.count; l++) {
      const source = await readJson(store, keys.dataset(l).source, datasetSourceSchema);
      expect(source.origin).toBe(origin);
      expect(source.chain === null).toBe(origin === 'elsewhere');
    }
    expect(new TextDecoder().decode(await store.get(keys.confidential.report))).toMatch(/^<!doctype html>/i);
  });

  it('lists every artifact but the release key in the confidential manifest, the release alone in the open one', async () => {
    const manifest = await readJson(store, keys.confidential.manifest, manifestSchema);
    expect(manifest).toMatchObject({ runId: plan.runId, version: plan.version });
    const paths = (await store.list(keys.root)).map((key) => key.slice(keys.root.length));
    const unlisted = ['manifest.json', 'confidential/manifest.json', 'confidential/release-key'].flatMap((path) => [
      path,
      path.replace('manifest.', 'manifest.signature.'),
    ]);
    expect(Object.keys(manifest.artifacts)).toEqual(paths.filter((path) => !unlisted.includes(path)));
    for (const key of [keys.signature, keys.confidential.signature]) {
      expect(await readJson(store, key, manifestSignatureSchema)).toMatchObject({ signed: false });
    }
    const open = await readJson(store, keys.manifest, manifestSchema);
    const released = Object.entries(manifest.artifacts).filter(([path]) => path.startsWith('release/'));
    expect(open).toEqual({ ...manifest, artifacts: Object.fromEntries(released) });
    for (const [path, { sha256: hash, bytes }] of Object.entries(manifest.artifacts)) {
      const stored = await store.get(keys.root + path);
      expect([path, hash, bytes]).toEqual([path, await sha256(stored), stored.length]);
    }
  });

  it('names and orders the columns of the risk table as documented', () => {
    expect(header).toEqual(HEADER);
  });

  it('has one row a combination, in order of first appearance, with its count', () => {
    const counts = new Map<string, number>();
    for (const record of records) {
      const combination = JSON.stringify(record);
      counts.set(combination, (counts.get(combination) ?? 0) + 1);
    }
    const expected = [...counts].map(([values, count], i) => [`${i + 1}`, `${count}`, values]);
    const found = rows.map((row) => [row.combination, row.count, JSON.stringify(variables.map((name) => row[name]))]);
    expect(found).toEqual(expected);
  });

  it('keeps ranks, intervals and probabilities within their bounds', () => {
    const candidates = plan.candidatesPerCombination;
    for (const row of rows) {
      const [rank, low, high] = [row.rank, row.rank_low, row.rank_high].map(Number) as [number, number, number];
      expect(Number(row.candidates)).toBe(candidates);
      for (const value of [rank, low, high]) {
        expect(value).toBeGreaterThanOrEqual(1);
        expect(value).toBeLessThanOrEqual(candidates);
      }
      expect(low).toBeLessThanOrEqual(high);
      const probability = Number(row.probability);
      expect(probability).toBeGreaterThan(0);
      expect(probability).toBeLessThan(1);
      expect(Number(row.ratio_to_uniform)).toBe(probability * candidates);
      expect(Number(row.probability_se)).toBeGreaterThanOrEqual(0);
      expect(Number(row.prior_probability)).toBe(1 / candidates);
      const odds = probability / (1 - probability);
      expect(Number(row.bayes_factor) / odds / (candidates - 1)).toBeCloseTo(1, 9);
      // Between the truth and the others on average no log-likelihood may be farther than the loss.
      const farthest = Number(row.privacy_loss) + 6 * Number(row.privacy_loss_se) + 1e-9;
      expect(Math.abs(Math.log(Number(row.bayes_factor)))).toBeLessThan(farthest);
      expect(Number(row.information_bits)).toBeGreaterThanOrEqual(0);
      expect(Number(row.effective_draws)).toBeGreaterThan(0);
      expect(row.distinguishable).toBe(String(high - low < candidates / 2));
    }
  });

  it('gives a first guess that differs from the truth and is no less probable, or none when the truth is first', () => {
    for (const row of rows) {
      const first = Number(row.first_guess_probability);
      if (row.first_guess_variable === '') {
        expect(row.first_guess_value).toBe('');
        expect(first).toBe(Number(row.probability));
        continue;
      }
      expect(Number(row.rank)).toBeGreaterThan(1);
      expect(first).toBeGreaterThanOrEqual(Number(row.probability));
      const values = row.first_guess_value!.split('; ');
      for (const [i, name] of row.first_guess_variable!.split('; ').entries()) {
        expect(categorical.find((variable) => variable.name === name)!.categories).toContain(values[i]);
        expect(values[i]).not.toBe(row[name]);
      }
    }
    expect(rows.filter((row) => row.rank === '1' && row.first_guess_variable !== '')).toEqual([]);
  });

  it('holds the same values in Parquet as in CSV', async () => {
    const bytes = await store.get(keys.confidential.table('attribute-risk').parquet);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const fromParquet = await parquetReadObjects({ file, compressors });
    expect(Object.keys(fromParquet[0]!)).toEqual(HEADER);
    const asText = fromParquet.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? '' : `${value}`])),
    );
    expect(asText).toEqual(rows);
    expect(fromParquet.map((row) => typeof row.distinguishable)).toEqual(rows.map(() => 'boolean'));
    expect(fromParquet.map((row) => typeof row.rank)).toEqual(rows.map(() => 'number'));
  });

  it('sums up what the rows of the risk table say, weighted by count', () => {
    const [risk] = summary.attributeRisk;
    expect(summary.attributeRisk).toHaveLength(1);
    expect(summary.table).toMatchObject({ records: RECORDS, combinations: rows.length });
    expect(overRecords(() => 1)).toBe(RECORDS);
    expect(risk!.records).toBe(RECORDS);
    expect(risk!.truthRankedFirst).toBe(overRecords((row) => Number(row.rank === '1')));
    expect(risk!.truthRankedFirstShare).toBe(risk!.truthRankedFirst! / RECORDS);
    expect(risk!.probabilityMean).toBeCloseTo(overRecords((row) => Number(row.probability)) / RECORDS, 12);
    expect(risk!.probabilityMax).toBe(Math.max(...numbers('probability')));
    expect(risk!.informationBitsMean).toBeCloseTo(overRecords((row) => Number(row.information_bits)) / RECORDS, 12);
    expect(risk!.informationBitsMax).toBe(Math.max(...numbers('information_bits')));
    expect(risk!.effectiveDrawsMin).toBe(Math.min(...numbers('effective_draws')));
    const shapes = rows.filter((row) => row.pareto_k !== '').map((row) => Number(row.pareto_k));
    expect(risk!.paretoKMax).toBe(shapes.length === 0 ? null : Math.max(...shapes));
    expect(risk!.paretoKReason === undefined).toBe(shapes.length > 0);
    const isHeavy = (row: Row) => row.pareto_k !== '' && Number(row.pareto_k) > risk!.paretoKThreshold;
    for (const row of rows) expect(row.heavy_tail).toBe(String(isHeavy(row)));
    expect(risk!.heavyTailShare).toBe(overRecords((row) => Number(isHeavy(row))) / RECORDS);
    expect(summary.warnings.some(({ code }) => code === 'heavy-tails')).toBe(rows.some(isHeavy));
    const distinguishable = overRecords((row) => Number(row.distinguishable === 'true'));
    expect(risk!.distinguishableShare).toBe(distinguishable / RECORDS);
    const ranks = rows.flatMap((row) => Array.from({ length: Number(row.count) }, () => Number(row.rank)));
    ranks.sort((a, b) => a - b);
    expect(risk!.truthRankMedian).toBe((ranks[RECORDS / 2 - 1]! + ranks[RECORDS / 2]!) / 2);
    const histogram = new Array<number>(plan.candidatesPerCombination).fill(0);
    for (const rank of ranks) histogram[Math.ceil(rank) - 1]!++;
    expect(risk!.rankHistogram).toEqual(histogram);
  });

  it('tells where the datasets come from, and that records cannot be matched in fully synthetic ones', async () => {
    expect(summary.synthesis).toEqual({ datasets: plan.datasets.count, synthesized: variables, kind: 'full', chains });
    expect(summary.identificationRisk).toHaveLength(1);
    expect(summary.identificationRisk[0]).toMatchObject({ applies: false, reason: expect.stringMatching(/fully synthetic/) });
    expect(summary.utility).toMatchObject({ records: RECORDS, datasets: plan.datasets.count, kind: 'full' });
    expect(summary.utilityReason).toBeUndefined();
    const rows = csvRows(await store.get(keys.confidential.table('utility').csv));
    expect(rows.length).toBeGreaterThan(100);
  });

  it('releases datasets of as many records as the table, which read back, and none made elsewhere', async () => {
    const released = await store.list(keys.release.root);
    expect(released).toHaveLength(origin === 'elsewhere' ? 0 : 2);
    const schema = await readJson(store, keys.table.schema, tableSchema);
    for (const key of released) {
      const dataset = await readTableAs(await store.get(key), schema, { missing: 'refuse' });
      expect(dataset.table.records).toBe(RECORDS);
      expect(dataset.notices).toEqual([]);
    }
  });
});

describe('a run that only synthesizes', () => {
  it('releases the bytes that an evaluation with its settings releases, and assesses nothing', async () => {
    const config = smallConfig();
    const synthesized = await runInMemory({ ...TEST_KEYS, purpose: 'synthesize', config, table });
    const evaluated = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    for (const dataset of [1, 2]) {
      const [a, b] = [synthesized, evaluated].map(({ store, keys }) => store.get(keys.release.dataset(dataset)));
      expect(await a).toEqual(await b);
    }
    const { store, keys } = synthesized;
    expect((await store.list(keys.confidential.root)).map((key) => key.slice(keys.root.length))).toEqual([
      'confidential/manifest.json',
      'confidential/manifest.signature.json',
      'confidential/plan.json',
      'confidential/release-key',
      'confidential/summary.json',
      'confidential/utility-measured.json',
      'confidential/utility.csv',
      'confidential/utility.json',
      'confidential/utility.parquet',
    ]);
    const summary = await readJson(store, keys.confidential.summary, summarySchema);
    expect(summary).toMatchObject({ attributeRisk: [], model: { chains: 0, drawsKept: 0 } });
    expect(summary.model.occupiedClassesMax).toBeGreaterThan(0);
  });
});

describe('a table with missing values', () => {
  const withMissing = new TextEncoder().encode(
    `A,B\n${Array.from({ length: 40 }, (_, i) => `${i % 3 ? 'a' : ''},${['x', 'y', 'NA'][(i * i) % 3]}`).join('\n')}\n`,
  );

  it('has a category for them, which files show as an empty cell', async () => {
    const { store, keys, plan } = await runInMemory({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: smallConfig({ synthesis: { missing: 'category' } }),
      table: withMissing,
    });
    expect(plan.candidatesPerCombination).toBeGreaterThan(2);
    const [, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    expect(rows.some((row) => row[2] === '')).toBe(true);
    const schema = await readJson(store, keys.table.schema, tableSchema);
    const release = await store.get(keys.release.dataset(1));
    const { table: dataset } = await readTableAs(release, schema, { missing: 'category' });
    expect(dataset.records).toBe(40);
    expect(new TextDecoder().decode(release)).toMatch(/^,/m);
    const summary = await readJson(store, keys.confidential.summary, summarySchema);
    expect(summary.warnings.map(({ message }) => message).join()).toContain('missing values were made');
  });
});
