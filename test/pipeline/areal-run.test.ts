import { beforeAll, describe, expect, it } from 'vitest';
import { readDraws } from '../../shared/artifacts/stored-draws.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { readFigures } from '../../shared/artifacts/stored-part.ts';
import { readRecordTable } from '../../shared/artifacts/stored-table.ts';
import { calibrationSchema } from '../../shared/contracts/results/calibration.ts';
import { chainDiagnosticsSchema } from '../../shared/contracts/results/chain-diagnostics.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { predictMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import { categorySizes } from '../../shared/table/category-sizes.ts';
import { uniqueCombinations } from '../../shared/table/distinct-rows.ts';
import { patternCounts } from '../../shared/table/pattern-counts.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, hashesBelow, mixedTable, runInMemory, smallConfig, smallTable, termsOfTwo } from './small-run.ts';

const RECORDS = 60;
const table = smallTable({ records: RECORDS });
const [names, ...records] = csvRows(table) as [string[], ...string[][]];
const COUNTED = names.indexOf('education');
const RESULTS = ['release/', 'confidential/', 'diagnostics/'];

const request = (settings: object = {}, purpose: RunRequest['purpose'] = 'evaluate'): RunRequest => ({
  ...TEST_KEYS,
  purpose,
  config: smallConfig({
    model: { name: 'dp-areal', clusters: 8 },
    identification: [{ known: ['region', 'age_group'] }],
    ...settings,
    synthesis: { synthesized: ['education'] },
  }),
  table,
});

