import { beforeAll, describe, expect, it } from 'vitest';
import { encodeJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { type Config, configSchema } from '../../shared/contracts/config/config.ts';
import type { AttackOutcome, AttackSummary } from '../../shared/contracts/results/attack.ts';
import { type Remedies, remediesSchema } from '../../shared/contracts/results/remedies.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { planAttack } from '../../shared/pipeline/attack/plan-attack.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { measureAttacks } from '../../shared/risk/attack/measure-attacks.ts';
import {
  CATEGORY_TREE_SETTINGS,
  csvRows,
  MIXED_SETTINGS,
  mixedTable,
  runInMemory,
  SMALL_SETTINGS,
  smallTable,
  TREE_SETTINGS,
} from '../pipeline/small-run.ts';
import { TEST_KEYS, testKey } from '../test-keys.ts';
import { allNumbers, faultOf, figuresOf, numbersIn, unboundText, valueAt } from './page-figures.ts';

type Row = Readonly<Record<string, string>>;

/** A run as a reader of its folder has it: its page, and the files beside it. */
interface Folder {
  readonly page: string;
  readonly documents: Readonly<Record<string, unknown>>;
  readonly summary: Summary;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

type Run = Awaited<ReturnType<typeof runInMemory>>;

const text = async ({ store }: Run, key: string) => new TextDecoder().decode(await store.get(key));

async function folderOf(run: Run): Promise<Folder> {
  const { store, keys } = run;
  const rows = async (key: string): Promise<Row[]> => {
    if (!(await store.head(key))) return [];
    const [header, ...values] = csvRows(await store.get(key)) as [string[], ...string[][]];
    return values.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!])));
  };
  const documents: Record<string, unknown> = {};
  const { confidential } = keys;
  for (const [name, key] of [
    ['summary.json', confidential.summary],
    ['inherent.json', confidential.inherent],
    ['chains.json', keys.chains],
    ['attack.json', confidential.attack],
    ['remedies.json', confidential.remedies],
  ] as const) {
    if (await store.head(key)) documents[name] = JSON.parse(await text(run, key));
  }
  return {
    page: await text(run, confidential.report),
    documents,
    summary: await readJson(store, confidential.summary, summarySchema),
    tables: {
      'attribute-risk.csv': await rows(confidential.table('attribute-risk').csv),
      'variable-risk.csv': await rows(confidential.table('variable-risk').csv),
      'continuous-risk.csv': await rows(confidential.table('continuous-risk').csv),
      'identification-risk.csv': await rows(confidential.table('identification-risk').csv),
    },
  };
}

const evaluated = (table: Uint8Array, config: Config) => runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table });

/** Rows of attribute-risk.csv under the first scenario, with how many records each is. */
const firstRows = ({ tables, summary }: Folder) =>
  tables['attribute-risk.csv']!.filter(({ scenario }) => scenario === summary.attributeRisk[0]?.scenario);

const recordsWhere = (folder: Folder, holds: (row: Row) => boolean) =>
  firstRows(folder).reduce((sum, row) => sum + (holds(row) ? Number(row.count) : 0), 0);

/** Rows of variable-risk.csv whose value is given away, the largest gain first. */
const givenAway = ({ tables, summary }: Folder) =>
  tables['variable-risk.csv']!.filter(
    (row) =>
      row.scenario === summary.attributeRisk[0]!.scenario &&
      Number(row.rank_before) > 1 &&
      Number(row.rank_after) === 1 &&
      Number(row.probability_after) > 0.5,
  ).toSorted((a, b) => Number(b.gain_bits) - Number(a.gain_bits));

const mostAtRisk = ({ summary }: Folder) =>
  summary.identificationRisk.filter((risk) => risk.applies).toSorted((a, b) => b.mean.expectedMatchRisk - a.mean.expectedMatchRisk)[0]!;

/** Figures that are counted for the page, found again from the files. */
const DERIVED: Readonly<Record<string, (folder: Folder, argument: number) => number>> = {
  rules: ({ summary }) => summary.acceptance.length,
  scenarios: ({ summary }) => summary.attributeRisk.length,
  'rules-not-met': ({ summary }) => summary.acceptance.filter(({ met }) => !met).length,
  'records-at-ratio': (folder, ratio) => recordsWhere(folder, (row) => Number(row.ratio_to_uniform) >= ratio),
  'records-likelier-known': (folder) => recordsWhere(folder, (row) => Number(row.probability) > 0.5),
  'members-listed': (folder) => Math.min(10, firstRows(folder).length),
  'rows-listed': (folder) => Math.min(15, firstRows(folder).length),
  'values-listed': (folder) => Math.min(10, givenAway(folder).length),
  datasets: ({ summary }) => summary.synthesis.datasets,
  'match-risk-share': (folder) => mostAtRisk(folder).mean.expectedMatchRisk / folder.summary.table.records,
  coefficients: ({ summary }, place) => summary.utility!.regressions[place]!.coefficients.length,
  foretold: ({ summary }, place) => {
    const found = summary.utility!.regressions[place]!.heldOut.datasets.filter((one) => one !== null);
    return found.reduce((sum, one) => sum + one.meanSquaredError, 0) / found.length;
  },
  named: (folder, place) => {
    const given = givenAway(folder);
    const numbers = (given.length > 0 ? given : riskiestOf(folder, 0)).map((row) => Number(row.combination));
    return [...new Set(numbers)].slice(0, 10).sort((a, b) => a - b)[place]!;
  },
};

