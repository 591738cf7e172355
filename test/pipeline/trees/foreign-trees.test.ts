import { describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRecordDataset, readRecordTable } from '../../../shared/artifacts/stored-table.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { cartSettings, growSynthesisTree } from '../../../shared/model/cart/synthesis.ts';
import { dropRecords } from '../../../shared/model/cart/tree.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { elementAt } from '../../../shared/risk/trees/tree-variables.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, csvRows, mixedTable, runInMemory, TREE_SETTINGS } from '../small-run.ts';

const RECORDS = 40;
const table = mixedTable({ records: RECORDS });

const request = (settings: object, files?: readonly Uint8Array[], others: Partial<RunRequest> = {}) =>
  ({
    ...TEST_KEYS,
    purpose: files ? 'assess' : 'evaluate',
    config: configSchema.parse({ ...CATEGORY_TREE_SETTINGS, ...settings }),
    table,
    ...(files ? { datasets: { origin: 'elsewhere', files } } : {}),
    ...others,
  }) satisfies RunRequest;

/** Trees that tell settings apart: of coarser ones many values would be possible in any leaf. */
const FINE = { name: 'cart', minimumLeaf: 1 };

type Run = Awaited<ReturnType<typeof runInMemory>>;

const summaryOf = ({ store, keys }: Run) => readJson(store, keys.confidential.summary, summarySchema);
const releaseOf = ({ store, keys, plan }: Run) =>
  Promise.all(Array.from({ length: plan.datasets.count }, (_, l) => store.get(keys.release.dataset(l + 1))));

/** How many values of each synthesized variable are none of the donors' where their row comes to rest. */
async function countImpossible(run: Run): Promise<number[]> {
  const truth = await readRecordTable(run.store, run.plan);
  const settings = cartSettings(run.plan.config, truth.schema)!;
  const counts = settings.synthesized.map(() => 0);
  for (let l = 1; l <= run.plan.datasets.count; l++) {
    const { columns } = await readRecordDataset(run.store, run.plan, l, truth);
    for (const [place, variable] of settings.synthesized.entries()) {
      const tree = growSynthesisTree(truth, settings, place);
      dropRecords(tree, columns, RECORDS, ({ from, to }, rows) => {
        const donors = new Set<number>();
        for (let d = from; d < to; d++) donors.add(elementAt(tree.donors, d));
        for (const row of rows) if (!donors.has(elementAt(columns[variable]!, row))) counts[place]!++;
      });
    }
  }
  return counts;
}

let fitting: Promise<string> | undefined;

/** The open plan of datasets that fit, without its run id. */
async function openPlanOfFitting(): Promise<string> {
  const own = await runInMemory(request({ model: FINE }, undefined, { purpose: 'synthesize' }));
  const run = await runInMemory(request({ model: FINE }, await releaseOf(own)));
  expect((await summaryOf(run)).attributeRisk).toHaveLength(1);
  return new TextDecoder().decode(await run.store.get(run.keys.openPlan)).replaceAll(run.plan.runId, '');
}

