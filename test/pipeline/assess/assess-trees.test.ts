import { describe, expect, it } from 'vitest';
import { treePosterior } from '../../../bench/plain/tree-posterior.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRecordDataset, readRecordTable } from '../../../shared/artifacts/stored-table.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { type CartSettings, cartSettings, fitCart } from '../../../shared/model/cart/synthesis.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { candidateTable } from '../../../shared/pipeline/tables/candidate-table.ts';
import { createTreeRisk, PRIOR_RECORDS } from '../../../shared/risk/trees/tree-risk.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import type { Column, Table } from '../../../shared/table/table.ts';
import { AllDraws } from '../../all-draws.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, csvRows, hashesBelow, mixedTable, runInMemory, withoutProgram } from '../small-run.ts';

const request = (settings: object = {}, others: Partial<RunRequest> = {}): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: configSchema.parse({ ...CATEGORY_TREE_SETTINGS, identification: [], ...settings }),
  table: mixedTable({ records: 40 }),
  ...others,
});

type Run = Awaited<ReturnType<typeof runInMemory>>;

const summaryOf = ({ store, keys }: Run) => readJson(store, keys.confidential.summary, summarySchema);

async function tableOf({ store }: Run, key: string) {
  const [header, ...rows] = csvRows(await store.get(key));
  const texts = (name: string) => {
    const column = header!.indexOf(name);
    if (column < 0) throw new RangeError(`no column ${name}`);
    return rows.map((row) => row[column]!);
  };
  return { header: header!, texts, numbers: (name: string) => texts(name).map(Number) };
}

const codesOf = (column: Column | undefined): ArrayLike<number> => {
  if (column?.type !== 'categorical') throw new RangeError('not categorical');
  return column.codes;
};

/** Probability of a dataset over all donors that trees of a table can draw. */
function probabilityOf(table: Table, settings: CartSettings, released: string): number {
  const model = fitCart(table, settings);
  const draws = new AllDraws();
  let probability = 0;
  do {
    const dataset = model.synthesize(draws);
    if (dataset.map((column) => Array.from(codesOf(column)).join()).join(' ') === released) {
      probability += draws.probability;
    }
  } while (draws.advance());
  return probability;
}

