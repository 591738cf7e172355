import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import type { NumberColumns, RecordData } from '../../shared/report/records/browser/record-data.ts';
import { at, numberAt, Records } from '../../shared/report/records/browser/records.ts';
import { formatFigure, roundToError } from '../../shared/report/words/format-number.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, MIXED_SETTINGS, mixedTable, runInMemory, smallConfig, smallTable, TREE_SETTINGS } from './small-run.ts';

type Row = Record<string, string>;

const SCENARIOS = {
  scenarios: [
    { name: 'one change' },
    { name: 'some values', candidates: { unknown: ['employment', 'education'] }, prior: 'model' },
    { name: 'knows half', knows: { share: 0.5 } },
  ],
};
const MATCHERS = [
  { name: 'neighbours', known: ['region'], synthesized: ['employment'] },
  { name: 'register', known: ['region', 'age_group'] },
];

const RUNS = {
  'of several intruders': () => ({ table: smallTable(), config: smallConfig({ attributeRisk: SCENARIOS }) }),
  'that keeps variables': () => ({
    table: smallTable(),
    config: smallConfig({ synthesis: { synthesized: ['employment', 'education'] }, identification: MATCHERS }),
  }),
  'by trees': () => ({ table: mixedTable(), config: configSchema.parse(CATEGORY_TREE_SETTINGS) }),
  'without attribute risk': () => ({ table: mixedTable(), config: configSchema.parse(TREE_SETTINGS) }),
  'of continuous variables': () => ({ table: mixedTable(), config: configSchema.parse(MIXED_SETTINGS) }),
  'of numbers alone': () => ({
    table: mixedTable(),
    config: configSchema.parse({ ...MIXED_SETTINGS, synthesis: { datasets: 2, synthesized: ['income', 'age'] } }),
  }),
  'of all cells': () => ({ table: smallTable(), config: smallConfig({ attributeRisk: { candidates: 'all-cells' } }) }),
};

const BEYOND_READING = 1e15;

/** A number of a table as the page's own words have it. */
const asShown = (text: string) => Number(text.replaceAll(',', '').replace('\u2212', '-'));
const figure = (text: string) => {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  return number > BEYOND_READING ? Number(number.toPrecision(3)) : asShown(formatFigure(number));
};
const estimate = (value: string, error: string) =>
  // Beyond what is read the page's words say no more than that.
  Math.abs(Number(value)) > BEYOND_READING
    ? [Number(Number(value).toPrecision(3)), 0]
    : roundToError(Number(value), Number(error)).map(asShown);
const column = (columns: NumberColumns, name: string, row: number) => numberAt(columns, name, row);

