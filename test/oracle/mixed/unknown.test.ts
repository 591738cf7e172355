import { describe, expect, it, vi } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { besideRows, mixedRows, mixedView } from '../../../shared/model/mixed/mixed-view.ts';
import { mixed } from '../../../shared/pipeline/synthesizers/mixed/mixed.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import type { Table } from '../../../shared/table/table.ts';
import { normalized } from '../../exact-posterior.ts';
import { logMixed, stacked } from '../../mixed-posterior.ts';
import { csvRows, runInMemory } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { FORGETFUL_CHAINS } from '../exact-run.ts';

/** Two categorical variables and a number with a mass, of so few records that every allocation can be summed over. */
const NAMES = ['level', 'region', 'income'];
const SIZES = { level: ['a', 'b', 'c'], region: ['n', 's'] };
const records: readonly (readonly string[])[] = [
  ['a', 'n', '0'],
  ['a', 's', '90'],
  ['b', 'n', '120'],
  ['c', 's', '310'],
  ['b', 's', '61'],
];
const ALPHA = 0.8;
const PRIOR = { kappa: 0.1, shape: 2, rate: 0.01 };
const settings = {
  model: { name: 'mixed', classes: 2, concentration: { value: ALPHA }, meanRecords: 0.1, variance: { shape: 2, rate: 0.01 } },
  variables: {
    level: { type: 'categorical', categories: SIZES.level },
    region: { type: 'categorical', categories: SIZES.region },
    income: { type: 'continuous', range: [0, 400], scale: 'sqrt', masses: [0], decimals: 0, cells: 20 },
  },
  mcmc: { ...FORGETFUL_CHAINS, chains: 16, draws: 100, thin: 3, pairedChains: 8, pairedDraws: 100 },
  utility: 'off',
  attributeRisk: {
    scenarios: [
      { name: 'one', candidates: 'one-change' },
      { name: 'income', candidates: { unknown: ['income'] } },
      { name: 'region', candidates: { unknown: ['region'] } },
      { name: 'both', candidates: { unknown: ['level', 'region'] } },
      { name: 'believed', candidates: { unknown: ['level', 'region'] }, prior: 'model' },
    ],
  },
};
const schema = {
  variables: [
    { name: 'level', type: 'categorical' as const, categories: SIZES.level },
    { name: 'region', type: 'categorical' as const, categories: SIZES.region },
    { name: 'income', type: 'continuous' as const },
  ],
};
const view = mixedView(schema, configSchema.parse(settings).variables);
const model = { sizes: view.sizes, continuous: view.continuous, prior: PRIOR };

function tableOf(rows: readonly (readonly string[])[]): Table {
  return {
    schema,
    records: rows.length,
    columns: [
      { type: 'categorical', codes: Uint16Array.from(rows, ([level]) => SIZES.level.indexOf(level!)) },
      { type: 'categorical', codes: Uint16Array.from(rows, ([, region]) => SIZES.region.indexOf(region!)) },
      { type: 'continuous', values: Float64Array.from(rows, ([, , income]) => Number(income)) },
    ],
  };
}

/** log p(D) of a table, and log p(D, Z) with each dataset below it, or beside it where some variables were kept. */
function logDensities(table: Table, datasets: readonly Table[], synthesized: readonly number[] | null) {
  const own = mixedRows(view, [table]);
  const both = (dataset: Table): MixedRows =>
    synthesized === null ? stacked(own, mixedRows(view, [dataset])) : besideRows(view, table, dataset, synthesized);
  return { alone: logMixed(model, own, ALPHA), both: datasets.map((dataset) => logOfBoth(both(dataset), synthesized === null)) };
}