/** What is shown of an attack over all datasets, found again from its outcomes. */
const OF_ATTACK: Readonly<Record<string, (outcomes: readonly AttackOutcome[]) => number>> = {
  successes: (own) => own.reduce((sum, { successes }) => sum + successes, 0),
  attempts: (own) => own.reduce((sum, { attempts }) => sum + attempts, 0),
  rate: (own) => own.reduce((sum, { rate }) => sum + rate, 0) / own.length,
  baseline: (own) => own.reduce((sum, { baseline }) => sum + baseline, 0) / own.length,
  control: (own) => own.reduce((sum, { control }) => sum + control!, 0) / own.length,
  risk: (own) => own.reduce((sum, { risk }) => sum + risk, 0) / own.length,
  low: (own) => Math.min(...own.map(({ low }) => low)),
  high: (own) => Math.max(...own.map(({ high }) => high)),
};

/** The outcomes of an attack (from 0) on all datasets, in the order of the page. */
function outcomesOf({ documents }: Folder, place: number): AttackOutcome[] {
  const { singlingOut, linkability, inference } = documents['attack.json'] as AttackSummary;
  const all = [...singlingOut, ...linkability, ...inference];
  const kind = ({ attack, target }: AttackOutcome) => `${attack} ${target}`;
  const chosen = [...new Set(all.map(kind))][place];
  return all.filter((one) => kind(one) === chosen);
}

/** Records whose own row no dataset has among the matches, under the scenarios in their order. */
const withoutRisk = ({ tables, summary }: Folder) =>
  summary.identificationRisk
    .filter(({ applies }) => applies)
    .map(({ scenario }) => {
      const own = tables['identification-risk.csv']!.filter((row) => row.scenario === scenario);
      const risky = new Set(own.filter(({ risk }) => Number(risk) > 0).map(({ record }) => record));
      return summary.table.records - risky.size;
    });

/** Columns of attribute-risk.csv by the names that rows of other scenarios have. */
const RISKIEST_COLUMNS: Readonly<Record<string, string>> = {
  number: 'combination',
  rankLow: 'rank_low',
  rankHigh: 'rank_high',
  priorProbability: 'prior_probability',
  probabilitySe: 'probability_se',
  bayesFactor: 'bayes_factor',
};

/** The rows most at risk under a scenario, as the page lists them. */
function riskiestOf({ tables, summary }: Folder, scenario: number): Row[] {
  return tables['attribute-risk.csv']!.filter((row) => row.scenario === summary.attributeRisk[scenario]!.scenario)
    .toSorted((a, b) => Number(b.ratio_to_uniform) - Number(a.ratio_to_uniform))
    .slice(0, 10);
}

/** A number of a row; a Bayes factor is empty where no other candidate is possible. */
const numberOf = (row: Row, column: string) => (column === 'bayes_factor' && row[column] === '' ? Infinity : Number(row[column]));