describe('datasets of trees that were grown elsewhere', () => {
  it('are assessed as if grown here: files of a run give its own tables, to the last byte', async () => {
    for (const settings of [{}, { mcmc: { precision: 'quick' } }]) {
      const own = await runInMemory(request(settings));
      const foreign = await runInMemory(request(settings, await releaseOf(own), { batchSize: 11 }));
      const { confidential } = own.keys;
      for (const file of ['attribute-risk', 'variable-risk', 'identification-risk']) {
        const found = await foreign.store.get(foreign.keys.confidential.table(file).csv);
        expect(found).toEqual(await own.store.get(confidential.table(file).csv));
      }
      const [expected, found] = [await summaryOf(own), await summaryOf(foreign)];
      expect(found.attributeRisk).toEqual(expected.attributeRisk);
      expect(found.attributeRisk).toHaveLength(1);
      expect(found.utility).toEqual(expected.utility);
      expect(found.warnings).toEqual(expected.warnings);
      // Nothing was grown to be released, and nothing is released.
      const paths = await foreign.store.list(foreign.keys.root);
      expect(paths.filter((path) => /\/(trees|release)\//.test(path))).toEqual([]);
    }
  });

  it('are assessed where no variable is kept: rows belong to no record', async () => {
    const full = {
      model: { ...FINE, predictors: 'none' },
      variables: { age: { drop: true }, income: { drop: true } },
      synthesis: { datasets: 2, synthesized: 'all' },
      identification: [],
    };
    const own = await runInMemory(request(full));
    const reversed = (await releaseOf(own)).map((file) => {
      const [header, ...rows] = csvRows(file);
      return encodeCsv(header!, rows.toReversed());
    });
    const foreign = await runInMemory(request(full, reversed));
    const [expected, found] = [await summaryOf(own), await summaryOf(foreign)];
    expect(found.synthesis.kind).toBe('full');
    expect(found.attributeRisk).toEqual(expected.attributeRisk);
    expect(found.attributeRisk[0]!.variables.length).toBeGreaterThan(1);
    expect(found.attributeRisk[0]).toMatchObject({ membership: null, membershipReason: 'it is not measured of trees' });
  });

  it.each([
    ['without the kept variables', { model: { ...FINE, predictors: 'none' } }],
    ['in another order', { model: FINE, synthesis: { datasets: 2, synthesized: ['region', 'employment'] } }],
    ['with larger leaves', { model: { ...FINE, minimumLeaf: 15 } }],
    ['with another complexity', { model: { ...FINE, complexity: 0.1 } }],
  ])('are noticed where they were grown %s, with how many values show it', async (_, otherwise) => {
    const files = await releaseOf(await runInMemory(request(otherwise, undefined, { purpose: 'synthesize' })));
    const acceptance = ['attributeRisk.provenShare <= 1'];
    const run = await runInMemory(request({ model: FINE, acceptance }, files));
    const counts = await countImpossible(run);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    const summary = await summaryOf(run);
    expect(summary.attributeRisk).toEqual([]);
    const said = ['employment', 'region'].flatMap((name, place) =>
      counts[place]! > 0 ? [`${counts[place]} of ${2 * RECORDS} of ${name}`] : [],
    );
    expect(summary.attributeRiskReason).toContain(`with these settings: ${said.join(', ')}. The trees`);
    if ('minimumLeaf' in otherwise.model && otherwise.model.minimumLeaf > 1) {
      expect(summary.attributeRiskReason).toMatch(/All are possible with model: \{ minimumLeaf: 15 \} instead of \{ minimumLeaf: 1 \}\./);
    }
    expect(summary.warnings.map(({ code }) => code)).toContain('other-trees');
    expect(summary.acceptance).toMatchObject([{ met: false }]);
    // What needs no trees is measured all the same.
    expect(summary.identificationRisk).toMatchObject([{ applies: true }]);
    expect(summary.utility).not.toBeNull();
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(report).toContain('The trees were grown with another minimum leaf');
    // Who sees what is open does not see how they fit.
    const open = new TextDecoder().decode(await run.store.get(run.keys.openPlan));
    fitting ??= openPlanOfFitting();
    expect(open.replaceAll(run.plan.runId, '')).toBe(await fitting);
  });

  it.each([
    ['a smaller leaf', { minimumLeaf: 5 }, { minimumLeaf: 30 }, /model: \{ minimumLeaf: [345] \} instead of \{ minimumLeaf: 30 \}/],
    ['a leaf that nobody tries', { minimumLeaf: 9 }, { minimumLeaf: 30 }, /model: \{ minimumLeaf: \d+ \} instead of/],
    ['a smaller complexity', { complexity: 1e-6 }, { complexity: 0.2 }, 'instead of { complexity: 0.2 }'],
    ['kept predictors', {}, { predictors: 'none' }, 'model: { predictors: kept } instead of { predictors: none }'],
  ])('are told where they were grown with %s, though all of their values are possible', async (_, made, given, reason) => {
    const trees = (own: object) => ({ model: { name: 'cart', ...own } });
    const files = await releaseOf(await runInMemory(request(trees(made), undefined, { purpose: 'synthesize' })));
    const run = await runInMemory(request(trees(given), files));
    expect(Math.max(...(await countImpossible(run)))).toBe(0);
    const summary = await summaryOf(run);
    expect(summary.attributeRisk).toEqual([]);
    expect(summary.attributeRiskReason).toMatch('more than 10,000 times as probable');
    expect(summary.attributeRiskReason).toMatch(reason);
    expect(summary.warnings.map(({ code }) => code)).toContain('other-trees');
  });

  it('are assessed by the division that they show, where another one gains the same and comes first here', async () => {
    // Either variable divides three records of the first kind from all others; only by `second` the first record is among these.
    const kinds = ['alpha', 'alpha', 'alpha', 'alpha', 'beta', 'beta', 'beta', 'beta'];
    const rows = kinds.map((kind, i) => [i < 3 ? 'left' : 'right', i > 0 && i < 4 ? 'left' : 'right', kind]);
    const settings = { model: { name: 'cart', minimumLeaf: 2 }, synthesis: { datasets: 1, synthesized: ['kind'] }, utility: 'off' };
    const config = configSchema.parse(settings);
    const [own, other] = await Promise.all(
      [
        [0, 1, 2],
        [1, 0, 2],
      ].map(async (order) => {
        const file = (of: string[][]) =>
          encodeCsv(
            order.map((v) => ['first', 'second', 'kind'][v]!),
            of.map((row) => order.map((v) => row[v]!)),
          );
        const run = await runInMemory(request({}, [file(rows.with(0, ['left', 'right', 'beta']))], { config, table: file(rows) }));
        expect(run.plan.unscored).toBeUndefined();
        return (await summaryOf(run)).attributeRisk;
      }),
    );
    expect(own).toEqual(other);
  });

  it('are assessed by the settings that they have, whatever the leaf', async () => {
    for (const minimumLeaf of [2, 5, 12]) {
      const model = { name: 'cart', minimumLeaf };
      const files = await releaseOf(await runInMemory(request({ model }, undefined, { purpose: 'synthesize' })));
      expect((await planRun(request({ model }, files))).plan.unscored).toBeUndefined();
    }
  });

  it('are assessed of a table whose missing values are a category, which they have as well', async () => {
    const [header, ...rows] = csvRows(table);
    const at = header!.indexOf('employment');
    const incomplete = encodeCsv(
      header!,
      rows.map((row, i) => (i % 9 === 0 ? row.with(at, '') : row)),
    );
    const synthesis = { ...CATEGORY_TREE_SETTINGS.synthesis, missing: 'category' };
    const own = await runInMemory(request({ synthesis }, undefined, { table: incomplete }));
    const files = await releaseOf(own);
    const released = files.flatMap((file) => csvRows(file).map((row) => row[at]));
    expect(released.filter((value) => value === '' || value === 'NA').length).toBeGreaterThan(0);
    const foreign = await runInMemory(request({ synthesis }, files, { table: incomplete }));
    for (const file of ['attribute-risk', 'variable-risk']) {
      expect(await foreign.store.get(foreign.keys.confidential.table(file).csv)).toEqual(
        await own.store.get(own.keys.confidential.table(file).csv),
      );
    }
  });

  it('are refused where their values are not to be guessed, or are not those of the table', async () => {
    const files = await releaseOf(await runInMemory(request({})));
    await expect(planRun(request(TREE_SETTINGS, files))).rejects.toMatchObject({ code: 'no-attribute-risk' });
    const proper = { model: { name: 'cart', proper: true } };
    await expect(planRun(request(proper, files))).rejects.toMatchObject({ message: expect.stringMatching(/^Trees .* bootstrap samples/) });
    await expect(planRun(request({}, []))).rejects.toMatchObject({ code: 'no-datasets' });
    const [header, ...rows] = csvRows(files[0]!);
    const changed = (name: string, value: string) =>
      encodeCsv(
        header!,
        rows.map((row, i) => (i === 3 ? row.with(header!.indexOf(name), value) : row)),
      );
    await expect(planRun(request({}, [changed('age', '17')]))).rejects.toMatchObject({ code: 'kept-values-differ' });
    await expect(planRun(request({}, [changed('employment', 'astronaut')]))).rejects.toMatchObject({ name: 'InvalidTableError' });
    await expect(planRun(request({}, [encodeCsv(header!, rows.slice(1))]))).rejects.toMatchObject({ code: 'other-records' });
  });
});