describe.each(Object.entries(RUNS))('the records in the report of a run %s', (_, requestOf) => {
  let run: Awaited<ReturnType<typeof runInMemory>>;
  let data: RecordData;
  let records: Records;
  let report: string;

  const rowsOf = async (key: string): Promise<Row[]> =>
    (await run.store.head(key)) === null ? [] : parse(Buffer.from(await run.store.get(key)), { columns: true });
  const places = () => Array.from({ length: data.rows }, (_, place) => place);

  beforeAll(async () => {
    run = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', ...requestOf() });
    report = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    const [, json] = /<script type="application\/json" id="record-data">(.*?)<\/script>/s.exec(report)!;
    data = JSON.parse(json!);
    records = new Records(data);
  });

  it('are all there, once', async () => {
    expect(data.rows).toBe(data.rowsOfRun);
    expect(data.detailed).toBe(data.rows);
    const numbers = places().map((place) => records.numberOf(place));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(places().map((place) => place + 1));
    expect(report).toContain('<noscript>');
  });

  it('have the numbers of attribute-risk.csv', async () => {
    const all = await rowsOf(run.keys.confidential.table('attribute-risk').csv);
    const own = all.filter(({ scenario }) => scenario === data.scenario);
    expect(own.length).toBe(data.scenario === null ? 0 : data.rows);
    for (const [r, row] of own.entries()) {
      const place = records.rowOf(r + 1)!;
      const has = (name: string) => records.figure(name, place);
      const plain = [
        ...['count', 'candidates', 'rank', 'rank_low', 'rank_high', 'prior_probability', 'information_bits'],
        ...['prior_odds_to_first', 'first_guess_probability'],
      ];
      for (const name of plain) expect(has(name), name).toBe(figure(row[name]!));
      const [probability, error] = estimate(row.probability!, row.probability_se!);
      expect([has('probability'), has('probability_se')]).toEqual([probability, error]);
      for (const name of ['bayes_factor', 'privacy_loss']) {
        // Where no other candidate is possible the page has the largest number, as a bound.
        const bound = name === 'bayes_factor' && Number(row.prior_probability) < 1 ? [Number.MAX_VALUE, 0] : [null, null];
        const of = row[name] === '' ? bound : estimate(row[name]!, row[`${name}_se`] || '0');
        expect([has(name), has(`${name}_se`)], name).toEqual(of);
      }
      const ratioError = Number(row.probability_se) * Number(row.candidates);
      expect(has('ratio_to_uniform')).toBe(estimate(row.ratio_to_uniform!, String(ratioError))[0]);
      for (const name of ['effective_draws', 'pareto_k']) {
        expect(has(name), name).toBe(row[name] === '' ? null : figure(row[name]!));
      }
      for (const name of ['distinguishable', 'heavy_tail', 'proven']) {
        if (row[name] !== undefined) expect(has(name), name).toBe(row[name] === 'true' ? 1 : 0);
      }
      const guess = row.first_guess_variable;
      expect(records.guessOf(place)).toBe(guess === '' ? null : `${guess} = ${row.first_guess_value}`);
      for (const { name, value } of records.valuesOf(place)) expect(value ?? '').toBe(row[name]);
    }
  });

  it('are in the order of their risk', () => {
    const risk = places().map((place) => records.figure(records.riskMeasure, place)!);
    for (const place of places().slice(1)) expect(risk[place]!).toBeLessThanOrEqual(risk[place - 1]! * 1.1);
  });

  it('have the numbers of variable-risk.csv', async () => {
    const all = await rowsOf(run.keys.confidential.table('variable-risk').csv);
    const own = all.filter(({ scenario }) => scenario === data.scenario);
    let found = 0;
    for (const row of own) {
      const { texts, columns } = data.values.find(({ variable }) => variable === row.variable)!;
      const place = records.rowOf(Number(row.record ?? row.combination))!;
      const has = (name: string) => column(columns, name, place);
      for (const name of ['probability_before', 'rank_before', 'rank_after']) {
        expect(has(name), name).toBe(figure(row[name]!));
      }
      const after = estimate(row.probability_after!, row.probability_se!);
      expect([has('probability_after'), has('probability_se')]).toEqual(after);
      for (const name of ['first_guess_before', 'first_guess_after']) {
        expect(texts[has(name)!]).toBe(row[name]);
      }
      found++;
    }
    const held = data.values.reduce(
      (sum, { columns }) => sum + places().filter((place) => column(columns, 'probability_after', place) !== null).length,
      0,
    );
    expect(held).toBe(found);
  });

  it('have the numbers of continuous-risk.csv, and the largest rise of them', async () => {
    const all = await rowsOf(run.keys.confidential.table('continuous-risk').csv);
    const rises = new Map<number, number>();
    for (const row of all) {
      const own = data.densities.find(({ variable }) => variable === row.variable)!;
      const place = records.rowOf(Number(row.record))!;
      for (const name of [
        'value',
        'within_before',
        'median_before',
        'interval_low_after',
        'interval_high_before',
        'gain_bits',
        'claimed_bits',
      ]) {
        expect(column(own.columns, name, place), name).toBe(figure(row[name]!));
      }
      const after = estimate(row.within_after!, row.within_se!);
      expect([column(own.columns, 'within_after', place), column(own.columns, 'within_se', place)]).toEqual(after);
      expect(own.after[place]).toHaveLength(own.bounds.length - 1);
      rises.set(place, Math.max(rises.get(place) ?? -1, Number(row.within_after) - Number(row.within_before)));
    }
    for (const [place, rise] of rises) expect(records.figure('near_rise', place)).toBeCloseTo(rise, 2);
    expect(records.has('near_rise')).toBe(all.length > 0);
    expect(data.densities.length > 0).toBe(all.length > 0);
  });

  it('have what other intruders get', async () => {
    const all = await rowsOf(run.keys.confidential.table('attribute-risk').csv);
    const names = [...new Set(all.map(({ scenario }) => scenario!))].slice(1);
    expect(data.scenarios.map(({ scenario }) => scenario)).toEqual(names);
    for (const { scenario, columns } of data.scenarios) {
      const own = new Map(all.filter((row) => row.scenario === scenario).map((row) => [Number(row.combination), row]));
      for (const place of places()) {
        const row = own.get(records.numberOf(place));
        const [probability, error] = row ? estimate(row.probability!, row.probability_se!) : [null, null];
        expect(column(columns, 'probability', place)).toBe(probability);
        expect(column(columns, 'probability_se', place)).toBe(error);
        for (const name of ['candidates', 'prior_probability', 'rank', 'rank_low', 'rank_high']) {
          expect(column(columns, name, place), name).toBe(row ? figure(row[name]!) : null);
        }
      }
    }
  });

  it('have the matches of identification-risk.csv', async () => {
    const all = await rowsOf(run.keys.confidential.table('identification-risk').csv);
    const mean = new Map<string, number>();
    for (const { scenario, record, dataset, matches, own_record_matches: own, risk } of all) {
      const held = data.matches.find((one) => one.scenario === scenario)!;
      const place = records.rowOf(Number(record))!;
      expect(held.matches[place]![Number(dataset) - 1]).toBe(Number(matches));
      expect(held.own[place]![Number(dataset) - 1]).toBe(Number(own));
      const key = `${scenario} ${record}`;
      mean.set(key, (mean.get(key) ?? 0) + Number(risk) / held.matches[place]!.length);
    }
    expect(data.matches.length > 0).toBe(all.length > 0);
    for (const place of data.matches.length > 0 ? places() : []) {
      const risks = data.matches.map(({ scenario }) => mean.get(`${scenario} ${records.numberOf(place)}`)!);
      expect(records.figure('match_risk', place)!).toBeCloseTo(Math.max(...risks), 3);
    }
  });

  it('have the likeliest candidates, which the truth and the first guess agree with', async () => {
    if (data.candidates === null) {
      expect(data.scenario).toBeNull();
      return;
    }
    const { candidates, changes, after, before } = data.candidates;
    for (const place of places()) {
      const own = candidates[place]!;
      const guess = changes[own[0]!]!.map(([v, value]) => [data.variables[v]!.name, value]);
      const words = `${guess.map(([name]) => name).join('; ')} = ${guess.map(([, value]) => value).join('; ')}`;
      // Of those that tie the table names the truth, and the page the first.
      if (records.guessOf(place) !== null) expect(words).toBe(records.guessOf(place));
      expect(after[place]![0]).toBe(records.figure('first_guess_probability', place));
      expect(after[place]).toEqual(after[place]!.toSorted((a, b) => b - a));
      const truth = own.findIndex((candidate) => changes[candidate]!.length === 0);
      if (truth < 0 || at(before[place]!, truth) === null) continue;
      expect(at(before[place]!, truth)).toBe(records.figure('prior_probability', place));
      expect(after[place]![truth]).toBeCloseTo(records.figure('probability', place)!, 1);
    }
  });

  it('have the candidates that their draws give', async () => {
    const listed = !['cart', 'mixed'].includes(run.plan.config.model.name);
    if (data.candidates === null || at(data.candidates.before[0]!, 0) === null || !listed) return;
    const { candidates, changes, after } = data.candidates;
    for (const combination of [1, 2, 7]) {
      const place = records.rowOf(combination)!;
      const table = await candidateTable(run.store, { runId: run.plan.runId, combination });
      const rows: Row[] = parse(Buffer.from(table), { columns: true });
      for (const [i, candidate] of candidates[place]!.entries()) {
        const own = Object.fromEntries(records.valuesOf(place).map(({ name, value }) => [name, value ?? '']));
        for (const [v, value] of changes[candidate]!) own[data.variables[v]!.name] = value;
        const row = rows.find((one) => Object.entries(own).every(([name, value]) => one[name] === value))!;
        expect(after[place]![i]).toBe(figure(row.probability!));
      }
    }
  });
});