describe('attribute risk of a run by trees', () => {
  it.each([
    ['with values in all records', ['a,x,p', 'a,y,p', 'b,z,q', 'b,y,q']],
    ['with a missing value, which is a category', ['a,x,p', 'a,y,p', 'b,,q', 'b,y,q']],
  ])('is what all donors that can be drawn come to, %s', async (_, texts) => {
    const rows = texts.map((row) => row.split(','));
    const run = await runInMemory(
      request(
        {
          model: { name: 'cart', minimumLeaf: 1, complexity: 0.1 },
          variables: {},
          synthesis: { datasets: 1, synthesized: ['U', 'V'], missing: 'category' },
          attributeRisk: { candidates: { unknown: ['U', 'V'] } },
        },
        { table: encodeCsv(['K', 'V', 'U'], rows) },
      ),
    );
    const table = await readRecordTable(run.store, run.plan);
    const settings = cartSettings(run.plan.config, table.schema)!;
    const { columns } = await readRecordDataset(run.store, run.plan, 1, table);
    const released = [2, 1].map((v) => Array.from(codesOf(columns[v])).join()).join(' ');
    const found = (await tableOf(run, run.keys.confidential.table('attribute-risk').csv)).numbers('probability');
    expect(found).toHaveLength(rows.length);
    const likelihood = (record: number, v: number, u: number) => {
      const changed = table.columns.map((column, k): Column => {
        const codes = Uint8Array.from(codesOf(column));
        if (k > 0) codes[record] = k === 1 ? v : u;
        return { type: 'categorical', codes };
      });
      return probabilityOf({ ...table, columns: changed }, settings, released);
    };
    for (const record of [0, 2]) {
      const cells = [0, 1, 2].flatMap((v) => [0, 1].map((u) => likelihood(record, v, u)));
      const [v, u] = [codesOf(table.columns[1])[record]!, codesOf(table.columns[2])[record]!];
      const total = cells.reduce((a, b) => a + b, 0);
      expect(found[record]).toBeCloseTo(likelihood(record, v, u) / total, 10);
    }
  });

  it('tells of each value before and after what the trees say of it, and what is proven', async () => {
    const run = await runInMemory(request());
    const table = await readRecordTable(run.store, run.plan);
    const settings = cartSettings(run.plan.config, table.schema)!;
    const datasets: Column[][] = [];
    for (const l of [1, 2]) {
      const { columns } = await readRecordDataset(run.store, run.plan, l, table);
      datasets.push(settings.synthesized.map((v) => columns[v]!));
    }
    const options = { exact: true, priorRecords: PRIOR_RECORDS };
    const risk = createTreeRisk({ table, settings, datasets }, options);
    const values = await tableOf(run, run.keys.confidential.table('variable-risk').csv);
    expect(values.header.slice(-2)).toEqual(['probability_fixed', 'proven']);
    const proven = new Set<number>();
    const gains = { exact: 0, fixed: 0, right: 0, rightFixed: 0, before: 0 };
    const without = [0, 0];
    for (let record = 0; record < 40; record++) {
      for (const [place, name] of ['employment', 'region'].entries()) {
        const { exact, fixed } = risk.risksOf(record, risk.valuesAt(record, place));
        const truth = codesOf(table.columns[settings.synthesized[place]!])[record]!;
        const expected = treePosterior(exact!, truth, false);
        const held = treePosterior(fixed, truth, false);
        const at = values.texts('record').findIndex((one, i) => one === String(record + 1) && values.texts('variable')[i] === name);
        expect(values.numbers('probability_before')[at]).toBeCloseTo(expected.prior[truth]!, 10);
        expect(values.numbers('probability_after')[at]).toBeCloseTo(expected.posterior[truth]!, 10);
        expect(values.numbers('gain_bits')[at]).toBeCloseTo(expected.gainBits, 9);
        expect(values.numbers('probability_se')[at]).toBe(0);
        expect(values.texts('proven')[at]).toBe(String(expected.proven));
        if (expected.proven) proven.add(record);
        gains.exact += expected.gainBits / 40;
        for (const [l, logRatios] of exact!.logRatiosWithout!.entries()) {
          without[l]! += treePosterior({ ...exact!, logRatios }, truth, false).gainBits / 40;
        }
        gains.right += expected.rightAfter / 80;
        gains.rightFixed += held.rightAfter / 80;
        gains.before += expected.rightBefore / 80;
        expect(values.numbers('probability_fixed')[at]).toBeCloseTo(held.posterior[truth]!, 10);
        gains.fixed += held.gainBits / 40;
      }
    }
    const summary = await summaryOf(run);
    const [found] = summary.attributeRisk;
    expect(found).toMatchObject({
      estimator: 'exact',
      candidates: 'one-change',
      provenRecords: proven.size,
      provenShare: proven.size / 40,
      probabilityMeanSimulationSe: 0,
      paretoKMax: null,
    });
    // Of two datasets m / (m - 1) times the squares about their mean is the square of their difference.
    expect(found!.gainBitsMeanSe).toBeCloseTo(Math.abs(without[0]! - without[1]!), 6);
    expect(found!.gainBitsMeanSe).toBeGreaterThan(0);
    expect(found!.gainBitsSeReason).toBeUndefined();
    expect(found!.variables.every(({ gainBitsMeanSe }) => gainBitsMeanSe! > 0)).toBe(true);
    expect(proven.size).toBeGreaterThan(0);
    // Sums over records are rounded, so that their order makes no difference.
    expect(found!.gainBitsMean).toBeCloseTo(gains.exact, 6);
    expect(found!.firstGuessRightAfter).toBeCloseTo(gains.right, 6);
    expect(found!.firstGuessRightBefore).toBeCloseTo(gains.before, 6);
    expect(found!.fixedStructure!.gainBitsMean).toBeCloseTo(gains.fixed, 9);
    expect(found!.fixedStructure!.firstGuessRightAfter).toBeCloseTo(gains.rightFixed, 6);
    for (const { variable, provenShare } of found!.variables) {
      const own = values.texts('proven').filter((_, at) => values.texts('variable')[at] === variable);
      expect(provenShare).toBe(own.filter((text) => text === 'true').length / 40);
    }
    expect(found!.fixedStructure!.gainBitsMissedShare).toBeCloseTo(1 - gains.fixed / gains.exact, 6);
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(report).toContain('the release proves a value');
    expect(withoutProgram(report)).not.toMatch(/undefined|NaN|\[object|Infinity/);
    // Kept variables stand in the table too, continuous ones as they are.
    const rows = await tableOf(run, run.keys.confidential.table('attribute-risk').csv);
    const [header, ...records] = csvRows(mixedTable({ records: 40 }));
    for (const name of header!) {
      expect(rows.texts(name)).toEqual(records.map((row) => row[header!.indexOf(name)]));
    }
  });

  it('leaves the same bytes whatever the batches and their order, with every task run twice', async () => {
    const whole = await runInMemory(request());
    const expected = await hashesBelow(whole.store, whole.plan, 'release/', 'confidential/');
    expect(Object.keys(expected)).toContain('confidential/variable-risk.csv');
    const again = await runInMemory(request({}, { batchSize: 7 }), { inOrder: (tasks) => [...tasks.toReversed(), ...tasks] });
    expect(again.plan.batches).toHaveLength(6);
    expect(await hashesBelow(again.store, again.plan, 'release/', 'confidential/')).toEqual(expected);
  });

  it('holds the divisions where it is to be quick, and says so', async () => {
    const quick = await runInMemory(request({ mcmc: { precision: 'quick' } }));
    const [found] = (await summaryOf(quick)).attributeRisk;
    expect(found).toMatchObject({ estimator: 'fixed-structure' });
    expect(found!.meaning).toMatch(/divisions of the trees held/);
    expect(found!.fixedStructure).toBeUndefined();
    const rows = await tableOf(quick, quick.keys.confidential.table('attribute-risk').csv);
    expect(rows.numbers('probability')).toEqual(rows.numbers('probability_fixed'));
    const [exact] = (await summaryOf(await runInMemory(request()))).attributeRisk;
    expect(found!.provenShare).toBe(exact!.fixedStructure!.provenShare);
    expect(found!.gainBitsMean).toBeCloseTo(exact!.fixedStructure!.gainBitsMean, 6);
    const report = new TextDecoder().decode(await quick.store.get(quick.keys.confidential.report));
    expect(report).toContain('precision quick');
  });

  it.each([
    ['values of one variable', {}],
    ['values of both', { attributeRisk: { candidates: { unknown: ['employment', 'region'] } } }],
  ])('says of divisions that are held what the quick run says: %s', async (_, settings) => {
    const of = async (more: object) => (await summaryOf(await runInMemory(request({ ...settings, ...more })))).attributeRisk[0]!;
    const [exact, quick] = [await of({}), await of({ mcmc: { precision: 'quick' } })];
    expect(quick.estimator).toBe('fixed-structure');
    expect(quick.firstGuessRightAfter).toBeGreaterThan(0);
    expect(exact.fixedStructure!.firstGuessRightAfter).toBeCloseTo(quick.firstGuessRightAfter!, 6);
    expect(exact.fixedStructure!.gainBitsMean).toBeCloseTo(quick.gainBitsMean!, 6);
  });

  it('does not know how releases differ from a single dataset, and says so', async () => {
    const synthesis = { ...CATEGORY_TREE_SETTINGS.synthesis, datasets: 1 };
    const run = await runInMemory(request({ synthesis }));
    const [found] = (await summaryOf(run)).attributeRisk;
    expect(found).toMatchObject({ gainBitsMeanSe: null, firstGuessRightAfterSe: null });
    expect(found!.gainBitsSeReason).toMatch(/single dataset/);
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(withoutProgram(report)).not.toMatch(/NaN|\[object|Infinity/);
  });

  it('takes several scenarios and priors, and judges rules on what is proven', async () => {
    const unknown = { candidates: { unknown: ['region'] } };
    const run = await runInMemory(
      request({
        attributeRisk: {
          scenarios: [
            { name: 'alike', ...unknown },
            { name: 'model', ...unknown, prior: 'model' },
          ],
        },
        acceptance: ['attributeRisk.provenShare <= 1', 'attributeRisk.provenShare <= 0'],
      }),
    );
    const { attributeRisk, acceptance } = await summaryOf(run);
    expect(acceptance.map(({ met }) => met)).toEqual([true, false]);
    const [alike, model] = attributeRisk;
    expect(model!.gainBitsMean).toBe(alike!.gainBitsMean);
    expect(model!.provenShare).toBe(alike!.provenShare);
    expect(model!.priorFirstShare).toBeCloseTo(model!.firstGuessRightBefore!, 6);
    expect(model!.probabilityMean).toBeCloseTo(model!.probabilityTrueAfter!, 6);
  });

  it('is refused where there are too many candidates, with what helps', async () => {
    // 300 categories each: 90,000 cells of both.
    const rows = Array.from({ length: 300 }, (_, i) => ['a', `v${i}`, `u${(7 * i) % 300}`]);
    const many = (candidates: object | string) =>
      request(
        {
          variables: { V: { type: 'categorical' }, U: { type: 'categorical' } },
          synthesis: { synthesized: ['V', 'U'] },
          attributeRisk: { candidates },
        },
        { table: encodeCsv(['K', 'V', 'U'], rows) },
      );
    await expect(planRun(many({ unknown: ['U', 'V'] }))).rejects.toMatchObject({
      name: 'UnsupportedOptionError',
      code: 'too-many-candidates',
      message: expect.stringMatching(/more than the 65,?536 candidates.*know more variables, or merge rare categories/),
    });
    const { plan } = await planRun(many('one-change'));
    expect(plan.candidatesPerCombination).toBe(1 + 2 * 299);
  });

  it('is refused with a variable of thousands of categories, kept or synthesized, and offered with divisions that are held', async () => {
    const asked = (categories: number, settings: object) => {
      const rows = Array.from({ length: categories }, (_, i) => ['ab'[i % 2]!, `v${i}`]);
      const variables = { V: { type: 'categorical' } };
      return planRun(request({ variables, ...settings }, { table: encodeCsv(['K', 'V'], rows) }));
    };
    const kept = { synthesis: { synthesized: ['K'] } };
    for (const settings of [kept, { synthesis: { synthesized: ['V'] } }]) {
      await expect(asked(1001, settings)).rejects.toMatchObject({
        code: 'too-many-categories',
        message: expect.stringMatching(/^V has .*quick/),
      });
    }
    for (const [categories, settings] of [
      [1000, kept],
      [1001, { ...kept, mcmc: { precision: 'quick' } }],
      [1001, { ...kept, model: { name: 'cart', predictors: 'none' } }],
    ] as const) {
      expect((await asked(categories, settings)).plan.candidatesPerCombination).toBe(2);
    }
  });

  it('is refused of variables that the table lacks, and of a table of candidates', async () => {
    await expect(planRun(request({ attributeRisk: { candidates: { unknown: ['city'] } } }))).rejects.toMatchObject({
      code: 'unknown-variable',
    });
    const run = await runInMemory(request());
    await expect(candidateTable(run.store, { runId: run.plan.runId, combination: 1 })).rejects.toMatchObject({
      code: 'candidates-of-trees',
    });
  });
});
