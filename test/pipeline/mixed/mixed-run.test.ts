import { beforeAll, describe, expect, it } from 'vitest';
import { readRecordRelease } from '../../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../../shared/artifacts/stored-draws.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { runMeasures } from '../../../shared/compare/run-measures.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { openPlanOf, type Task } from '../../../shared/contracts/run/plan.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import { stateOfDraw } from '../../../shared/model/chains/sample-chain.ts';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { besideRows, mixedRows, mixedView } from '../../../shared/model/mixed/mixed-view.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { predictMemory } from '../../../shared/pipeline/plan/predict-memory.ts';
import { storePlannedRun } from '../../../shared/pipeline/plan/store-planned-run.ts';
import { probabilityFigures } from '../../../shared/pipeline/public/public-figures.ts';
import { riskWarnings } from '../../../shared/pipeline/results/risk-warnings.ts';
import { firstRound } from '../../../shared/pipeline/rounds/chains-needed.ts';
import { samplerSettings } from '../../../shared/pipeline/synthesizers/mixed/mixed-run.ts';
import { roundTasks } from '../../../shared/pipeline/synthesizers/round-tasks.ts';
import { runTask } from '../../../shared/pipeline/tasks/run-task.ts';
import { KeyedStreams } from '../../../shared/random/streams.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { TEST_KEYS, testKey } from '../../test-keys.ts';
import { csvRows, hashesBelow, MIXED_SETTINGS, mixedTable, runInMemory, withoutProgram } from '../small-run.ts';

const RECORDS = 80;
const table = mixedTable({ records: RECORDS });
const [names, ...records] = csvRows(table) as [string[], ...string[][]];
const [AGE, INCOME] = [names.indexOf('age'), names.indexOf('income')];
const PARTIAL = { datasets: 2, synthesized: ['employment', 'income'] };
const NUMBERS = { datasets: 2, synthesized: ['income'] };

const request = (settings: object = {}, own = table, purpose: RunRequest['purpose'] = 'evaluate'): RunRequest => ({
  ...TEST_KEYS,
  purpose,
  config: configSchema.parse({ ...MIXED_SETTINGS, ...settings }),
  table: own,
});

/** A table of the same header with records changed. */
const changed = (change: (row: string[], i: number) => string[]) => encodeCsv(names, records.map(change));
const withValue = (column: number, value: string, row = 0) =>
  changed((own, i) => (i === row ? own.map((text, k) => (k === column ? value : text)) : own));

type Run = Awaited<ReturnType<typeof runInMemory>>;
const releasedRows = async ({ store, keys }: Run, dataset: number) => csvRows(await store.get(keys.release.dataset(dataset)));

