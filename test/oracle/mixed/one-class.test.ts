import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import type { Summary } from '../../../shared/contracts/results/summary.ts';
import { mixedRows, mixedView } from '../../../shared/model/mixed/mixed-view.ts';
import { type RecordData, SHAPE_LEVELS } from '../../../shared/report/records/browser/record-data.ts';
import { at, numberAt, Records as PageRecords } from '../../../shared/report/records/browser/records.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import type { Table } from '../../../shared/table/table.ts';
import { logClass, stacked } from '../../mixed-posterior.ts';
import { csvRows, runInMemory } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { LEVELS, schema } from './exact-mixed-run.ts';

/**
 * With one class everything is conjugate: the posterior of a record's value is a ratio of marginal likelihoods of whole tables, and no
 * chain adds an error. Here it is found from these alone, and its figures by sums over a fine grid of values.
 */
const CELLS = 48;
const variables = {
  level: { type: 'categorical', categories: LEVELS },
  income: { type: 'continuous', range: [-1000, 1400], masses: [0], decimals: 0, cells: CELLS, within: { share: 0.15 } },
  hours: { type: 'continuous', range: [-120, 176], decimals: 1, cells: CELLS, within: { amount: 4 } },
} as const;
type Records = readonly (readonly [string | null, number | null, number])[];
const all: Records = [
  ['a', 0, 10.5],
  ['b', 90, 20.1],
  ['a', 120, 30.2],
  ['c', 61, 38.4],
  ['a', 250, 40.3],
  ['b', 0, 12.7],
  ['a', 199, 33.9],
  ['c', 310, 45],
  ['b', 45, 8.8],
  ['a', 150, 27.6],
  ['a', 101, 22.2],
  ['b', 75, 15.4],
  ['a', 222, 36.1],
  ['c', 333, 41.7],
  ['b', 21, 5.3],
  [null, 180, 29.5],
  ['a', null, 31],
];
const settings = {
  model: { name: 'mixed', classes: 1, meanRecords: 0.1, variance: { shape: 2, rate: 0.01 } },
  variables,
  synthesis: { datasets: 2, missing: 'impute' },
  mcmc: { chains: 3, burnIn: 20, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1, reproducibility: 'off' },
  utility: 'off',
};
const view = mixedView(schema, configSchema.parse(settings).variables);
const model = { sizes: view.sizes, continuous: view.continuous, prior: { kappa: 0.1, shape: 2, rate: 0.01 } };

function tableOf(records: readonly (readonly (string | number | null)[])[]): Table {
  const column = (v: number) => records.map((record) => record[v]!);
  const numbers = (v: number) => Float64Array.from(column(v), (value) => (value === null || value === '' ? Number.NaN : Number(value)));
  const codes = Uint16Array.from(column(0), (text) => (LEVELS.includes(text as string) ? LEVELS.indexOf(text as string) : LEVELS.length));
  return {
    schema,
    records: records.length,
    columns: [
      { type: 'categorical', codes },
      { type: 'continuous', values: numbers(1) },
      { type: 'continuous', values: numbers(2) },
    ],
  } as Table;
}

/** log p(D) of a table, and log p(D, Z(l)) of it with each dataset, below it or beside it: of one class that is the same. */
function logDensities(table: Table, datasets: readonly Table[]) {
  const own = mixedRows(view, [table]);
  const of = (all: typeof own) => logClass(model, all, [...Array(all.rows).keys()]);
  return { alone: of(own), stacked: datasets.map((dataset) => of(stacked(own, mixedRows(view, [dataset])))) };
}

