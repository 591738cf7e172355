import { beforeAll, describe, expect, it } from 'vitest';
import { createReferenceScorer } from '../../bench/plain/likelihood-ratio-reference.ts';
import { decodeNpy } from '../../shared/arrays/npy.ts';
import { readDatasetRows, readDatasetSource } from '../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../shared/artifacts/stored-draws.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { readFigures } from '../../shared/artifacts/stored-part.ts';
import { readCentres, readRecordDataset, readRecordTable, readTargets } from '../../shared/artifacts/stored-table.ts';
import { replicateRunId, runKeys } from '../../shared/contracts/keys.ts';
import { calibrationSchema } from '../../shared/contracts/results/calibration.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { planSchema } from '../../shared/contracts/run/plan.ts';
import { openScenario } from '../../shared/contracts/run/scenarios.ts';
import { chainOfDraw } from '../../shared/model/chains/sample-chain.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { candidateChanges, candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { categorySizes } from '../../shared/table/category-sizes.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { recordCodes } from '../../shared/table/record-codes.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, hashesBelow, runInMemory, smallConfig, smallTable, termsOfTwo } from './small-run.ts';

const RECORDS = 60;
const table = smallTable({ records: RECORDS });
const [names, ...records] = csvRows(table) as [string[], ...string[][]];
const SYNTHESIZED = ['education', 'employment'];
const kept = [0, 1];

const request = (sections: Parameters<typeof smallConfig>[0] = {}, purpose: 'evaluate' | 'calibrate' = 'evaluate'): RunRequest => ({
  ...TEST_KEYS,
  purpose,
  config: smallConfig({ ...sections, synthesis: { synthesized: SYNTHESIZED, ...sections.synthesis } }),
  table,
});

type Run = Awaited<ReturnType<typeof runInMemory>>;

const riskRows = async ({ store, keys }: Run) => {
  const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv)) as [string[], ...string[][]];
  return { header, rows: rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!]))) };
};

const generatedBy = async ({ store, plan }: Run): Promise<NonNullable<RunRequest['datasets']>> => ({
  origin: 'run',
  runId: plan.runId,
  generated: await Promise.all(
    [1, 2].map(async (l) => {
      const source = await readDatasetSource(store, plan.runId, l);
      const draws = await readDraws(store, plan.runId, source.chain!);
      return { rows: await readDatasetRows(store, plan, l), source, generatingDraw: chainOfDraw(draws, source.draw!) };
    }),
  ),
});