/** What is wrong with a figure of a page; null where its files say the same. */
function faultOfFigure(folder: Folder, place: string, shown: string): string | null {
  const [file, pointer] = place.split('#') as [string, string];
  const steps = pointer.split('/').slice(1);
  if (file === 'derived') {
    const [, name, argument] = /^(.*?)(?:-(\d+))?$/.exec(steps[0]!)!;
    if (name === 'records-without-risk') {
      return withoutRisk(folder).some((records) => faultOf(shown, records, null) === null) ? null : 'is another';
    }
    const [key, ofAttack] = name!.split('-of-attack');
    if (ofAttack !== undefined) {
      return faultOf(shown, OF_ATTACK[key!]!(outcomesOf(folder, Number(argument))), null);
    }
    const found = DERIVED[name!];
    return found === undefined ? 'is derived by no known name' : faultOf(shown, found(folder, Number(argument)), null);
  }
  if (steps.at(-1) === '*') {
    // A sentence of several figures: each is somewhere below.
    const { value } = valueAt(folder.documents[file], `/${steps.slice(0, -1).join('/')}`);
    const numbers = [...allNumbers(value), Array.isArray(value) ? value.length : 1];
    const strange = numbersIn(shown).filter(
      (one) => !numbers.some((actual) => [1, 100].some((scale) => Math.abs(one.value - scale * actual) <= one.tolerance * 1.01)),
    );
    return strange.length === 0 ? null : `has ${strange.map(({ value: own }) => own).join(', ')}`;
  }
  if (file.endsWith('.csv')) {
    const row = folder.tables[file]![Number(steps[0])]!;
    const column = steps[1] === 'number' ? ('record' in row ? 'record' : 'combination') : steps[1]!;
    const error = row[column.endsWith('_after') ? column.replace('_after', '_se') : `${column}_se`];
    return faultOf(shown, numberOf(row, column), error === undefined ? null : Number(error));
  }
  if (file === 'riskiest') {
    const row = riskiestOf(folder, Number(steps[0]))[Number(steps[2])]!;
    const column = RISKIEST_COLUMNS[steps[3]!] ?? steps[3]!;
    const error = row[`${column}_se`];
    return faultOf(shown, numberOf(row, column), error === undefined ? null : Number(error));
  }
  const { value, standardError } = valueAt(folder.documents[file], pointer);
  return typeof value === 'number' ? faultOf(shown, value, standardError) : `is no number: ${String(value)}`;
}

/** Puts what `attack` finds of the release beside a run, and remedies that were tried on it, and writes its page again. */
async function withOthers(run: Run, table: Uint8Array): Promise<Run> {
  const { store, keys, plan } = run;
  const { input, opened } = await planAttack({
    config: configSchema.parse({ attack: { keys: ['region', 'age_group'], target: ['education', 'employment'], attempts: 20 } }),
    table: async () => table,
    datasets: [1, 2].map((l) => ({ name: `${l}`, read: () => store.get(keys.release.dataset(l)) })),
    // Rows of a dataset are people who are not in the table.
    control: { name: 'control', read: () => store.get(keys.release.dataset(1)) },
    run: { name: 'run', plan, store },
  });
  const streams = new KeyedStreams(testKey(3), 1);
  const { summary } = finish(measureAttacks(input, opened, (name) => streams.open(name)));
  await store.put(keys.confidential.attack, encodeJson(summary));
  await store.put(keys.confidential.remedies, encodeJson(remediesOf(plan.runId)));
  await reportRun(store, plan);
  return run;
}

/** Remedies with figures that no run has found. */
function remediesOf(runId: string): Remedies {
  const mean = (value: number) => ({ mean: value, standardError: 0.0123 });
  const group = {
    ...{
      records: 3,
      truthRankedFirstShare: 0.1,
      truthRankedFirstShareSe: 0.01,
      truthRankedFirstShareSimulationSe: 0.01,
      truthRankedFirstShareReleaseSe: 0,
      rankMean: 4,
      rankMeanSe: 0.2,
      rankMeanSimulationSe: 0.2,
      rankMeanReleaseSe: 0,
    },
    ...{
      probabilityMean: 0.2,
      probabilityMeanSe: 0.01,
      probabilityMeanSimulationSe: 0.01,
      probabilityMeanReleaseSe: 0,
      probabilityMax: 0.3,
      informationBitsMean: 0.4,
    },
    ...{ informationBitsMeanSe: 0.02, informationBitsMeanSimulationSe: 0.02, informationBitsMeanReleaseSe: 0, gainBitsMean: 0.3 },
  };
  const file = {
    ...{ truthRankedFirstShare: mean(0.1), probability: mean(0.2), informationBits: mean(0.3) },
    gainBits: mean(0.25),
    membership: { auc: mean(0.61234), foundAt1Percent: mean(0.034) },
  };
  return remediesSchema.parse({
    ...{ version: '0.0.0', runId, named: [1] },
    remedies: [null, 'datasets-1'].map((name, i) => ({
      ...{ name, setting: name ?? 'as it is', datasets: 2 - i, chains: 3, pairedChains: 2, combinations: 40 },
      ...{ candidatesMax: 20, probabilityMax: 0.45678 / (i + 1), informationBitsMax: 1.2345 / (i + 1) },
      risk: { runId, file, named: group, others: group, rows: [] },
      gainBitsChange: name === null ? null : { mean: -0.12345, standardError: 0.0456 },
    })),
  });
}

/** The same where numbers alone are guessed at, one of which a remedy puts in bands. */
function remediesOfNumbers(runId: string): Remedies {
  const { remedies, ...found } = remediesOf(runId);
  const near = (withinAfter: number | null) => ({
    ...{ variable: 'income', near: 'within 10 %', records: 3, withinBefore: null, gainBits: null },
    withinAfter: withinAfter === null ? null : { mean: withinAfter, standardError: 0.0321 },
  });
  return remediesSchema.parse({
    ...found,
    remedies: remedies.map((own, i) => ({
      ...own,
      ...{ probabilityMax: null, informationBitsMax: null, rankedReason: 'none' },
      risk: { ...own.risk, file: { ...own.risk.file, continuousVariables: [near(i === 0 ? 0.123456 : null)] } },
    })),
  });
}