describe('a run by the model mixed, all variables synthesized', () => {
  let run: Run;
  beforeAll(async () => {
    run = await runInMemory(request());
  });

  it('releases numbers within their ranges, rounded to their decimals, with the masses', async () => {
    let masses = 0;
    for (const l of [1, 2]) {
      const [header, ...rows] = await releasedRows(run, l);
      expect(header).toEqual(names);
      expect(rows).toHaveLength(RECORDS);
      for (const row of rows) {
        expect(row[AGE]).toMatch(/^\d+$/);
        expect(Number(row[AGE])).toBeGreaterThanOrEqual(18);
        expect(Number(row[AGE])).toBeLessThanOrEqual(90);
        expect(row[INCOME]).toMatch(/^\d+(\.\d\d?)?$/);
        expect(Number(row[INCOME])).toBeLessThanOrEqual(100_000);
        masses += Number(row[INCOME] === '0');
      }
    }
    expect(masses).toBeGreaterThan(0);
  });

  it('draws them from chains on the table, as its own view and the sampler give them', async () => {
    const { table: own } = (await readRecordRelease(run.store, run.plan))!;
    const view = mixedView(own.schema, run.plan.config.variables);
    const model = createMixed(mixedRows(view, [own]), samplerSettings(run.plan.config));
    const random = new KeyedStreams(testKey(2), 1).open('chain/synthesis/1');
    const { burnIn, thin } = run.plan.config.mcmc;
    const state = model.step(model.init(random), random, burnIn + thin);
    const stored = stateOfDraw(await readDraws(run.store, run.plan.runId, 'synthesis/1'), 0);
    expect(stored).toEqual(state);
  });

  it('measures risk and utility, and counts copies', async () => {
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(summary.synthesis).toMatchObject({ kind: 'full', chains: 'own', synthesized: names });
    expect(summary.model).toMatchObject({ name: 'mixed', classes: 6, chains: 3, occupiedClassesMax: expect.any(Number) });
    const [risk] = summary.attributeRisk;
    expect(risk!.variables.map(({ variable }) => variable)).toEqual(['region', 'education', 'employment']);
    expect(risk!.continuousVariables!.map(({ variable, records }) => [variable, records])).toEqual([
      ['age', RECORDS],
      ['income', RECORDS],
    ]);
    expect(summary.utility!.regressions.length).toBeGreaterThan(0);
    expect(summary.copies).toMatchObject({ uniquesExpected: null });
    const report = withoutProgram(new TextDecoder().decode(await run.store.get(run.keys.confidential.report)));
    expect(report).toContain('How near an intruder comes to numbers');
    expect(report).not.toMatch(/undefined|NaN|\[object/);
  });

  it('says before a run that its classes are many for the numbers that are synthesized of so few records', async () => {
    const saidOf = async (settings: object) => {
      const { warnings } = (await planRun(request(settings))).plan;
      return warnings.filter(({ code }) => code === 'crowded-classes').map(({ message }) => message);
    };
    const most = Math.floor(RECORDS / 6);
    expect(await saidOf({ model: { name: 'mixed', classes: most } })).toEqual([]);
    expect(await saidOf({ model: { name: 'mixed', classes: most + 1 } })).toEqual([
      expect.stringContaining(`--classes ${Math.floor(RECORDS / 8)},`),
    ]);
    const ofOne = { datasets: 2, synthesized: ['age', 'employment'] };
    expect(await saidOf({ model: { name: 'mixed', classes: most + 1 }, synthesis: ofOne })).toEqual([]);
  });

  it('says before a run which numbers have values that many share and that are no masses', async () => {
    const many = csvRows(mixedTable({ records: 1000 })).slice(1);
    const saidOf = async (alike: number, settings: object = {}) => {
      const table = encodeCsv(
        names,
        many.map((row, i) => row.with(AGE, `${i < alike ? 40 : 41 + (i % 40)}`)),
      );
      const { warnings } = (await planRun(request(settings, table))).plan;
      return warnings.filter(({ code }) => code === 'heaped-numbers').map(({ message }) => message);
    };
    expect(await saidOf(39)).toEqual([]);
    expect(await saidOf(40)).toEqual([expect.stringContaining('not declared as a mass: age.')]);
    expect(await saidOf(40, { synthesis: { datasets: 2, synthesized: ['income'] } })).toEqual([]);
    // More distinct values than a call takes arguments.
    const large = Array.from({ length: 150_000 }, (_, i) => many[i % 1000]!.with(INCOME, `${1000 + i / 10}`).with(AGE, `${20 + (i % 40)}`));
    const variables = { ...MIXED_SETTINGS.variables, income: { type: 'continuous', range: [0, 1e6], decimals: 1 } };
    const { warnings } = (await planRun(request({ variables }, encodeCsv(names, large)))).plan;
    expect(warnings.filter(({ code }) => code === 'heaped-numbers')).toEqual([]);
  });

  it('gives the same in any order of tasks, and after some were done twice', async () => {
    const again = await runInMemory(request(), { inOrder: (tasks) => [...tasks].reverse().flatMap((task) => [task, task]) });
    expect(await hashesBelow(again.store, again.plan, '')).toEqual(await hashesBelow(run.store, run.plan, ''));
  });

  it('takes all datasets from one chain where that is asked for', async () => {
    const one = await runInMemory(request({ synthesis: { datasets: 2, chains: 'one' } }));
    const draws = await readDraws(one.store, one.plan.runId, 'synthesis/1');
    expect(draws.draws).toBe(2);
    expect(await releasedRows(one, 1)).not.toEqual(await releasedRows(one, 2));
  });
});

describe('a run by the model mixed, some variables synthesized', () => {
  it('keeps the others and matches records', async () => {
    const identification = [{ known: ['region', 'age'], radius: { age: 'abs:2', income: 0.1 } }];
    const asked = request({ synthesis: PARTIAL, identification });
    // What is not asked for is nothing that the model refuses.
    expect(asked.config.attributeRisk.scenarios).toMatchObject([{ candidates: 'one-change' }]);
    const run = await runInMemory(asked);
    const kept = [names.indexOf('region'), AGE, names.indexOf('education')];
    for (const l of [1, 2]) {
      const [, ...rows] = await releasedRows(run, l);
      for (const [i, row] of rows.entries()) expect(kept.map((k) => row[k])).toEqual(kept.map((k) => records[i]![k]));
      expect(rows.filter((row, i) => row[INCOME] !== records[i]![INCOME]).length).toBeGreaterThan(RECORDS / 2);
    }
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    const [risk] = summary.attributeRisk;
    expect(risk!.variables.map(({ variable }) => variable)).toEqual(['employment']);
    expect(risk!.continuousVariables!.map(({ variable }) => variable)).toEqual(['income']);
    expect(summary.identificationRisk).toMatchObject([{ applies: true, records: RECORDS }]);
    expect(summary.attributeDisclosures!.all.meanShare).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['all', { datasets: 2 }],
    ['some', PARTIAL],
  ])('fills missing numbers in where %s variables are synthesized', async (_, synthesis) => {
    const own = changed((row, i) => row.map((text, k) => ((k === AGE || k === INCOME || k === 0) && i % 7 === k ? '' : text)));
    const run = await runInMemory(request({ synthesis: { ...synthesis, missing: 'impute' } }, own, 'synthesize'));
    const released = await releasedRows(run, 1);
    expect(released.flat()).not.toContain('');
    if (!('synthesized' in synthesis)) return;
    const given = csvRows(own);
    for (const [i, row] of released.entries()) if (given[i]![AGE] !== '') expect(row[AGE]).toBe(given[i]![AGE]);
  });

  it('refuses missing numbers as a category', async () => {
    const run = planRun(request({ synthesis: { missing: 'category' } }, withValue(AGE, '')));
    await expect(run).rejects.toMatchObject({ code: 'missing-values', message: expect.stringContaining('--missing impute') });
  });
});

describe('a run by the model mixed, categories alone synthesized', () => {
  it('has their ranks, no figure and no table of numbers, and a report of that', async () => {
    const run = await runInMemory(request({ synthesis: { datasets: 2, synthesized: ['employment', 'region'] } }));
    const paths = (await run.store.list(run.keys.root)).map((key) => key.slice(run.keys.root.length));
    expect(paths).toContain('confidential/variable-risk.csv');
    expect(paths).not.toContain('confidential/continuous-risk.csv');
    const [risk] = (await readJson(run.store, run.keys.confidential.summary, summarySchema)).attributeRisk;
    expect(risk!.continuousVariables).toBeUndefined();
    expect(risk!.truthRankMedian).toBeGreaterThanOrEqual(1);
    expect(risk!.variables.map(({ variable }) => variable)).toEqual(['region', 'employment']);
    const report = withoutProgram(new TextDecoder().decode(await run.store.get(run.keys.confidential.report)));
    expect(report).toContain('Records most at risk');
    expect(report).not.toMatch(/undefined|NaN|\[object|>null|How near an intruder comes to numbers|continuous-risk/);
  });
});

describe('a run by the model mixed, numbers alone synthesized', () => {
  const SCENARIOS = ['first', 'second'].map((name) => ({ name, candidates: 'one-change' }));

  it('has figures of numbers, a report of them, and reasons for what is ranked', async () => {
    const run = await runInMemory(request({ synthesis: NUMBERS, attributeRisk: { scenarios: SCENARIOS } }));
    const paths = (await run.store.list(run.keys.root)).map((key) => key.slice(run.keys.root.length));
    expect(paths).toContain('confidential/continuous-risk.csv');
    expect(paths).not.toContain('confidential/variable-risk.csv');
    const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    expect(summary.attributeRisk).toHaveLength(2);
    for (const risk of summary.attributeRisk) {
      expect(risk.continuousVariables).toMatchObject([{ variable: 'income', records: RECORDS }]);
      expect(risk).toMatchObject({ truthRankedFirst: null, rankReproducibility: null, rankedReason: expect.stringMatching(/continuous/) });
      expect(risk.gainBitsMean).toBeCloseTo(risk.continuousVariables![0]!.gainBitsMean, 12);
    }
    // Reproducibility is of the probability near true values, so that chains can be added to reach one.
    for (const { reproducibility } of summary.attributeRisk) expect(reproducibility).toBeGreaterThan(0.5);
    const heavy = { ...summary.attributeRisk[0]!, heavyTailShare: 0.5 };
    const [warning] = riskWarnings(run.plan, [heavy], summary.rounds, []).filter(({ code }) => code === 'heavy-tails');
    expect(warning!.message).toMatch(/More chains help \(mcmc\.reproducibility, --reproducibility\)\.$/);
    const report = withoutProgram(new TextDecoder().decode(await run.store.get(run.keys.confidential.report)));
    expect(report).toContain('How near an intruder comes to numbers');
    expect(report).toContain('Most is added under the scenario');
    expect(report).not.toMatch(/undefined|NaN|\[object|>null|Records most at risk|first guess at the record/);
  });

  it('tells nobody a probability on a public page', async () => {
    const { store, keys } = await runInMemory(request({ synthesis: NUMBERS }));
    const summary = await readJson(store, keys.confidential.summary, summarySchema);
    const { before, after } = probabilityFigures(summary.attributeRisk[0]!, summary);
    expect([before, after]).toEqual([before, before]);
    expect(before).toMatchObject({ reason: expect.stringMatching(/^all variables that are guessed at are continuous/) });
  });

  it('is compared by what is measured of it', async () => {
    const { store, keys } = await runInMemory(request({ synthesis: NUMBERS }));
    const summary = await readJson(store, keys.confidential.summary, summarySchema);
    const measures = new Map(runMeasures(summary).map(({ name, figure }) => [name.slice(name.indexOf('.') + 1), figure]));
    const [own] = summary.attributeRisk[0]!.continuousVariables!;
    expect(measures.get('continuousVariables.withinAfter')).toMatchObject({ value: own!.withinAfter, se: own!.withinAfterSe });
    expect(measures.get('truthRankedFirstShare')).toMatchObject({ value: null, reason: expect.stringMatching(/continuous/) });
    expect(measures.get('firstGuessRightAfter')).toMatchObject({ value: null, reason: expect.stringMatching(/continuous/) });
  });
});

const people = mixedTable({ records: 2 * RECORDS, seed: 9 });
const controlled = (settings: { attributeRisk?: object } = {}, control = people): RunRequest => ({
  ...request({ ...settings, attributeRisk: { ...settings.attributeRisk, control: 'control.csv' } }),
  control,
});

describe('datasets that another program made, under the model mixed', () => {
  it.each([
    ['below', INCOME, '-5'],
    ['above', AGE, '91'],
  ])('are refused with a number %s the declared range, by dataset and row, without the value', async (_, column, value) => {
    const datasets = { origin: 'elsewhere' as const, files: [table, withValue(column, value, 2)] };
    const refusal = planRun({ ...request({}, table, 'assess'), datasets });
    await expect(refusal).rejects.toMatchObject({ code: 'value-outside-range', where: { row: 3 } });
    await expect(refusal).rejects.toThrow(/^dataset 2: row 3, column `(age|income)`: expected a number from/);
    await expect(refusal.catch(({ message }) => message)).resolves.not.toContain(value);
  });
});

describe('who is in the table, by the model mixed', () => {
  it('is the same whatever the batches, and in a table of the control in the order of its file', async () => {
    const runs = [await runInMemory(controlled()), await runInMemory({ ...controlled(), batchSize: 7 })];
    const [own, small] = await Promise.all(
      runs.map(async ({ store, keys }) => ({
        control: csvRows(await store.get(keys.confidential.table('control-membership').csv)),
        risks: (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk,
      })),
    );
    expect(small).toEqual(own);
    expect(own!.control.slice(1).map(([row]) => Number(row))).toEqual(Array.from({ length: 2 * RECORDS }, (_, i) => i + 1));
    expect(own!.risks[0]!.membership).toMatchObject({ others: 'control', othersCount: 2 * RECORDS });
  });

  it('is not asked where variables are kept', async () => {
    const asked = controlled({ synthesis: PARTIAL } as object);
    await expect(planRun(asked)).rejects.toMatchObject({ code: 'control-unused', message: expect.stringMatching(/variables are kept/) });
  });

  it.each<[string, number, string, RegExp]>([
    ['value-outside-range', AGE, '17', /^control: row 3, column `age`: expected a number from 18 to 90/],
    ['more-decimals', AGE, '30.5', /^control: row 3, column `age`: expected a number of 0 decimals at most/],
    ['more-decimals', INCOME, '30.125', /^control: row 3, column `income`: .*declare as many/],
  ])('refuses people with %s, without the value', async (code, column, value, message) => {
    const [, ...rows] = csvRows(people);
    const control = encodeCsv(
      names,
      rows.map((row, i) => (i === 2 ? row.with(column, value) : row)),
    );
    const refused = planRun(controlled({}, control));
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(value) });
  });

  it('needs memory for a large control, in batches and while results are put together', async () => {
    const run = await planRun(controlled());
    const { assess, aggregate } = predictMemory(run, 1).phases;
    const { phases } = predictMemory({ ...run, plan: { ...run.plan, controlRecords: 1_000_000 } }, 1);
    expect(phases.assess - assess).toBeGreaterThan(50e6);
    expect(phases.aggregate - aggregate).toBeGreaterThan(1e8);
  });
});

describe('intruders who know less, by the model mixed', () => {
  const scenarios = [
    { name: 'all but one' },
    { name: 'nothing', knows: 'nothing' },
    { name: 'a share', knows: { share: 0.25 } },
    { name: 'nothing again', knows: 'nothing' },
  ];

  it('have tables of the records that they lack, by the numbers of these, and a report', async () => {
    const run = await runInMemory(controlled({ attributeRisk: { scenarios } }));
    const { store, keys } = run;
    const summary = await readJson(store, keys.confidential.summary, summarySchema);
    expect(summary.attributeRisk.map(({ records }) => records)).toEqual([RECORDS, RECORDS, (3 * RECORDS) / 4, RECORDS]);
    expect(summary.attributeRisk[1]!.reconstructionReason).toMatch(/hardly ever equal/);
    expect({ ...summary.attributeRisk[3]!, scenario: 'nothing' }).toEqual(summary.attributeRisk[1]);
    const tableOf = async (name: string) => {
      const [header, ...rows] = csvRows(await store.get(keys.confidential.table(name).csv)) as [string[], ...string[][]];
      return rows.map((row) => Object.fromEntries(header.map((column, c) => [column, row[c]!])));
    };
    const rows = (await tableOf('attribute-risk')).filter(({ scenario }) => scenario === 'a share');
    const numbers = rows.map(({ record }) => Number(record));
    expect(new Set(numbers).size).toBe((3 * RECORDS) / 4);
    for (const row of rows) expect(names.map((name) => row[name])).toEqual(records[Number(row.record) - 1]);
    const values = (await tableOf('variable-risk')).filter(({ scenario, variable }) => scenario === 'a share' && variable === 'region');
    expect(values.map(({ record }) => Number(record))).toEqual(numbers);
    const ages = (await tableOf('continuous-risk')).filter(({ scenario, variable }) => scenario === 'a share' && variable === 'age');
    expect(ages.map(({ record, value }) => [Number(record), value])).toEqual(numbers.map((i) => [i, records[i - 1]![AGE]]));
    const report = withoutProgram(new TextDecoder().decode(await store.get(keys.confidential.report)));
    expect(report).toContain('Intruders who know less');
    expect(report).not.toMatch(/undefined|NaN|\[object/);
    // Scenarios of the same knowledge share chains: none on nothing, and no class of a record is kept.
    const weak = (await store.list(`${keys.root}draws/weak/`)).map((key) => key.slice(`${keys.root}draws/weak/`.length));
    const { chains, pairedChains } = run.plan.config.mcmc;
    expect(weak.filter((key) => key.startsWith('nothing/'))).toHaveLength(2 * pairedChains);
    expect(weak.filter((key) => key.startsWith('share-0.25/'))).toHaveLength(chains + 2 * pairedChains);
  });

  it('have no ranks where all variables are numbers', async () => {
    const numbers = encodeCsv(
      ['age', 'income'],
      records.map((row) => [row[AGE]!, row[INCOME]!]),
    );
    const own = request({ attributeRisk: { scenarios: [{ name: 'nothing', knows: 'nothing' }] } }, numbers);
    const { store, keys } = await runInMemory(own);
    const [risk] = (await readJson(store, keys.confidential.summary, summarySchema)).attributeRisk;
    expect(risk).toMatchObject({ knows: 'nothing', truthRankedFirst: null, membership: { others: 'simulated' } });
    expect(risk!.separately).toBeUndefined();
    expect(risk!.gainBitsMean).toBeGreaterThan(0);
  });

  it.each([
    ['kept variables', { synthesis: PARTIAL }, /keep no variable/],
    ['missing values to impute', { synthesis: { datasets: 2, missing: 'impute' } }, /missing values to impute/],
    ['all cells', { attributeRisk: { scenarios: [{ name: 'x', knows: 'nothing', candidates: 'all-cells' }] } }, /all-cells/],
  ])('are refused with %s', (_, settings, message) => {
    const asked = { ...MIXED_SETTINGS, attributeRisk: { scenarios: [{ name: 'x', knows: 'nothing' }] }, ...settings };
    expect(() => completeConfig(asked)).toThrow(message);
  });
});

describe('tables of the model mixed', () => {
  it.each<[string, object, Uint8Array, RegExp]>([
    ['no-range', { variables: { age: MIXED_SETTINGS.variables.age } }, table, /variables\.income: .*range: \[LOWEST, HIGHEST\]/],
    ['value-outside-range', {}, withValue(AGE, '17', 2), /^row 3, column `age`: expected a number from 18 to 90/],
    ['more-decimals', {}, withValue(AGE, '30.5', 4), /^row 5, column `age`: .*declare as many/],
    [
      'fewer-decimals',
      { variables: { ...MIXED_SETTINGS.variables, age: { range: [18, 90], decimals: 3 } } },
      table,
      /Declare fewer decimals/,
    ],
    [
      'few-values',
      {},
      changed((row, i) => row.map((text, k) => (k === AGE ? String(20 + (i % 3)) : text))),
      /age has fewer than 12 distinct values.*--categorical age/,
    ],
  ])('are refused with %s, without a value', async (code, settings, own, message) => {
    const variables = { ...MIXED_SETTINGS.variables, age: { ...MIXED_SETTINGS.variables.age } };
    const refused = planRun(request({ variables, ...settings }, own));
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringMatching(/\b(17|30\.5)\b/) });
  });

  it('are guessed at in what is synthesized alone, whatever an intruder lacks', async () => {
    const unknown = (name: string) => request({ synthesis: PARTIAL, attributeRisk: { candidates: { unknown: [name] } } });
    await expect(planRun(unknown('region'))).rejects.toMatchObject({
      code: 'unknown-is-kept',
      message: expect.stringContaining('employment, income'),
    });
    await expect(planRun(unknown('regionn'))).rejects.toThrow('has no variable');
    expect((await planRun(unknown('income'))).plan.scenarioCandidates).toEqual([1]);
  });

  it('are calibrated of unknown variables alone', async () => {
    await expect(planRun(request({}, table, 'calibrate'))).rejects.toMatchObject({ code: 'calibration-of-mixed' });
  });
});

describe('the tasks of a run by the model mixed', () => {
  const steps = (tasks: readonly Task[]) => tasks.map(({ step }) => step);

  it('are those of every model with chains, whatever is synthesized', async () => {
    const { plan } = await planRun(request());
    const { fit, synthesize, augment, assess } = roundTasks(plan, firstRound(plan));
    expect(steps(fit)).toEqual(['fit', 'fit', 'fit']);
    expect(steps(synthesize)).toEqual(['synthesize', 'synthesize']);
    expect(steps(augment)).toEqual(['pair', 'pair', 'pair', 'pair']);
    expect(assess.length).toBeGreaterThan(0);
    for (const synthesis of [PARTIAL, NUMBERS]) {
      const partial = await planRun(request({ synthesis }));
      const tasks = roundTasks(partial.plan, firstRound(partial.plan));
      expect(steps(tasks.augment)).toEqual(['pair', 'pair', 'pair', 'pair']);
      expect(tasks.assess.length).toBeGreaterThan(0);
    }
  });
});

describe('the pairs of a run by the model mixed', () => {
  it.each([
    ['below the table', { datasets: 2 }],
    ['beside it', PARTIAL],
  ])('go on from the draw behind a dataset, on the table with the dataset %s', async (_, synthesis) => {
    const planned = await planRun(request({ synthesis }));
    const store = new MemoryStore();
    const plan = await storePlannedRun(store, { ...planned, plan: { ...planned.plan, scenarioCandidates: [5] } });
    const { synthesize, augment } = roundTasks(plan, firstRound(plan));
    for (const task of [...synthesize, augment[0]!]) await runTask(store, task, () => undefined);

    const { table: own, datasets } = (await readRecordRelease(store, plan))!;
    const view = mixedView(own.schema, plan.config.variables);
    const replaced = 'synthesized' in synthesis ? [names.indexOf('employment'), INCOME] : null;
    const rows = replaced ? besideRows(view, own, datasets[0]!, replaced) : mixedRows(view, [own], [datasets[0]!]);
    expect(rows.rows).toBe(replaced ? RECORDS : 2 * RECORDS);
    const generating = stateOfDraw(await readDraws(store, plan.runId, 'synthesis/1'), 0);
    for (const [name, of] of [
      ['stacked/1/1', rows],
      ['alone/1/1', mixedRows(view, [own])],
    ] as const) {
      const model = createMixed(of, samplerSettings(plan.config));
      const random = new KeyedStreams(testKey(2), 1).open(`chain/${name}`);
      const drawn = await readDraws(store, plan.runId, name);
      const first = model.step(generating, random, plan.config.mcmc.pairedThin);
      expect(drawn.weights.subarray(0, drawn.classes)).toEqual(first.weights);
      expect(drawn.logLikelihood[0]).toBe(model.logLikelihood(first));
    }
  });
});

describe('two tables that differ in one extreme income', () => {
  const [poor, rich] = ['0.25', '99999.75'].map((income) => withValue(INCOME, income));

  it('have the same view, prior and open plan, and draws of the same size', async () => {
    const [first, second] = await Promise.all([poor!, rich!].map((own) => planRun(request({}, own))));
    const viewOf = ({ plan, schema }: typeof first) => {
      const { sizes, categorical, continuous } = mixedView(schema!, plan.config.variables);
      const points = [0, 0.25, 0.5, 1];
      return {
        sizes,
        categorical,
        scales: continuous.map(({ declared, scale, smallest }) => ({ declared, smallest, at: points.map(scale.fromUnit) })),
      };
    };
    expect(viewOf(second!)).toEqual(viewOf(first!));
    expect(samplerSettings(second!.plan.config)).toEqual(samplerSettings(first!.plan.config));
    const open = ({ plan }: typeof first) => ({ ...openPlanOf(plan), runId: '' });
    expect(open(second!)).toEqual(open(first!));
    expect(second!.schema).toEqual(first!.schema);
  });

  it('have the same open files, but for the id of their runs', async () => {
    const openFiles = async (own: Uint8Array) => {
      const { store, keys, plan } = await runInMemory(request({}, own));
      const paths = (await store.list(keys.root)).map((key) => key.slice(keys.root.length));
      const texts: Record<string, string> = {};
      // A manifest has digests of what is released.
      for (const path of paths.filter((one) => /^(plan|run|usage)\.json$/.test(one))) {
        texts[path] = new TextDecoder().decode(await store.get(keys.root + path)).replaceAll(plan.runId, 'ID');
      }
      return { paths, texts };
    };
    const [first, second] = [await openFiles(poor!), await openFiles(rich!)];
    expect(Object.keys(first.texts)).toContain('plan.json');
    expect(second).toEqual(first);
  });
});
