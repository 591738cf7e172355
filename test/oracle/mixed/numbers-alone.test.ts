import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { RANKED_FIGURES } from '../../../shared/contracts/results/ranked-figures.ts';
import { summarySchema } from '../../../shared/contracts/results/summary.ts';
import { lgamma } from '../../../shared/numeric/gamma-function.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { csvRows, runFigures } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

/**
 * Where numbers alone are synthesized, by one class: every value of a dataset is drawn from Student's t given the table and the values
 * before it, so that the likelihood of a record's value is a product of these densities, and no chain adds an error.
 */
const CELLS = 48;
const STEPS = { length: 0.1, weight: 1 };
type Name = keyof typeof STEPS;
const NAMES = Object.keys(STEPS) as Name[];
const toUnit: Record<Name, (value: number) => number> = {
  length: (value) => (value + 120) / 296,
  weight: (value) => (value + 1000) / 2400,
};
const fromUnit: Record<Name, (unit: number) => number> = { length: (unit) => 296 * unit - 120, weight: (unit) => 2400 * unit - 1000 };
const near: Record<Name, (value: number) => number> = { length: () => 4, weight: (value) => Math.max(0.5, 0.15 * value) };
const records: readonly (readonly [level: string, length: number, weight: number])[] = [
  ['a', 10.5, 61],
  ['b', 20.1, 90],
  ['a', 30.2, 120],
  ['c', 38.4, 210],
  ['a', 40.3, 250],
  ['b', 12.7, 44],
  ['a', 33.9, 199],
  ['c', 45, 310],
  ['b', 8.8, 45],
  ['a', 27.6, 150],
  ['a', 22.2, 101],
  ['b', 15.4, 75],
  ['c', 5.3, 21],
];
const settings = {
  model: { name: 'mixed', classes: 1, meanRecords: 0.1, variance: { shape: 2, rate: 0.01 } },
  variables: {
    length: { type: 'continuous', range: [-120, 176], decimals: 1, cells: CELLS, within: { amount: 4 } },
    weight: { type: 'continuous', range: [-1000, 1400], decimals: 0, cells: CELLS, within: { share: 0.15 } },
  },
  mcmc: { chains: 3, burnIn: 20, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1, reproducibility: 'off' },
  attributeRisk: { acceptanceRegion: ['RR <= 5'] },
  acceptance: ['attributeRisk.continuousVariables.withinAfter <= 0.99', 'attributeRisk.truthRankedFirstShare <= 0.99'],
  utility: 'off',
};

/** A normal of unknown mean and variance given some values, and the logarithm of its density at a further one: Student's t. */
class Values {
  kappa = 0.1;
  mean = 0.5;
  shape = 2;
  rate = 0.01;

  add(value: number): this {
    this.rate += (this.kappa * (value - this.mean) ** 2) / (2 * (this.kappa + 1));
    this.mean = (this.kappa * this.mean + value) / (this.kappa + 1);
    this.shape += 0.5;
    this.kappa += 1;
    return this;
  }

  logDensity(value: number): number {
    const freedom = 2 * this.shape;
    const scale = Math.sqrt((this.rate * (this.kappa + 1)) / (this.shape * this.kappa));
    const constant = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - Math.log(freedom * Math.PI) / 2 - Math.log(scale);
    return constant - ((freedom + 1) / 2) * Math.log1p(((value - this.mean) / scale) ** 2 / freedom);
  }
}

/** The figures of a record's value, by sums over the cells. */
function figuresOf(name: Name, truth: number, others: readonly number[], datasets: readonly (readonly number[])[]) {
  const units = others.map(toUnit[name]);
  const given = () => units.reduce((values, value) => values.add(value), new Values());
  const logLikelihood = (unit: number) =>
    datasets.reduce((sum, dataset) => {
      const values = given().add(unit);
      return dataset.reduce((own, value) => {
        const log = own + values.logDensity(toUnit[name](value));
        values.add(toUnit[name](value));
        return log;
      }, sum);
    }, 0);
  const atTruth = logLikelihood(toUnit[name](truth));
  const cells = Array.from({ length: CELLS }, (_, c) => {
    const middle = (c + 0.5) / CELLS;
    const [from, to] = [fromUnit[name](c / CELLS), fromUnit[name]((c + 1) / CELLS)];
    const reach = near[name](truth);
    const inside = Math.max(0, Math.min(to, truth + reach) - Math.max(from, truth - reach)) / (to - from);
    const before = Math.exp(given().logDensity(middle)) / CELLS;
    return { inside, before, ratio: Math.exp(logLikelihood(middle) - atTruth) };
  });
  const add = (of: (cell: (typeof cells)[number]) => number) => cells.reduce((sum, cell) => sum + of(cell), 0);
  const [before, after] = [add((cell) => cell.before), add((cell) => cell.before * cell.ratio)];
  const step = STEPS[name] / 2;
  const precision = toUnit[name](truth + step) - toUnit[name](truth - step);
  return {
    gain: Math.log2(before / after),
    claimed: add((cell) => ((cell.before * cell.ratio) / after) * Math.log2((cell.ratio * before) / after)),
    withinBefore: add((cell) => cell.inside * cell.before) / before,
    withinAfter: add((cell) => cell.inside * cell.before * cell.ratio) / after,
    lacked: Math.log2(before / (Math.exp(given().logDensity(toUnit[name](truth))) * precision)),
  };
}