const RUNS: Readonly<Record<string, () => Promise<Run>>> = {
  'all variables synthesized, under several scenarios and rules, and what others found of it': async () =>
    withOthers(
      await evaluated(
        smallTable(),
        configSchema.parse({
          ...SMALL_SETTINGS,
          attributeRisk: {
            acceptanceRegion: ['R <= 0.2 or RR <= 1.05'],
            scenarios: [
              { name: 'one', candidates: 'one-change' },
              { name: 'two', candidates: { unknown: ['region', 'education'] }, prior: 'model' },
            ],
          },
          acceptance: ['attributeRisk.truthRankedFirstShare <= 0.01', 'table.records >= 1'],
        }),
      ),
      smallTable(),
    ),
  'an intruder who knows nothing names records': () =>
    evaluated(
      smallTable(),
      configSchema.parse({
        ...SMALL_SETTINGS,
        attributeRisk: { scenarios: [{ name: 'all but one' }, { name: 'nothing', knows: 'nothing' }] },
      }),
    ),
  'continuous variables with densities': () => evaluated(mixedTable(), configSchema.parse(MIXED_SETTINGS)),
  'numbers alone, and remedies that were tried': async () => {
    const synthesis = { datasets: 2, synthesized: ['income', 'age'] };
    const run = await evaluated(mixedTable(), configSchema.parse({ ...MIXED_SETTINGS, synthesis }));
    const { store, keys, plan } = run;
    await store.put(keys.confidential.remedies, encodeJson(remediesOfNumbers(plan.runId)));
    await reportRun(store, plan);
    return run;
  },
  'categories from trees, with kept variables': () => evaluated(mixedTable(), configSchema.parse(CATEGORY_TREE_SETTINGS)),
  'numbers from trees, where attribute risk is not measured': () => evaluated(mixedTable(), configSchema.parse(TREE_SETTINGS)),
  'one variable from areal patterns': () =>
    evaluated(
      smallTable(),
      configSchema.parse({
        ...SMALL_SETTINGS,
        model: { name: 'dp-areal', clusters: 6 },
        synthesis: { datasets: 2, synthesized: ['region'] },
        identification: [{ known: ['education'] }],
      }),
    ),
};

/** Every number below, changed beyond what rounding hides; whole ones stay whole, and positive ones positive. */
function changed(value: unknown, share: boolean): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value > 1) return value + 1;
    return value > 0 && value < 1 && share ? 0.37 + value / 3 : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => changed(one, share));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, FIXED.has(key) ? one : changed(one, share)]));
}

/** Members on which others depend: places in lists, and what was set. */
const FIXED = new Set([
  ...['rounds', 'seed', 'maximum', 'rankHistogram', 'rankHistogramWidth', 'tables', 'propensity'],
  ...['recordRisks', 'radii', 'sweep', 'candidatesPerCombinationMax', 'coefficients', 'patterns'],
]);

describe.each(Object.entries(RUNS))('the page of a run with %s', (_, evaluate) => {
  let run: Run;
  let folder: Folder;

  beforeAll(async () => {
    run = await evaluate();
    folder = await folderOf(run);
  });

  it('shows every figure as it is in summary and tables, with no more digits than its error supports', () => {
    const figures = figuresOf(folder.page);
    expect(figures.length).toBeGreaterThan(40);
    expect(figures.length).toBe(folder.page.split('data-of=').length - 1);
    const faults = figures.flatMap(({ place, text: shown }) => {
      const fault = faultOfFigure(folder, place, shown);
      return fault === null ? [] : [`${place}: ${shown} ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it('has no figure that does not say where it is from: the rest of the text is the same whatever was found', async () => {
    const { store, keys, plan } = run;
    const key = keys.confidential.summary;
    const bytes = await store.get(key);
    const other = changed(JSON.parse(new TextDecoder().decode(bytes)), true);
    await store.put(key, new TextEncoder().encode(JSON.stringify(other)));
    await reportRun(store, plan);
    const page = await text(run, keys.confidential.report);
    await store.put(key, bytes);
    expect(figuresOf(page).map(({ text: shown }) => shown)).not.toEqual(figuresOf(folder.page).map(({ text: shown }) => shown));
    const numbers = (of: string) => unboundText(of).match(/(?:[^ ]* ){0,4}[^ ]*\d[^ ]*/g) ?? [];
    const before = new Set(numbers(folder.page));
    expect(numbers(page).filter((one) => !before.has(one))).toEqual([]);
  });
});