describe('a run that keeps variables', () => {
  let run: Run;

  beforeAll(async () => {
    run = await runInMemory(request());
  });

  it('releases the records in their order, with other values in the synthesized variables alone', async () => {
    let changed = 0;
    for (const l of [1, 2]) {
      const [header, ...rows] = csvRows(await run.store.get(run.keys.release.dataset(l)));
      expect(header).toEqual(names);
      expect(rows).toHaveLength(RECORDS);
      for (const [i, row] of rows.entries()) {
        for (const k of kept) expect(row[k]).toBe(records[i]![k]);
        if (row[2] !== records[i]![2]) changed++;
      }
    }
    expect(changed).toBeGreaterThan(RECORDS / 4);
  });

  it('has a row of attribute risk for every record, with the number of its combination', async () => {
    const { header, rows } = await riskRows(run);
    expect(header!.slice(0, 7)).toEqual(['record', 'combination', 'count', ...names]);
    expect(rows.map(({ record }) => record)).toEqual(records.map((_, i) => String(i + 1)));
    const combinations = [...new Set(records.map(String))];
    for (const [i, row] of rows.entries()) {
      expect(names.map((name) => row[name])).toEqual(records[i]);
      expect(row.combination).toBe(String(1 + combinations.indexOf(String(records[i]))));
      expect(row.count).toBe('1');
    }
    // Records that are alike have been given other values, and have other risks.
    const alike = rows.filter(({ combination }) => combination === rows[0]!.combination);
    const repeated = combinations.map((_, c) => rows.filter((row) => row.combination === String(c + 1)));
    expect(repeated.some((own) => new Set(own.map(({ probability }) => probability)).size > 1)).toBe(true);
    expect(alike.length).toBeGreaterThan(0);
  });

  it('says in its summary what is kept, and what the candidates are', async () => {
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(summary.synthesis).toMatchObject({ kind: 'partial', synthesized: SYNTHESIZED });
    const [risk] = summary.attributeRisk;
    expect(risk).toMatchObject({ candidates: 'unknown: education, employment', records: RECORDS });
    expect(risk!.rankHistogram!.reduce((sum, count) => sum + count, 0)).toBe(RECORDS);
  });

  it.each([
    ['the stacked chains', 'augmented', (dataset: number) => [1, 2].map((c) => `stacked/${dataset}/${c}`)],
    // Chains of their own, which hold the one draw that generated the dataset.
    ['the generating draws', 'parameters', (dataset: number) => [`synthesis/${dataset}`]],
  ])('scores f2(x, z_i) / f2(x_i, z_i) over %s with %s, and f(x) / f(x_i) over the others', async (_, estimator, withDataset) => {
    const { store, plan } = estimator === 'augmented' ? run : await runInMemory(request({ attributeRisk: { estimator } }));
    const confidential = await readRecordTable(store, plan);
    const sizes = confidential.schema.variables.map((variable) => (variable.type === 'categorical' ? variable.categories.length : 0));
    const space = candidateSpace(openScenario(plan, 1).candidates, names, sizes);
    const figures = await readFigures(store, plan, 1);
    const terms = termsOfTwo();
    for (const record of [0, 17, 59]) {
      const own = recordCodes(confidential.columns, record, record + 1);
      const logs = new Float64Array(space.perCombination);
      const add = async (coefficient: number, chains: string[], codes: Uint16Array, columns: number[]) => {
        const scorer = createReferenceScorer(space, codes, columns);
        const sums = new Float64Array(space.perCombination);
        for (const chain of chains) {
          const { mean } = ratioMeans(scorer, await readDraws(store, plan.runId, chain), space.perCombination);
          for (const [x, value] of mean.entries()) sums[x]! += value / chains.length;
        }
        for (const [x, value] of sums.entries()) logs[x]! += coefficient * Math.log(value);
      };
      for (const { coefficient, chains } of terms) {
        if (chains.side !== 'stacked') {
          await add(coefficient, chains.draws, own, [0, 1, 2, 3]);
          continue;
        }
        const dataset = await readRecordDataset(store, plan, chains.dataset);
        const z = recordCodes(dataset.columns.slice(2), record, record + 1);
        const codes = Uint16Array.of(...own, ...z);
        await add(coefficient, withDataset(chains.dataset), codes, [0, 1, 2, 3, 2, 3]);
      }
      const total = logs.reduce((sum, value) => sum + Math.exp(value - logs[0]!), 0);
      expect(figures.probability[record]).toBeCloseTo(1 / total, 10);
    }
  });

  it('gives the same bytes in batches of any size, and with its tasks in any order', async () => {
    const whole = await hashesBelow(run.store, run.plan, 'release/', 'confidential/', 'draws/', 'synthesis/');
    const small = await runInMemory({ ...request(), batchSize: 7 }, { inOrder: (tasks) => tasks.reverse() });
    expect(await hashesBelow(small.store, small.plan, 'release/', 'confidential/', 'draws/', 'synthesis/')).toEqual(whole);
  });

  it('is assessed again from its own draws, also with fewer unknown variables and by `parameters`', async () => {
    const datasets = await generatedBy(run);
    for (const sections of [
      {},
      { attributeRisk: { candidates: { unknown: ['employment'] } } },
      { attributeRisk: { estimator: 'parameters' } },
    ]) {
      const again = await runInMemory({ ...request({ seed: 2, ...sections }), purpose: 'assess', datasets });
      const { rows } = await riskRows(again);
      expect(rows).toHaveLength(RECORDS);
      for (const { probability } of rows) expect(Number(probability)).toBeGreaterThan(0);
    }
  });

  it('gives the candidates of one record with the probability that its row has', async () => {
    const { rows } = await riskRows(run);
    const [header, ...candidates] = csvRows(await candidateTable(run.store, { runId: run.plan.runId, combination: 18 })) as [
      string[],
      ...string[][],
    ];
    const truth = candidates.find((row) => row[header.indexOf('is_truth')] === 'true')!;
    expect(truth[1]).toBe(rows[17]!.probability);
    expect(candidates.map((row) => row.slice(3, 5))).toEqual(candidates.map(() => records[17]!.slice(0, 2)));
    await expect(candidateTable(run.store, { runId: run.plan.runId, combination: 61 })).rejects.toThrow(/records 1 to 60/);
  });

  it('takes datasets made elsewhere whose rows belong to the records, and refuses others', async () => {
    const files = [await run.store.get(run.keys.release.dataset(1)), await run.store.get(run.keys.release.dataset(2))];
    const assess = (own: Uint8Array[], sections = {}): RunRequest => ({
      ...request(sections),
      purpose: 'assess',
      datasets: { origin: 'elsewhere', files: own },
    });
    for (const estimator of ['augmented', 'importance']) {
      const { rows } = await riskRows(await runInMemory(assess(files, { attributeRisk: { estimator } })));
      expect(rows).toHaveLength(RECORDS);
    }
    const [header, ...rows] = csvRows(files[0]!) as [string[], ...string[][]];
    const swapped = encodeCsv(header, rows.with(3, rows[4]!).with(4, rows[3]!));
    const first = [0, 1].find((k) => rows[3]![k] !== rows[4]![k]);
    expect(first).toBeDefined();
    await expect(planRun(assess([files[1]!, swapped]))).rejects.toMatchObject({
      code: 'kept-values-differ',
      message: expect.stringMatching(new RegExp(`dataset 2, row 4: the value of \`${header[first!]}\` `)),
    });
    await expect(planRun(assess([encodeCsv(header, rows.slice(1))]))).rejects.toMatchObject({ code: 'other-records' });
  });

  it('refuses a variable that is named as the column of its records is', async () => {
    const other = encodeCsv(['record', ...names.slice(1)], records);
    await expect(planRun({ ...request(), table: other })).rejects.toMatchObject({ code: 'reserved-variable-name' });
    const { plan } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table: other });
    expect(plan.table.variables).toBe(4);
  });
});