/** Beside the rows, further columns are parts and variables of their own, with the parameters of those that they repeat. */
function logOfBoth(rows: MixedRows, isBelow: boolean): number {
  if (isBelow) return logMixed(model, rows, ALPHA);
  // As rows below that hold nothing else, each in the class of its record.
  const { parts, continuous } = rows.columns!;
  const below = {
    ...rows,
    codes: new Uint16Array(view.sizes.length * rows.rows),
    values: new Float64Array(view.continuous.length * rows.rows),
  };
  below.codes.fill(0xffff);
  below.values.fill(Number.NaN);
  const column = <Values extends Uint16Array | Float64Array>(values: Values, c: number) =>
    values.subarray(c * rows.rows, (c + 1) * rows.rows);
  for (let c = view.sizes.length; c < parts.length; c++) below.codes.set(column(rows.codes, c), parts[c]! * rows.rows);
  for (let c = view.continuous.length; c < continuous.length; c++) below.values.set(column(rows.values, c), continuous[c]! * rows.rows);
  const first = { ...rows, codes: rows.codes.slice(0, below.codes.length), values: rows.values.slice(0, below.values.length) };
  return logMixed(model, stacked(first, below), ALPHA, rows.rows);
}

describe('unknown variables under the model mixed, against sums over every allocation', () => {
  it.each([
    ['all variables synthesized', {}, null],
    // The number is in no dataset.
    ['some', { synthesized: ['level', 'region'] }, [0, 1]],
  ] as const)('%s', async (_, synthesis, synthesized) => {
    const scenarios = settings.attributeRisk.scenarios.filter(({ name }) => synthesized === null || name !== 'income');
    const config = configSchema.parse({ ...settings, attributeRisk: { scenarios }, synthesis: { datasets: 2, ...synthesis } });
    const refusal = vi.spyOn(mixed, 'refuseTable').mockReturnValue(undefined);
    const run = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table: encodeCsv(NAMES, records) }).finally(() =>
      refusal.mockRestore(),
    );
    const { store, keys, plan } = run;
    const rowsOf = async (name: string) => {
      const [header, ...lines] = csvRows(await store.get(keys.confidential.table(name).csv)) as [string[], ...string[][]];
      return lines.map((line) => Object.fromEntries(header.map((column, c) => [column, line[c]!])));
    };
    const datasets: Table[] = [];
    for (let l = 1; l <= plan.datasets.count; l++) datasets.push(tableOf(csvRows(await store.get(keys.release.dataset(l))).slice(1)));
    const values = SIZES.level.flatMap((level) => SIZES.region.map((region) => [level, region] as const));
    const risk = await rowsOf('attribute-risk');
    for (const scenario of ['both', 'believed']) {
      for (const row of risk.filter((own) => own.scenario === scenario)) {
        const record = Number(row.record) - 1;
        const [level, region, income] = records[record]!;
        const logs = values.map(([l, r]) => {
          const { alone, both } = logDensities(
            tableOf(records.map((own, i) => (i === record ? [l, r, income!] : own))),
            datasets,
            synthesized,
          );
          const prior = scenario === 'believed' ? alone : 0;
          return both.reduce((sum, one) => sum + one - alone, prior);
        });
        const exact = normalized(Float64Array.from(logs));
        const truth = values.findIndex(([l, r]) => l === level && r === region);
        const name = `${scenario}, record ${row.record}`;
        expect(Number(row.candidates), name).toBe(6);
        expect(Math.abs(Number(row.probability) - exact[truth]!), name).toBeLessThan(4 * Number(row.probability_se) + 1e-4);
        expect(Number(row.probability_se), name).toBeLessThan(0.03);
        const guess = Math.max(...exact.filter((_, v) => v !== truth));
        if (row.first_guess_value !== '') expect(Number(row.first_guess_probability), name).toBeCloseTo(guess, 1);
      }
    }
    // A variable that alone is unknown is one of those that are guessed at one by one.
    const own = (rows: Record<string, string>[], scenario: string, variable: string) =>
      rows.filter((row) => row.scenario === scenario && row.variable === variable).map(({ scenario: _, ...rest }) => rest);
    const byValue = await rowsOf('variable-risk');
    expect(own(byValue, 'region', 'region')).toEqual(own(byValue, 'one', 'region'));
    if (synthesized !== null) return;
    const numbers = await rowsOf('continuous-risk');
    expect(own(numbers, 'income', 'income')).toHaveLength(records.length);
    expect(own(numbers, 'income', 'income')).toEqual(own(numbers, 'one', 'income'));
    expect(risk.filter((row) => row.scenario === 'income').map(({ rank }) => rank)).toEqual(records.map(() => ''));
  });
});
