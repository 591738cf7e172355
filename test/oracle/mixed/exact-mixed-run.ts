import { vi } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { type Summary, summarySchema } from '../../../shared/contracts/results/summary.ts';
import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { mixedRows, mixedView } from '../../../shared/model/mixed/mixed-view.ts';
import { mixed } from '../../../shared/pipeline/synthesizers/mixed/mixed.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import type { Table } from '../../../shared/table/table.ts';
import { logClass, logMixed, stacked } from '../../mixed-posterior.ts';
import { csvRows, runInMemory } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

/** A record: a category of three, an income with a mass, and hours. */
export type MixedRecord = readonly [level: string | null, income: number | null, hours: number | null];

export const LEVELS = ['a', 'b', 'c'];
const NAMES = ['level', 'income', 'hours'];
const ALPHA = 0.8;
const PRIOR = { kappa: 0.1, shape: 2, rate: 0.005 };
/** Cells of each continuous variable. */
export const CELLS = 40;

const variables = {
  level: { type: 'categorical', categories: LEVELS },
  income: { type: 'continuous', range: [-1000, 1400], masses: [0], decimals: 0, cells: CELLS },
  hours: { type: 'continuous', range: [-120, 176], decimals: 1, cells: CELLS },
} as const;

const { kappa: meanRecords, ...variance } = PRIOR;
const settings = {
  model: { name: 'mixed', classes: 2, concentration: { value: ALPHA }, meanRecords, variance },
  variables,
  utility: 'off',
};

/** The variables of {@link MixedRecord}. */
export const schema = {
  variables: [
    { name: 'level', type: 'categorical' as const, categories: LEVELS },
    { name: 'income', type: 'continuous' as const },
    { name: 'hours', type: 'continuous' as const },
  ],
};

/** The variables as the model has them. */
export const view = mixedView(schema, configSchema.parse(settings).variables);
const model = { sizes: view.sizes, continuous: view.continuous, prior: PRIOR };

/** Records as the model has them. */
export function rowsOf(records: readonly MixedRecord[]): MixedRows {
  const numbers = (v: 1 | 2) => Float64Array.from(records, (record) => record[v] ?? Number.NaN);
  const codes = Uint16Array.from(records, ([level]) => (level === null ? LEVELS.length : LEVELS.indexOf(level)));
  const columns: Table['columns'] = [
    { type: 'categorical', codes },
    { type: 'continuous', values: numbers(1) },
    { type: 'continuous', values: numbers(2) },
  ];
  return mixedRows(view, [{ schema, records: records.length, columns }]);
}

/** The same with a variable (of `view.continuous`) of one record at a place of the unit scale, which no mass holds. */
export function withUnit(records: readonly MixedRecord[], record: number, j: number, unit: number): MixedRows {
  const rows = rowsOf(records);
  const { indicator } = rows.continuous[j]!;
  if (indicator !== null) rows.codes[indicator * rows.rows + record] = 0;
  rows.values[j * rows.rows + record] = unit;
  return rows;
}

/** log p of rows, by all allocations of them to two classes, or with one class. */
export const logMarginal = (rows: MixedRows, classes: 1 | 2 = 2): number =>
  classes === 1 ? logClass(model, rows, [...Array(rows.rows).keys()]) : logMixed(model, rows, ALPHA);

/** log E[f(x) | D, Z], x being the last of the rows, with a dataset below or without one. */
export function logPredictive(rows: MixedRows, dataset: MixedRows | null = null, classes: 1 | 2 = 2): number {
  const without = firstOf(rows, rows.rows - 1);
  const both = (own: MixedRows) => (dataset === null ? own : stacked(own, dataset));
  return logMarginal(both(rows), classes) - logMarginal(both(without), classes);
}

function firstOf(rows: MixedRows, count: number): MixedRows {
  const first = <Values extends Uint16Array | Float64Array>(values: Values) => values.filter((_, at) => at % rows.rows < count) as Values;
  return { ...rows, rows: count, codes: first(rows.codes), values: first(rows.values) };
}

/** What is run on records. */
export interface MixedRun {
  readonly classes?: 1 | 2;
  readonly mcmc: object;
  readonly synthesis?: object;
  readonly attributeRisk?: object;
  readonly control?: readonly MixedRecord[];
  /** Records (from 1) of the file `known.csv`. */
  readonly known?: readonly number[];
  readonly elsewhere?: readonly (readonly MixedRecord[])[];
  readonly batchSize?: number;
}

const csvOf = (records: readonly MixedRecord[]) => encodeCsv(NAMES, records);

/** A row of a table of results, by the names of its columns. */
export type ResultRow = Readonly<Record<string, string>>;

/** What the risk of records is by a run from its plan to its files. */
export async function runMixed(
  records: readonly MixedRecord[],
  { classes = 2, control, known, elsewhere, batchSize, ...sections }: MixedRun,
) {
  const config = configSchema.parse({
    ...settings,
    ...sections,
    model: { ...settings.model, classes },
    attributeRisk: { ...sections.attributeRisk, ...(control ? { control: 'control.csv' } : {}) },
  });
  const knownRows = known?.map((record) => [record]);
  // A table whose allocations can be summed over has fewer distinct values than a density is offered for.
  const refusal = vi.spyOn(mixed, 'refuseTable').mockReturnValue(undefined);
  const run = await runInMemory({
    ...TEST_KEYS,
    purpose: elsewhere ? 'assess' : 'evaluate',
    config,
    table: csvOf(records),
    ...(control ? { control: csvOf(control) } : {}),
    ...(knownRows ? { knownFiles: new Map([['known.csv', encodeCsv(['record'], knownRows)]]) } : {}),
    ...(elsewhere ? { datasets: { origin: 'elsewhere' as const, files: elsewhere.map(csvOf) } } : {}),
    ...(batchSize ? { batchSize } : {}),
  }).finally(() => refusal.mockRestore());
  const { store, keys, plan } = run;
  const tableOf = async (name: string): Promise<ResultRow[]> => {
    const [header, ...lines] = csvRows(await store.get(keys.confidential.table(name).csv)) as [string[], ...string[][]];
    return lines.map((line) => Object.fromEntries(header.map((column, c) => [column, line[c]!])));
  };
  const datasets: MixedRows[] = elsewhere?.map(rowsOf) ?? [];
  for (let l = 1; l <= plan.datasets.count && !elsewhere; l++) {
    const released = csvRows(await store.get(keys.release.dataset(l))).slice(1);
    datasets.push(rowsOf(released.map(([level, income, hours]) => [level!, Number(income), Number(hours)])));
  }
  const summary: Summary = summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary))));
  return { ...run, tableOf, datasets, summary };
}

/** The largest distance of found figures from exact ones, in their errors. */
export const furthest = (rows: readonly ResultRow[], name: string, exact: readonly number[]): number =>
  Math.max(...rows.map((row, i) => Math.abs(Number(row[name]) - exact[i]!) / Number(row[`${name}_se`])));
