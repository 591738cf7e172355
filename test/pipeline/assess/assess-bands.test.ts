import { describe, expect, it } from 'vitest';
import { treePosterior } from '../../../bench/plain/tree-posterior.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRecordDataset, readRecordTable } from '../../../shared/artifacts/stored-table.ts';
import { bandOf, candidateBands } from '../../../shared/contracts/config/bands.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { cartSettings } from '../../../shared/model/cart/synthesis.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { createTreeRisk, PRIOR_RECORDS } from '../../../shared/risk/trees/tree-risk.ts';
import type { Column } from '../../../shared/table/table.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { csvRows, hashesBelow, mixedTable, runInMemory, TREE_SETTINGS, withoutProgram } from '../small-run.ts';

const RECORDS = 40;
const BANDS = { bands: [0, 1, 15_000, 25_000, 35_000] };
const candidates = (declared: object) => ({ variables: { ...TREE_SETTINGS.variables, income: { candidates: declared } } });

const request = (settings: object = {}, others: Partial<RunRequest> = {}): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: configSchema.parse({ ...TREE_SETTINGS, identification: [], ...candidates(BANDS), ...settings }),
  table: mixedTable({ records: RECORDS }),
  ...others,
});

describe('attribute risk of a run by trees with a continuous synthesized variable', () => {
  it.each([
    ['shares of bands', false],
    ['smoothed values', true],
  ])('is what the trees say of bands: %s', async (_, smoothing) => {
    const run = await runInMemory(request({ model: { name: 'cart', smoothing } }));
    const table = await readRecordTable(run.store, run.plan);
    const settings = cartSettings(run.plan.config, table.schema)!;
    const datasets: Column[][] = [];
    for (const l of [1, 2]) {
      const { columns } = await readRecordDataset(run.store, run.plan, l, table);
      datasets.push(settings.synthesized.map((v) => columns[v]!));
    }
    const declared = candidateBands(BANDS);
    const bands = new Map([[4, declared]]);
    const risk = createTreeRisk({ table, settings, datasets, bands }, { exact: true, priorRecords: PRIOR_RECORDS });
    const [header, ...rows] = csvRows(await run.store.get(run.keys.confidential.table('variable-risk').csv));
    const at = (name: string) => header!.indexOf(name);
    const incomes = rows.filter((row) => row[at('variable')] === 'income');
    expect(incomes).toHaveLength(RECORDS);
    const { values } = table.columns[4] as { values: Float64Array };
    const differ = new Set<number>();
    for (let record = 0; record < RECORDS; record++) {
      const { exact, fixed } = risk.risksOf(record, risk.valuesAt(record, 1));
      const truth = bandOf(declared.lower, values[record]!);
      const [expected, held] = [treePosterior(exact!, truth, false), treePosterior(fixed, truth, false)];
      const row = incomes[record]!;
      expect(declared.labels).toContain(row[at('first_guess_after')]);
      expect(Number(row[at('categories')])).toBe(5);
      expect(Number(row[at('probability_before')])).toBeCloseTo(expected.prior[truth]!, 10);
      expect(Number(row[at('probability_after')])).toBeCloseTo(expected.posterior[truth]!, 9);
      expect(Number(row[at('probability_fixed')])).toBeCloseTo(held.posterior[truth]!, 9);
      expect(row[at('proven')]).toBe(String(expected.proven));
      differ.add(Math.round(100 * expected.posterior[truth]!));
    }
    expect(differ.size).toBeGreaterThan(3);
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(summary.attributeRiskReason).toBeUndefined();
    expect(summary.warnings.map(({ code }) => code)).toContain('true-value-tried');
    expect(summary.attributeRisk[0]).toMatchObject({ estimator: 'exact', bandedVariables: ['income'] });
    expect(summary.attributeRisk[0]!.variables.map(({ variable }) => variable)).toEqual(['employment', 'income']);
    // The table of records has the numbers themselves.
    const [names, ...all] = csvRows(await run.store.get(run.keys.confidential.table('attribute-risk').csv));
    expect(all.map((row) => Number(row[names!.indexOf('income')]))).toEqual([...values]);
    expect(all[0]![names!.indexOf('candidates')]).toBe(String(1 + 4 + run.plan.candidatesPerCombination - 5));
    const report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    expect(report).toContain('Of income bands are guessed at');
    expect(withoutProgram(report)).not.toMatch(/undefined|NaN|\[object|Infinity/);
  });

  it('leaves the same bytes whatever the batches', async () => {
    const whole = await runInMemory(request());
    const expected = await hashesBelow(whole.store, whole.plan, 'release/', 'confidential/');
    const again = await runInMemory(request({}, { batchSize: 7 }), { inOrder: (tasks) => tasks.toReversed() });
    expect(again.plan.batches).toHaveLength(6);
    expect(await hashesBelow(again.store, again.plan, 'release/', 'confidential/')).toEqual(expected);
  });

  it('takes a grid, unknown variables and the quick way', async () => {
    const run = await runInMemory(
      request({
        ...candidates({ grid: [0, 10_000, 20_000, 40_000] }),
        attributeRisk: { candidates: { unknown: ['employment', 'income'] } },
        mcmc: { precision: 'quick' },
      }),
    );
    const { attributeRisk } = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(attributeRisk[0]).toMatchObject({ estimator: 'fixed-structure', bandedVariables: ['income'] });
    expect(attributeRisk[0]!.candidatesPerCombinationMax % 4).toBe(0);
  });

  const income = { type: 'continuous' as const };
  it.each([
    ['candidates of a kept variable', { variables: { ...TREE_SETTINGS.variables, age: { candidates: BANDS } } }, 'candidates-of-kept'],
    [
      'candidates of one variable of two',
      { ...candidates(BANDS), synthesis: { datasets: 2, synthesized: ['age', 'income'] } },
      'continuous-without-candidates',
    ],
    [
      'a guess at a variable without any',
      { variables: { income, age: income }, attributeRisk: { candidates: { unknown: ['income'] } } },
      'continuous-without-candidates',
    ],
    ['a value below all bands', candidates({ bands: [5000, 9000] }), 'value-below-candidates'],
    ['candidates that go down', candidates({ grid: [5000, 900] }), 'unordered-candidates'],
    ['candidates of categories', { variables: { income: { type: 'categorical', candidates: BANDS } } }, 'candidates-of-categories'],
  ])('is refused with %s', async (_, settings, code) => {
    await expect(planRun(request(settings))).rejects.toMatchObject({ code });
  });
});