interface Segment {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/** The masses and cells of a record's variable (of `view.continuous`), with what the model gives them before and after. */
function segmentsOf(rows: Records, record: number, j: number, datasets: readonly Table[]) {
  const { variable, declared, scale } = view.continuous[j]!;
  const truth = logDensities(tableOf(rows), datasets);
  const weigh = (value: number) => {
    const changed = rows.map((own, i) => (i === record ? own.with(variable, value) : own));
    const { alone, stacked: both } = logDensities(tableOf(changed), datasets);
    const prior = Math.exp(alone - truth.alone);
    const likelihood = both.reduce((sum, one, l) => sum + (one - alone) - (truth.stacked[l]! - truth.alone), 0);
    return { before: prior, after: prior * Math.exp(likelihood) };
  };
  const segments: Segment[] = declared.masses.map((mass) => ({ from: mass, to: mass, ...weigh(mass) }));
  for (let c = 0; c < CELLS; c++) {
    const { before, after } = weigh(scale.fromUnit((c + 0.5) / CELLS));
    const [from, to] = [scale.fromUnit(c / CELLS), scale.fromUnit((c + 1) / CELLS)];
    segments.push({ from, to, before: before / CELLS, after: after / CELLS });
  }
  return segments;
}

/** Figures of a distribution over segments, by the midpoints of a thousand parts of each. */
function figuresOf(segments: readonly Segment[], when: 'before' | 'after', truth: number, near: number) {
  const total = segments.reduce((sum, segment) => sum + segment[when], 0);
  const PARTS = 1000;
  // A mass stands where a cell begins.
  const inOrder = segments.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const points = inOrder.flatMap(({ from, to, [when]: weight }) => {
    const parts = from === to ? 1 : PARTS;
    return Array.from({ length: parts }, (_, i) => ({
      value: from + ((to - from) * (i + 0.5)) / parts,
      probability: weight / total / parts,
      width: (to - from) / parts,
    }));
  });
  let below = 0;
  let crps = 0;
  const quantiles = new Map<number, number>();
  let within = 0;
  let ofMass: number | null = null;
  let end = points[0]!.value;
  for (const { value, probability, width } of points) {
    const start = value - width / 2;
    const gap = Math.max(0, start - end);
    crps += gap * (start <= truth ? below ** 2 : (1 - below) ** 2);
    const middle = below + probability / 2;
    crps += width * (value < truth ? middle ** 2 : (1 - middle) ** 2);
    if (Math.abs(value - truth) <= near) within += probability;
    for (const share of [0.05, 0.5, 0.95]) if (below < share && below + probability >= share) quantiles.set(share, value);
    // A mass counts by the share of it that lies within the central 90 %.
    if (width === 0 && value === truth) ofMass = Math.max(0, Math.min(below + probability, 0.95) - Math.max(below, 0.05)) / probability;
    below += probability;
    end = start + width;
  }
  const [low, median, high] = [0.05, 0.5, 0.95].map((share) => quantiles.get(share)!);
  return { crps, within, low: low!, median: median!, high: high!, covered: ofMass ?? Number(low! <= truth && truth <= high!) };
}

/** The masses and cells that the page has of a record's variable, each with its probability, and how far rounding may move that. */
function believed(data: RecordData, record: number, variable: string) {
  const place = new PageRecords(data).rowOf(record + 1)!;
  const own = data.densities.find((one) => one.variable === variable)!;
  const largest = numberAt(own.columns, 'largest', place)!;
  const level = (shape: string, c: number) => (SHAPE_LEVELS.indexOf(shape[c]!) / (SHAPE_LEVELS.length - 1)) * largest;
  const ofCells = Array.from({ length: own.bounds.length - 1 }, (_, c) => ({
    from: own.bounds[c]!,
    to: own.bounds[c + 1]!,
    before: level(own.before[place]!, c),
    after: level(own.after[place]!, c),
    rounding: (0.51 / (SHAPE_LEVELS.length - 1) + 0.005) * largest,
  }));
  const ofMasses = own.masses.map(({ value, ...mass }) => ({
    from: value,
    to: value,
    before: at(mass.before, place)!,
    after: at(mass.after, place)!,
    rounding: 0.0005,
  }));
  return [...ofMasses, ...ofCells];
}

const complete = all.filter((record) => !record.includes(null));
describe.each([
  { name: 'all variables synthesized', rows: all, own: {}, names: ['income', 'hours'] },
  // What is kept is in no dataset.
  { name: 'some', rows: complete, own: { synthesis: { datasets: 2, synthesized: ['level', 'income'] } }, names: ['income'] },
])('a run by the model mixed with one class, whose risk is exact ($name)', ({ rows, own: asked, names }) => {
  it('has the gains, claims, probabilities, intervals and scores of the closed form', async () => {
    const config = configSchema.parse({ ...settings, ...asked });
    const table = encodeCsv(['level', 'income', 'hours'], rows);
    const { store, keys, plan } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    const datasets: Table[] = [];
    for (let l = 1; l <= plan.datasets.count; l++) {
      const released = csvRows(await store.get(keys.release.dataset(l))).slice(1);
      datasets.push(tableOf(released.map((row) => (names.includes('hours') ? row : row.with(2, '')))));
    }
    const [header, ...lines] = csvRows(await store.get(keys.confidential.table('continuous-risk').csv)) as [string[], ...string[][]];
    expect(lines).toHaveLength(names.length * rows.length - rows.filter((record) => record[1] === null).length);
    const report = new TextDecoder().decode(await store.get(keys.confidential.report));
    const [, json] = /<script type="application\/json" id="record-data">(.*?)<\/script>/s.exec(report)!;
    const page: RecordData = JSON.parse(json!);
    const sums = new Map<string, { gain: number; covered: number; crps: number; records: number }>();
    for (const line of lines) {
      const cell = (name: string) => line[header.indexOf(name)]!;
      const figure = (name: string) => Number(cell(name));
      const record = figure('record') - 1;
      const j = cell('variable') === 'income' ? 0 : 1;
      const truth = figure('value');
      expect(truth).toBe(rows[record]![view.continuous[j]!.variable]);
      const segments = segmentsOf(rows, record, j, datasets);
      const near = Math.max(j === 0 ? 0.15 * truth : 4, j === 0 ? 0.5 : 0.05);
      const [before, after] = [figuresOf(segments, 'before', truth, near), figuresOf(segments, 'after', truth, near)];
      const all = (when: 'before' | 'after') => segments.reduce((sum, segment) => sum + segment[when], 0);
      // L of the truth is 1.
      const gain = -Math.log2(all('after') / all('before'));
      const claimed = segments.reduce((sum, own) => sum + (own.after / all('after')) * (Math.log2(own.after / own.before) + gain), 0);
      const name = `record ${record}, ${cell('variable')}`;
      expect(figure('gain_bits'), name).toBeCloseTo(gain, 8);
      expect(figure('claimed_bits'), name).toBeCloseTo(claimed, 8);
      const tolerance = 2400 / CELLS / 1000;
      for (const [when, exact] of [['before', before] as const, ['after', after] as const]) {
        // Half a part of a cell at either end.
        expect(Math.abs(figure(`within_${when}`) - exact.within), name).toBeLessThan(4e-4);
        expect(figure(`crps_${when}`) / exact.crps, name).toBeCloseTo(1, 3);
        expect(Math.abs(figure(`interval_low_${when}`) - exact.low), name).toBeLessThan(4 * tolerance);
        expect(Math.abs(figure(`interval_high_${when}`) - exact.high), name).toBeLessThan(4 * tolerance);
        expect(Math.abs(figure(`median_${when}`) - exact.median), name).toBeLessThan(4 * tolerance);
      }
      const onPage = believed(page, record, cell('variable'));
      expect(onPage).toHaveLength(segments.length);
      for (const [s, segment] of segments.entries()) {
        const { from, to, rounding, ...probabilities } = onPage[s]!;
        expect([from, to], name).toEqual([segment.from, segment.to]);
        for (const when of ['before', 'after'] as const) {
          expect(Math.abs(probabilities[when] - segment[when] / all(when)), `${name}, ${when} ${from}`).toBeLessThan(rounding);
        }
      }
      const own = sums.get(cell('variable')) ?? { gain: 0, covered: 0, crps: 0, records: 0 };
      own.gain += gain;
      own.crps += after.crps;
      own.covered += after.covered;
      own.records++;
      sums.set(cell('variable'), own);
    }
    const summary: Summary = JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary)));
    const [risk] = summary.attributeRisk;
    for (const found of risk!.continuousVariables!) {
      const exact = sums.get(found.variable)!;
      expect(found.records).toBe(exact.records);
      // Sums over records are kept in multiples of 2^-20.
      expect(found.gainBitsMean).toBeCloseTo(exact.gain / exact.records, 6);
      expect(found.crpsAfter / (exact.crps / exact.records)).toBeCloseTo(1, 4);
      expect(found.coveredAfter).toBeCloseTo(exact.covered / exact.records, 6);
      expect(found.gainBitsMeanSimulationSe).toBeLessThan(1e-5);
    }
    // What is gained of a record is the sum over its variables, whatever their kind.
    const ofCategories = risk!.variables.reduce((sum, { gainBitsMean }) => sum + gainBitsMean, 0);
    const ofNumbers = [...sums.values()].reduce((sum, { gain }) => sum + gain, 0) / rows.length;
    expect(risk!.gainBitsMean).toBeCloseTo(ofCategories + ofNumbers, 6);
  });
});