describe.each([
  { name: 'of a table of numbers', columns: NAMES as string[], synthesis: { datasets: 2 } },
  { name: 'beside a category that is kept', columns: ['level', ...NAMES], synthesis: { datasets: 2, synthesized: NAMES } },
])('numbers alone $name, synthesized by one class', ({ columns, synthesis }) => {
  it('have the figures of the closed form, and no ranks', async () => {
    const rows = records.map((record) => record.slice(-columns.length));
    const config = configSchema.parse({ ...settings, synthesis });
    const table = encodeCsv(columns, rows);
    const { store, keys, plan } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    const released = await Promise.all([1, 2].map(async (l) => csvRows(await store.get(keys.release.dataset(l))).slice(1)));
    const valuesOf = (own: readonly (readonly (string | number)[])[], name: Name) => own.map((row) => Number(row[columns.indexOf(name)]));
    const [header, ...lines] = csvRows(await store.get(keys.confidential.table('continuous-risk').csv)) as [string[], ...string[][]];
    expect(lines).toHaveLength(NAMES.length * rows.length);
    const found = lines.map((line) => {
      const cell = (column: string) => line[header.indexOf(column)]!;
      const record = Number(cell('record')) - 1;
      const name = cell('variable') as Name;
      const own = valuesOf(rows, name);
      const datasets = released.map((dataset) => valuesOf(dataset, name));
      const exact = figuresOf(name, own[record]!, own.toSpliced(record, 1), datasets);
      for (const [column, figure] of [
        ['gain_bits', exact.gain],
        ['claimed_bits', exact.claimed],
        ['within_before', exact.withinBefore],
        ['within_after', exact.withinAfter],
      ] as const) {
        expect(Number(cell(column)), `record ${record}, ${name}, ${column}`).toBeCloseTo(figure, 8);
      }
      return { record, name, ...exact };
    });

    const summary = summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary))));
    const risk = summary.attributeRisk[0]!;
    const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
    const perRecord = (figure: 'gain' | 'claimed' | 'lacked') => NAMES.length * mean(found.map((one) => one[figure]));
    // Sums over records are kept in multiples of 2^-20.
    expect(risk.gainBitsMean).toBeCloseTo(perRecord('gain'), 6);
    expect(risk.gainBitsHalfLength).toBeCloseTo(perRecord('gain'), 6);
    expect(risk.gainBitsClaimed).toBeCloseTo(perRecord('claimed'), 6);
    expect(risk.lackedBitsMean).toBeCloseTo(perRecord('lacked'), 6);
    expect(risk.uncertaintyResolved).toBeCloseTo(perRecord('gain') / perRecord('lacked'), 6);
    for (const own of risk.continuousVariables!) {
      const those = found.filter(({ name }) => name === own.variable);
      expect(own.records).toBe(rows.length);
      expect(own.withinBefore).toBeCloseTo(mean(those.map(({ withinBefore }) => withinBefore)), 6);
      expect(own.withinAfter).toBeCloseTo(mean(those.map(({ withinAfter }) => withinAfter)), 6);
      expect(own.gainBitsMean).toBeCloseTo(mean(those.map(({ gain }) => gain)), 6);
    }

    const reason = risk.rankedReason!;
    expect(reason).toMatch(/^all variables that are guessed at are continuous/);
    for (const name of RANKED_FIGURES) expect(risk[name], name).toBeNull();
    // What is exact is the same from every half of the chains.
    expect(risk.reproducibility).toBeCloseTo(1, 12);
    expect(risk).toMatchObject({ variables: [], acceptanceRegion: null, candidatesPerCombinationMax: 1, records: rows.length });
    const nearest = risk.continuousVariables!.toSorted((a, b) => b.withinAfter - a.withinAfter)[0]!;
    expect(summary.headline).toContainEqual({
      name: 'attributeRisk["one-change"].continuousVariables.withinAfter',
      value: nearest.withinAfter,
      se: nearest.withinAfterSe,
      baseline: nearest.withinBefore,
    });
    expect(summary.headline.map(({ name }) => name).join()).not.toMatch(/firstGuess|truthRanked|probabilityMean/);
    // What is absent meets no rule.
    expect(summary.acceptance).toMatchObject([
      { value: nearest.withinAfter, met: true },
      { value: null, met: false, reason },
      { rule: 'RR <= 5', value: null, met: false, reason },
    ]);

    const [names, ...ofRecords] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv)) as [string[], ...string[][]];
    const cells = (column: string) => ofRecords.map((row) => row[names.indexOf(column)]!);
    expect(ofRecords).toHaveLength(rows.length);
    const empty = ['rank', 'rank_low', 'rank_high', 'prior_probability', 'probability', 'probability_se', 'ratio_to_uniform'];
    const others = [
      'information_bits',
      'prior_odds_to_first',
      'bayes_factor',
      'privacy_loss',
      'first_guess_probability',
      'distinguishable',
    ];
    for (const column of [...empty, ...others]) expect(new Set(cells(column)), column).toEqual(new Set(['']));
    const resolved = rows.map((_, record) => {
      const own = found.filter((one) => one.record === record);
      return own.reduce((sum, { gain }) => sum + gain, 0) / own.reduce((sum, { lacked }) => sum + lacked, 0);
    });
    for (const [record, cell] of cells('uncertainty_resolved').entries()) expect(Number(cell)).toBeCloseTo(resolved[record]!, 8);
    expect(plan.candidatesPerCombination).toBe(1);
  });
});