describe('other estimators and settings of a run that keeps variables', () => {
  it('weights draws by the likelihood of the synthesized values given the records, for `importance`', async () => {
    const run = await runInMemory(request({ attributeRisk: { estimator: 'importance' } }));
    expect((await riskRows(run)).rows).toHaveLength(RECORDS);
  });

  it('takes all datasets from one chain, and adds chains in rounds', async () => {
    const run = await runInMemory(request({ synthesis: { chains: 'one' }, mcmc: { reproducibility: 0.99, maxChains: 12 } }));
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(summary.rounds.length).toBeGreaterThan(1);
  });
});

describe('a calibration of a run that keeps variables', () => {
  it('scores the candidates around what a target was, against what took its place, beside its synthetic values', async () => {
    const run = await runInMemory(request({ calibration: { targets: 20, replicates: 2 } }, 'calibrate'));
    const { store } = run;
    for (const r of [1, 2]) {
      const runId = replicateRunId(run.plan.runId, r);
      const plan = await readJson(store, runKeys(runId).plan, planSchema);
      const altered = await readRecordTable(store, plan);
      const sizes = categorySizes(altered.schema);
      const space = candidateSpace(openScenario(plan, 1).candidates, names, sizes);
      const candidates = space.perCombination;
      const { truths, records: numbers } = await readTargets(store, runId);
      const centres = await readCentres(store, runId);
      const scores: number[] = [];
      for (const { batch } of plan.batches) {
        scores.push(...decodeNpy(await store.get(runKeys(runId).scores(batch))).data);
      }
      expect(scores).toHaveLength(20 * candidates);
      for (const t of [0, 7, 19]) {
        const own = recordCodes(altered.columns, numbers[t]!, numbers[t]! + 1);
        const logs = new Float64Array(candidates);
        for (const { coefficient, chains } of termsOfTwo()) {
          let [row, columns] = [own, [0, 1, 2, 3]];
          if (chains.side === 'stacked') {
            const dataset = await readRecordDataset(store, plan, chains.dataset, altered);
            const z = recordCodes(dataset.columns.slice(2), numbers[t]!, numbers[t]! + 1);
            [row, columns] = [Uint16Array.of(...own, ...z), [0, 1, 2, 3, 2, 3]];
          }
          const scorer = createReferenceScorer(space, row, columns);
          const sums = new Float64Array(candidates);
          for (const chain of chains.draws) {
            const { mean } = ratioMeans(scorer, await readDraws(store, runId, chain), candidates);
            for (const [x, value] of mean.entries()) sums[x]! += value / chains.draws.length;
          }
          for (const [x, value] of sums.entries()) logs[x]! += coefficient * Math.log(value);
        }
        const rowOf = (centre: Uint16Array, candidate: number) => {
          const row = [...centre];
          for (const { variable, code } of candidateChanges(space, centre, candidate)) row[variable] = code;
          return row.join();
        };
        const listed = Array.from(logs.keys(), (x) => rowOf(own, x));
        const centre = centres.subarray(4 * t, 4 * t + 4);
        const score = (x: number) => scores[t * candidates + x]! - scores[t * candidates + truths[t]!]!;
        for (let x = 0; x < candidates; x++) {
          expect(score(x)).toBeCloseTo(logs[listed.indexOf(rowOf(centre, x))]!, 9);
        }
      }
    }
  });

  it('replaces the synthesized variables of records, and scores them with what was synthesized for them', async () => {
    const run = await runInMemory(request({ calibration: { targets: 20, replicates: 2 } }, 'calibrate'));
    const found = await readJson(run.store, run.keys.confidential.calibration, calibrationSchema);
    expect(found).toMatchObject({ candidates: 'unknown: education, employment', targets: 20 });
    for (const r of [1, 2]) {
      const runId = replicateRunId(run.plan.runId, r);
      const { records: numbers } = await readTargets(run.store, runId);
      const centres = await readCentres(run.store, runId);
      const replicate = await readJson(run.store, runKeys(runId).plan, planSchema);
      const altered = await readRecordTable(run.store, replicate);
      expect(new Set(numbers).size).toBe(20);
      for (const [t, record] of numbers.entries()) {
        const now = recordCodes(altered.columns, record, record + 1);
        for (const k of kept) expect(now[k]).toBe(centres[4 * t + k]);
        for (const l of [1, 2]) {
          const dataset = await readRecordDataset(run.store, replicate, l, altered);
          for (const k of kept) expect(recordCodes(dataset.columns, record, record + 1)[k]).toBe(now[k]);
        }
      }
      expect(await run.store.head(runKeys(runId).release.dataset(1))).toBeNull();
    }
  });
});
