import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRecordDataset, readRecordTable } from '../../../shared/artifacts/stored-table.ts';
import { readTree } from '../../../shared/artifacts/stored-tree.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { foundBoundsSchema } from '../../../shared/contracts/results/bounds.ts';
import { type Summary, summarySchema } from '../../../shared/contracts/results/summary.ts';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { cartSettings, fitCart } from '../../../shared/model/cart/synthesis.ts';
import { planBounds } from '../../../shared/pipeline/plan/plan-bounds.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { KeyedStreams } from '../../../shared/random/streams.ts';
import { measureBounds, summarizeBounds } from '../../../shared/risk/bounds/bound-disclosure.ts';
import { uniqueValues } from '../../../shared/risk/trees/unique-values.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import type { Table } from '../../../shared/table/table.ts';
import { TEST_KEYS, testKey } from '../../test-keys.ts';
import { csvRows, hashesBelow, mixedTable, runInMemory, SMALL_SETTINGS, smallTable, TREE_SETTINGS, withoutProgram } from '../small-run.ts';

const RECORDS = 80;
const table = mixedTable({ records: RECORDS });
const [names, ...records] = csvRows(table) as [string[], ...string[][]];
const RESULTS = ['release/', 'confidential/'];

const request = (settings: object = {}, purpose: RunRequest['purpose'] = 'evaluate'): RunRequest => ({
  ...TEST_KEYS,
  purpose,
  config: configSchema.parse({ ...TREE_SETTINGS, ...settings }),
  table,
});

/** Rows of a dataset that match a record by region, age within 2, employment, and income within 10 % of the true one. */
function matchesOf(truth: Table, dataset: Table, record: number): number[] {
  const value = ({ columns }: Table, variable: string, row: number) => {
    const column = columns[names.indexOf(variable)]!;
    return column.type === 'categorical' ? column.codes[row]! : column.values[row]!;
  };
  const rows = Array.from({ length: RECORDS }, (_, row) => row);
  const income = value(truth, 'income', record);
  return rows.filter(
    (row) =>
      value(dataset, 'region', row) === value(truth, 'region', record) &&
      value(dataset, 'employment', row) === value(truth, 'employment', record) &&
      Math.abs(value(dataset, 'age', row) - value(truth, 'age', record)) <= 2 &&
      Math.abs(value(dataset, 'income', row) - income) <= 0.1 * income,
  );
}