describe('a run of DP-areal', () => {
  let run: Awaited<ReturnType<typeof runInMemory>>;
  let summary: Summary;

  beforeAll(async () => {
    run = await runInMemory(request());
    summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
  });

  it('replaces the values of one variable, each by one that its pattern may have', async () => {
    for (const l of [1, 2]) {
      const [header, ...rows] = csvRows(await run.store.get(run.keys.release.dataset(l)));
      expect(header).toEqual(names);
      const changed = rows.filter((row, i) => row[COUNTED] !== records[i]![COUNTED]);
      expect(changed.length).toBeGreaterThan(RECORDS / 5);
      for (const [i, row] of rows.entries()) {
        expect(row.toSpliced(COUNTED, 1)).toEqual(records[i]!.toSpliced(COUNTED, 1));
      }
    }
  });

  it('tells clusters from patterns, and judges the truncation by clusters', async () => {
    const patterns = new Set(records.map((row) => String(row.toSpliced(COUNTED, 1)))).size;
    expect(summary.model).toMatchObject({ name: 'dp-areal', classes: 8, patterns, chains: 3 });
    expect(summary.model.occupiedClassesMax).toBeLessThanOrEqual(8);
    expect(run.plan.classes).toBe(patterns);
    const diagnostics = await readJson(run.store, run.keys.chains, chainDiagnosticsSchema);
    const near = Math.max(...diagnostics.occupiedClassesMax) >= 0.9 * 8;
    const warning = diagnostics.warnings.find(({ code }) => code === 'classes-near-limit');
    expect(warning === undefined).toBe(!near);
    if (warning) expect(warning.message).toMatch(/of 8 clusters .* model\.clusters/);
  });

  it('scores a guess by the shares that the pattern of a record gives to both values', async () => {
    const { store, plan } = run;
    const confidential = await readRecordTable(store, plan);
    const sizes = categorySizes(confidential.schema);
    const { combinations, combinationOfRecord } = uniqueCombinations(confidential);
    const { patterns } = patternCounts(combinations, sizes, [COUNTED]);
    const offset = sizes.slice(0, COUNTED).reduce((sum, size) => sum + size, 0);
    const figures = await readFigures(store, plan, 1);
    for (const record of [0, 31, 59]) {
      const codes = combinations.codes.subarray(
        combinationOfRecord[record]! * sizes.length,
        (combinationOfRecord[record]! + 1) * sizes.length,
      );
      const logs = new Float64Array(sizes[COUNTED]!);
      const add = async (coefficient: number, chains: string[]) => {
        const means = new Float64Array(logs.length);
        for (const chain of chains) {
          const draws = await readDraws(store, plan.runId, chain);
          for (let draw = 0; draw < draws.draws; draw++) {
            const from = draw * draws.categories * patterns;
            const share = (row: number, b: number) => draws.probabilities[from + row * patterns + b]!;
            // The pattern of the record is the one class whose kept variables have its values.
            const own = Array.from({ length: patterns }, (_, b) => b).find((b) => {
              let at = 0;
              return sizes.every((size, k) => {
                const row = at + codes[k]!;
                at += size;
                return k === COUNTED || share(row, b) === 1;
              });
            })!;
            for (let x = 0; x < means.length; x++) {
              means[x]! += share(offset + x, own) / share(offset + codes[COUNTED]!, own);
            }
          }
        }
        for (const [x, mean] of means.entries()) logs[x]! += coefficient * Math.log(mean);
      };
      for (const { coefficient, chains } of termsOfTwo()) await add(coefficient, chains.draws);
      const truth = logs[codes[COUNTED]!]!;
      const total = logs.reduce((sum, value) => sum + Math.exp(value - truth), 0);
      expect(figures.probability[record]).toBeCloseTo(1 / total, 10);
    }
  });

  it('leaves the same bytes in any order and with batches of any size', async () => {
    const expected = await hashesBelow(run.store, run.plan, ...RESULTS);
    const again = await runInMemory({ ...request(), batchSize: 7 }, { inOrder: (tasks) => [...tasks, ...tasks].reverse() });
    expect(await hashesBelow(again.store, again.plan, ...RESULTS)).toEqual(expected);
  });

  it.each(['parameters', 'importance'])('is assessed by the estimator %s', async (estimator) => {
    const other = await runInMemory(request({ attributeRisk: { estimator } }));
    const found = await readJson(other.store, other.keys.confidential.summary, summarySchema);
    expect(found.attributeRisk[0]).toMatchObject({ estimator, records: RECORDS });
  });

  it('is calibrated like any other model with chains', async () => {
    const other = await runInMemory(request({ calibration: { targets: 20, replicates: 2 } }, 'calibrate'));
    const found = await readJson(other.store, other.keys.confidential.calibration, calibrationSchema);
    expect(found).toMatchObject({ candidates: 'unknown: education', targets: 20 });
  });

  it('keeps what a chain goes on from where one does, and where likelihoods are taken', async () => {
    const holdsLatent = async ({ store, plan }: typeof run, chain: string) =>
      (await readDraws(store, plan.runId, chain)).latent !== undefined;
    expect(await holdsLatent(run, 'synthesis/1')).toBe(true);
    for (const chain of ['base/1', 'stacked/1/1', 'alone/1/1']) {
      expect(await holdsLatent(run, chain)).toBe(false);
    }
    const weighed = await runInMemory(request({ attributeRisk: { estimator: 'importance' } }));
    expect(await holdsLatent(weighed, 'base/1')).toBe(true);
  });

  it('is predicted to keep what its chains go on from', async () => {
    const few = await planRun(request());
    const many = await planRun(request({ model: { name: 'dp-areal', clusters: 60_000 } }));
    expect(predictMemory(many, 1).phases.fit).toBeGreaterThan(predictMemory(few, 1).phases.fit);
  });

  it('is refused where a variable is continuous, as the DPMPM is', async () => {
    const variables = { age: { type: 'continuous' } };
    const { config } = request({ variables, identification: [] });
    await expect(planRun({ ...request(), config, table: mixedTable() })).rejects.toMatchObject({
      code: 'continuous-variable',
      message: expect.stringMatching(/numeric.*numeric.*cart/s),
    });
  });
});