describe('a run by trees', () => {
  let run: Awaited<ReturnType<typeof runInMemory>>;
  let summary: Summary;

  beforeAll(async () => {
    run = await runInMemory(request());
    summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
  });

  it('releases the records in their order, with other values in the synthesized variables alone', async () => {
    for (const l of [1, 2]) {
      const [header, ...rows] = csvRows(await run.store.get(run.keys.release.dataset(l)));
      expect(header).toEqual(names);
      expect(rows.map((row) => row.slice(0, 3))).toEqual(records.map((row) => row.slice(0, 3)));
      const incomes = new Set(records.map((row) => row[4]));
      for (const row of rows) expect(incomes.has(row[4])).toBe(true);
      expect(rows.filter((row, i) => row[4] !== records[i]![4]).length).toBeGreaterThan(RECORDS / 4);
    }
  });

  it('draws each dataset as the model does in one piece, from a stream of its own', async () => {
    const confidential = await readRecordTable(run.store, run.plan);
    const model = fitCart(confidential, cartSettings(run.plan.config, confidential.schema)!);
    for (const [place, tree] of model.trees.entries()) {
      expect(await readTree(run.store, run.plan.runId, place + 1)).toEqual(tree);
    }
    const streams = new KeyedStreams(testKey(2), 1);
    for (const l of [1, 2]) {
      const [employment, income] = model.synthesize(streams.openReleased(`dataset/${l}`));
      const { columns } = await readRecordDataset(run.store, run.plan, l);
      expect(columns.slice(3)).toEqual([employment, income]);
    }
  });

  it('lets kept variables predict unless the config says that none does', async () => {
    const alone = await runInMemory(request({ model: { ...TREE_SETTINGS.model, predictors: 'none' } }, 'synthesize'));
    const splits = async ({ store, plan }: typeof run) =>
      Promise.all([1, 2].map(async (place) => (await readTree(store, plan.runId, place)).root.split));
    const [employment, income] = await splits(alone);
    expect(employment).toBeNull();
    // Income has employment, which is visited before it, as its only predictor.
    expect(income?.cut.variable).toBe(names.indexOf('employment'));
    expect((await splits(run)).every((split) => split !== null)).toBe(true);
  });

  it('stores no combinations, draws or parts, and counts distinct rows', async () => {
    const paths = (await run.store.list(run.keys.root)).map((key) => key.slice(run.keys.root.length));
    expect(paths.filter((path) => /^(draws|parts|rounds|diagnostics)\/|combinations|attribute-risk/.test(path))).toEqual([]);
    expect(summary.table).toMatchObject({ records: RECORDS, cells: null, combinations: new Set(records.map(String)).size });
    expect(summary.table.cellsReason).toMatch(/continuous/);
    expect(summary.model).toMatchObject({ name: 'cart', classes: null, chains: 0, occupiedClassesMax: null });
    expect(summary.synthesis).toMatchObject({ kind: 'partial', synthesized: ['employment', 'income'], chains: null });
  });

  it('says why there is no attribute risk', async () => {
    expect(summary.attributeRisk).toEqual([]);
    expect(summary.attributeRiskReason).toMatch(/income is continuous and synthesized/);
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(report).toContain('income is continuous and synthesized');
    expect(withoutProgram(report)).not.toMatch(/undefined|NaN|\[object/);
  });

  it('counts the values that one record alone has, in summary, warnings and report', async () => {
    const truth = await readRecordTable(run.store, run.plan);
    const settings = cartSettings(run.plan.config, truth.schema)!;
    const datasets = [];
    for (const l of [1, 2]) {
      const { columns } = await readRecordDataset(run.store, run.plan, l, truth);
      datasets.push(settings.synthesized.map((v) => columns[v]!));
    }
    const incomes = records.map((row) => row[4]!);
    const alone = incomes.filter((one) => incomes.indexOf(one) === incomes.lastIndexOf(one));
    const came = new Set<string>();
    for (const l of [1, 2]) {
      for (const row of csvRows(await run.store.get(run.keys.release.dataset(l))).slice(1)) came.add(row[4]!);
    }
    const { probability } = uniqueValues({ table: truth, settings, datasets }, 1);
    expect(alone.length).toBeGreaterThan(20);
    expect(summary.uniqueValues).toEqual([
      {
        variable: 'income',
        values: alone.length,
        expected: expect.closeTo(
          probability.reduce((a, b) => a + b, 0),
          9,
        ),
        released: alone.filter((one) => came.has(one)).length,
      },
    ]);
    const warning = summary.warnings.find(({ code }) => code === 'unique-values-released');
    expect(warning?.message).toMatch(new RegExp(`${summary.uniqueValues![0]!.released} of the ${alone.length} values`));
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(report).toContain(`income: ${alone.length}\u00a0values that one record alone has`);
  });

  it('matches every record by what the intruder knows, and counts the true values that came out', async () => {
    const truth = await readRecordTable(run.store, run.plan);
    const [header, ...rows] = csvRows(await run.store.get(run.keys.confidential.table('identification-risk').csv));
    expect(header).toEqual(['scenario', 'record', 'dataset', 'matches', 'own_record_matches', 'risk']);
    expect(rows).toHaveLength(2 * RECORDS);
    const [risk] = summary.identificationRisk;
    if (!risk?.applies) throw new Error('identification risk applies to partially synthetic data');
    expect(risk).toMatchObject({ synthesized: ['employment', 'income'], radii: { age: { absolute: 2 }, income: { relative: 0.1 } } });
    const equal = (a: Table, b: Table, v: number, i: number) => {
      const [left, right] = [a.columns[v]!, b.columns[v]!];
      return left.type === 'categorical' && right.type === 'categorical'
        ? left.codes[i] === right.codes[i]
        : left.type === 'continuous' &&
            right.type === 'continuous' &&
            Math.abs(left.values[i]! - right.values[i]!) <= 0.1 * left.values[i]!;
    };
    for (const l of [1, 2]) {
      const dataset = await readRecordDataset(run.store, run.plan, l, truth);
      let expected = 0;
      let disclosed = 0;
      for (let record = 0; record < RECORDS; record++) {
        const matches = matchesOf(truth, dataset, record);
        const own = matches.includes(record);
        expected += own ? 1 / matches.length : 0;
        disclosed += equal(truth, dataset, 3, record) && equal(truth, dataset, 4, record) ? 1 : 0;
        const row = rows.find((one) => one[1] === String(record + 1) && one[2] === String(l))!;
        expect(row.slice(3, 5)).toEqual([String(matches.length), own ? '1' : '0']);
      }
      expect(risk.datasets[l - 1]!.expectedMatchRisk).toBeCloseTo(expected, 10);
      expect(summary.attributeDisclosures!.all.byDataset[l - 1]).toBe(disclosed);
    }
  });

  it('leaves the same bytes in any order, with every task run twice, and other ones with another seed', async () => {
    const expected = await hashesBelow(run.store, run.plan, ...RESULTS, 'trees/');
    for (const order of [<T>(tasks: T[]) => tasks.toReversed(), <T>(tasks: T[]) => [...tasks, ...tasks]]) {
      const again = await runInMemory(request(), { inOrder: order });
      expect(await hashesBelow(again.store, again.plan, ...RESULTS, 'trees/')).toEqual(expected);
    }
    const other = await runInMemory(request({ seed: 2 }));
    const hashes = await hashesBelow(other.store, other.plan, ...RESULTS);
    expect(Object.keys(hashes).filter((path) => hashes[path] === expected[path])).toEqual([]);
  });

  it('judges rules by identification risk, which an undefined rate does not meet', async () => {
    const { store, keys } = await runInMemory(
      request({
        acceptance: [
          'identificationRisk.mean.expectedMatchRisk <= 80',
          'identificationRisk.mean.expectedMatchRisk <= 0',
          'attributeDisclosures.all.meanShare <= 1',
          'attributeRisk.truthRankedFirstShare <= 1',
        ],
      }),
    );
    const { acceptance } = await readJson(store, keys.confidential.summary, summarySchema);
    expect(acceptance.map(({ met }) => met)).toEqual([true, false, true, false]);
    expect(acceptance[3]!.value).toBeNull();
  });

  it('says that no intruder was described where there is none', async () => {
    const { store, keys } = await runInMemory(request({ identification: [] }));
    const found = await readJson(store, keys.confidential.summary, summarySchema);
    expect(found.identificationRisk).toEqual([]);
    expect(found.identificationRiskReason).toMatch(/No intruder/);
    expect(found.attributeDisclosures).not.toBeNull();
    expect(await store.head(keys.confidential.table('identification-risk').csv)).toBeNull();
  });

  it('finds the bounds of such a release when it is asked to, as the command does from the released files', async () => {
    const bounded = await runInMemory(request({ inherent: { resamples: 5, bands: 4 } }));
    const { store, keys } = bounded;
    const found = await readJson(store, keys.confidential.inherent, foundBoundsSchema);
    const planned = await planBounds({
      ...TEST_KEYS,
      config: request().config,
      radius: {},
      resamples: 5,
      bands: 4,
      table,
      datasets: [await store.get(keys.release.dataset(1)), await store.get(keys.release.dataset(2))],
    });
    const measures = finish(measureBounds(planned.bounds, new KeyedStreams(testKey(2), 1)));
    const { found: expected } = summarizeBounds(planned.bounds, measures);
    expect(found).toMatchObject(JSON.parse(JSON.stringify(expected)));
    const { inherent, attributeDisclosures } = await readJson(store, keys.confidential.summary, summarySchema);
    expect(inherent!.attributeDisclosures.release).toBe(attributeDisclosures!.all.mean);
    type Bounds = Record<'minimum' | 'maximum', { mean: number | null }>;
    const between = ({ minimum, maximum }: Bounds) => ({ minimum: minimum.mean, maximum: maximum.mean });
    expect(inherent!.attributeDisclosures).toMatchObject(between(found.attributeDisclosures.all));
    expect(found.attributeDisclosures.all.maximum.mean).toBeGreaterThan(found.attributeDisclosures.all.minimum.mean!);
    const [scenario] = found.identificationRisk;
    expect(inherent!.identificationRisk[0]).toMatchObject({
      scenario: scenario!.scenario,
      expectedMatchRisk: between(scenario!.expectedMatchRisk),
    });
    expect(inherent!.identificationRisk).toHaveLength(1);
    const report = new TextDecoder().decode(await store.get(keys.confidential.report));
    expect(report).toContain('Least and most risk of such a release');
    expect(await store.head(keys.confidential.inherentReport)).not.toBeNull();
  });

  it('warns in its summary of what bounds warn of', async () => {
    const { store, keys } = await runInMemory(request({ inherent: { resamples: 2, bands: 40 } }));
    const { warnings } = await readJson(store, keys.confidential.inherent, foundBoundsSchema);
    expect(warnings.map(({ code }) => code)).toContain('patterns-of-one-record');
    const all = (await readJson(store, keys.confidential.summary, summarySchema)).warnings;
    expect(all).toEqual(expect.arrayContaining(warnings));
  });

  it('refuses bounds before the run where scenarios sweep radii', async () => {
    const [scenario] = TREE_SETTINGS.identification;
    const identification = [{ ...scenario, radius: { age: 0.1 }, sweep: {} }];
    await expect(planRun(request({ identification, inherent: {} }))).rejects.toMatchObject({ code: 'sweep-of-bounds' });
  });

  it('smooths continuous values when it is asked to', async () => {
    const { store, keys } = await runInMemory(request({ model: { name: 'cart', smoothing: true } }));
    const incomes = new Set(records.map((row) => row[4]));
    const [, ...rows] = csvRows(await store.get(keys.release.dataset(1)));
    expect(rows.some((row) => !incomes.has(row[4]))).toBe(true);
    const found = await readJson(store, keys.confidential.summary, summarySchema);
    expect(found.uniqueValues).toMatchObject([{ variable: 'income', expected: null, released: null }]);
    expect(found.uniqueValues![0]!.reason).toMatch(/smoothed/);
    expect(found.warnings.filter(({ code }) => code === 'unique-values-released')).toEqual([]);
  });

  it('synthesizes without judging, and the same datasets', async () => {
    const alone = await runInMemory(request({}, 'synthesize'));
    const found = await readJson(alone.store, alone.keys.confidential.summary, summarySchema);
    expect(found.identificationRisk).toEqual([]);
    expect(await hashesBelow(alone.store, alone.plan, 'release/')).toEqual(await hashesBelow(run.store, run.plan, 'release/'));
  });

  it.each(['assess', 'calibrate'] as const)('is refused by %s', async (purpose) => {
    await expect(planRun(request({}, purpose))).rejects.toMatchObject({ code: 'no-attribute-risk' });
  });
});

describe('identification scenarios of a run', () => {
  const refused: [string, object, string][] = [
    ['a variable that the table lacks', { known: ['city'] }, 'unknown-variable'],
    ['a variable that is known and synthesized', { known: ['region', 'income'] }, 'known-and-synthesized'],
    ['a synthesized variable that is kept', { known: ['region'], synthesized: ['age'] }, 'not-synthesized'],
    ['a radius of a categorical variable', { known: ['region'], radius: { region: 0.1, income: 0.1 } }, 'radius-of-categorical'],
    ['a continuous variable without a radius', { known: ['age'], radius: { income: 0.1 } }, 'no-radius'],
  ];
  it.each(refused)('are refused before the run with %s', async (_, scenario, code) => {
    await expect(planRun(request({ identification: [scenario] }))).rejects.toMatchObject({ code });
  });

  it('are refused when two are called alike', async () => {
    const scenario = { known: ['region'], radius: { income: 0.1 } };
    await expect(planRun(request({ identification: [scenario, scenario] }))).rejects.toMatchObject({ code: 'repeated-scenario' });
  });

  it('are matched by what the table has where missing values are imputed, whichever variables lack them', async () => {
    const [header, ...rows] = csvRows(smallTable()) as [string[], ...string[][]];
    const holes = rows.map((row, i) => (i % 9 === 0 ? row.with(1, '') : row));
    const imputing = (known: string): RunRequest => ({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse({
        ...SMALL_SETTINGS,
        synthesis: { datasets: 2, synthesized: ['education'], missing: 'impute' },
        identification: [{ known: [known] }],
      }),
      table: encodeCsv(header, holes),
    });
    for (const known of ['age_group', 'region']) {
      const { store, keys } = await runInMemory(imputing(known));
      const found = await readJson(store, keys.confidential.summary, summarySchema);
      expect(found.attributeRisk).toEqual([]);
      expect(found.attributeRiskReason).toMatch(/imputed/);
      const [risk] = found.identificationRisk;
      if (!risk?.applies) throw new Error('does not apply');
      expect(risk.mean.expectedMatchRisk).toBeGreaterThan(0);
    }
  });

  it('do not apply to fully synthetic data, whether they are named or not', async () => {
    const full = (identification: object[]): RunRequest => ({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: configSchema.parse({ ...SMALL_SETTINGS, identification }),
      table: smallTable(),
    });
    for (const scenarios of [[], [{ known: ['region'] }, { known: ['age_group'] }]]) {
      const { store, keys } = await runInMemory(full(scenarios));
      const { identificationRisk, attributeDisclosures, attributeDisclosuresReason } = await readJson(
        store,
        keys.confidential.summary,
        summarySchema,
      );
      expect(identificationRisk).toHaveLength(Math.max(1, scenarios.length));
      for (const risk of identificationRisk) {
        // It is the config that says so, which may have left out what is kept.
        expect(risk.applies ? null : risk.reason).toMatch(/no variable was named as kept.*fully synthetic/s);
      }
      expect(attributeDisclosures).toBeNull();
      expect(attributeDisclosuresReason).toMatch(/fully synthetic/);
      expect(await store.head(keys.confidential.table('identification-risk').csv)).toBeNull();
    }
    await expect(planRun(full([{ known: ['city'] }]))).rejects.toMatchObject({ code: 'unknown-variable' });
  });
});
