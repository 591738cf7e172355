import { describe, expect, it } from 'vitest';
import type { Allocation } from '../../../shared/model/chains/chain-sampler.ts';
import { sumNumbers } from '../../../shared/model/mixed/mixed-draws.ts';
import { MISSING, type MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { besideOf } from '../../../shared/risk/mixed/beside.ts';
import { type MixedModel, priorDraw } from '../../../shared/risk/mixed/class-tables.ts';
import { createMixedScorer } from '../../../shared/risk/mixed/mixed-scorer.ts';
import { type MixedSpace, mixedSpace } from '../../../shared/risk/mixed/mixed-space.ts';
import type { RatioScorer } from '../../../shared/risk/scoring/ratio-scorer.ts';
import { categoryOffsets } from '../../../shared/table/category-sizes.ts';
import { allocations, logClass, logMixed, logSum, stacked } from '../../mixed-posterior.ts';

const prior = { kappa: 0.1, shape: 2, rate: 0.01 };
const ALPHA = 0.8;
const CELLS = 40;

/** A category of three, a continuous variable with a mass, and one without; the last record lacks two of them. */
const continuous = [
  { smallest: 0.001, indicator: 1 },
  // So coarse that no class may be as narrow as its values are.
  { smallest: 0.12, indicator: null },
];
const model: MixedModel = { sizes: [3, 2], continuous, prior };
const table: MixedRows = {
  rows: 5,
  sizes: model.sizes,
  codes: Uint16Array.of(...[0, 0, 1, 2, MISSING], ...[0, 0, 1, 0, MISSING]),
  continuous,
  values: Float64Array.of(...[0.31, 0.35, NaN, 0.8, NaN], ...[0.4, 0.4, 0.41, 0.9, 0.6]),
};
const dataset: MixedRows = {
  ...table,
  rows: 3,
  codes: Uint16Array.of(...[0, 2, 1], ...[0, 1, 0]),
  values: Float64Array.of(...[0.33, NaN, 0.2], ...[0.45, 0.38, 0.5]),
};
const identity = { toUnit: (value: number) => value, fromUnit: (unit: number) => unit };
const guessed = [
  { part: 0, masses: [0], decimals: 2, scale: identity, cells: CELLS, within: { share: 0.1 } },
  { part: 1, masses: [], decimals: 2, scale: identity, cells: CELLS, within: { share: 0.1 } },
];
const space = mixedSpace(candidateSpace('one-change', [], [3]), guessed);

/** The same records in a dataset that keeps the second continuous variable; their other values were synthesized. */
const besideThem: MixedRows = {
  ...table,
  codes: Uint16Array.of(...[0, 1, 1, 0, 2], ...[0, 0, 0, 1, 0]),
  values: Float64Array.of(...[0.3, 0.7, 0.2, NaN, 0.45], ...new Array<number>(5).fill(NaN)),
};

/**
 * A model and rows whose classes hold nothing beyond the range, to the last digits: numbers that a dataset has beside a row were drawn
 * within it, which no closed form has (test/oracle/mixed/cut-range.test.ts).
 */
const narrow: MixedModel = { ...model, prior: { kappa: 4, shape: 3, rate: 0.006 } };
const narrowed = (rows: MixedRows): MixedRows => ({
  ...rows,
  values: rows.values.map((value, at) => (at < rows.rows ? 0.5 + 0.2 * (value - 0.5) : value)),
});

const withoutCategory = (rows: MixedRows): MixedRows => ({ ...rows, codes: rows.codes.slice().fill(MISSING, 0, rows.rows) });

/** The table with a candidate in the place of a record's value, and the width of a cell. */
function replaced(rows: MixedRows, record: number, candidate: number): { rows: MixedRows; width: number } {
  const codes = rows.codes.slice();
  const values = rows.values.slice();
  const result = { ...rows, codes, values };
  if (candidate < 3) {
    const held = codes[record]!;
    codes[record] = [0, 1, 2].filter((code) => code !== held)[candidate - 1]!;
    return { rows: result, width: 1 };
  }
  const place = candidate - 3;
  if (place === 0) {
    codes[rows.rows + record] = 1;
    values[record] = NaN;
    return { rows: result, width: 1 };
  }
  const part = place <= CELLS ? 0 : 1;
  if (part === 0) codes[rows.rows + record] = 0;
  values[part * rows.rows + record] = (part === 0 ? place - 0.5 : place - CELLS - 0.5) / CELLS;
  return { rows: result, width: 1 / CELLS };
}

/** One of some rows. */
function rowOf({ rows, ...others }: MixedRows, row: number): MixedRows {
  const own = <Values extends Uint16Array | Float64Array>(values: Values) => values.filter((_, at) => at % rows === row) as Values;
  return { ...others, rows: 1, codes: own(others.codes), values: own(others.values) };
}

/** The classes, counts and sums behind an allocation. */
function allocationOf(rows: MixedRows, classes: readonly number[]): Allocation {
  const offsets = categoryOffsets(rows.sizes);
  const counts = new Uint32Array(offsets.at(-1)! * 2);
  for (const k of rows.sizes.keys()) {
    for (const [i, f] of classes.entries()) {
      const code = rows.codes[k * rows.rows + i]!;
      if (code !== MISSING) counts[(offsets[k]! + code) * 2 + f]!++;
    }
  }
  const valueSums = new Float64Array(sumNumbers(rows.continuous.length, 2));
  for (const j of rows.continuous.keys()) {
    for (const f of [0, 1]) {
      const values = classes.flatMap((own, i) => {
        const value = rows.values[j * rows.rows + i]!;
        return own === f && !Number.isNaN(value) ? [value] : [];
      });
      const mean = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      for (const [which, number] of [values.length, mean, squares].entries()) valueSums[(3 * j + which) * 2 + f] = number;
    }
  }
  return { counts, classOfCombination: Uint16Array.from(classes), valueSums };
}

/** E[r_x] over the posterior of pi and allocations: all allocations, and a grid of pi. */
function expectations(scorer: RatioScorer, space: MixedSpace, rows: MixedRows, records = rows.rows, scored = table.rows, of = model) {
  const all = allocations(of, rows, ALPHA, records);
  const total = logSum(all.map(({ logDensity }) => logDensity));
  const sums = new Float64Array(scored * space.perRecord);
  const inverses = new Float64Array(scored);
  const ratios = new Float64Array(sums.length);
  const logInverses = new Float64Array(scored);
  const GRID = 72;
  for (const { classes, logDensity } of all) {
    const probability = Math.exp(logDensity - total);
    const first = classes.slice(0, records).filter((f) => f === 0).length;
    // V ~ Beta(1 + n_0, alpha + n_1), by the midpoints of a grid of its logit.
    const grid = Array.from({ length: GRID }, (_, g) => 1 / (1 + Math.exp(-(-18 + (36 * (g + 0.5)) / GRID))));
    const weights = grid.map((v) => Math.exp((1 + first) * Math.log(v) + (ALPHA + records - first) * Math.log1p(-v)));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [g, v] of grid.entries()) {
      scorer(Float64Array.of(v, 1 - v), new Float64Array(0), ratios, logInverses, allocationOf(rows, classes));
      const share = (probability * weights[g]!) / all;
      for (const [at, ratio] of ratios.entries()) sums[at]! += share * ratio;
      for (const [i, value] of logInverses.entries()) inverses[i]! += share * Math.exp(value);
    }
  }
  return { sums, inverses };
}

describe('ratios of the model mixed, over all allocations to two classes', () => {
  it.each([
    ['the table alone', table, (rows: MixedRows) => rows],
    ['the table with a dataset', stacked(table, dataset), (rows: MixedRows) => stacked(rows, dataset)],
  ])('have the exact expectation: %s', (_, rows, complete) => {
    const { sums, inverses } = expectations(createMixedScorer(space, model, table, [0]), space, rows);
    for (let record = 0; record < table.rows; record++) {
      const truth = logMixed(model, rows, ALPHA);
      for (let candidate = 1; candidate < space.perRecord; candidate += candidate < 4 ? 1 : 7) {
        const lacks = record === 4 && candidate < 3 + 1 + CELLS;
        // A mass that holds the truth is the truth.
        const { rows: other, width } = replaced(table, record, candidate);
        const exact = lacks ? 1 : width * Math.exp(logMixed(model, complete(other), ALPHA) - truth);
        expect(sums[record * space.perRecord + candidate]! / exact, `record ${record}, candidate ${candidate}`).toBeCloseTo(1, 5);
      }
      expect(sums[record * space.perRecord]).toBeCloseTo(1, 10);
      const others = { ...table, codes: table.codes.slice(), values: table.values.slice() };
      for (const k of [0, 1]) others.codes[k * table.rows + record] = MISSING;
      for (const j of [0, 1]) others.values[j * table.rows + record] = NaN;
      expect(inverses[record]! * Math.exp(truth - logMixed(model, complete(others), ALPHA))).toBeCloseTo(1, 5);
    }
  });

  it.each([
    { name: 'one continuous variable', sizes: [3], parts: [0], dataset: narrowed(besideThem) },
    // With numbers alone to guess at, what the dataset has of the category is the record's own, and no part of it.
    { name: 'all but one continuous variable', sizes: [], parts: [], dataset: narrowed(withoutCategory(besideThem)) },
  ])('have the exact expectation: the table with a dataset beside it, which keeps $name', ({ sizes, parts, dataset: besideThem }) => {
    const rows = narrowed(table);
    const { rows: records } = rows;
    const own = mixedSpace(candidateSpace('one-change', [], sizes), guessed.slice(0, 1));
    const ranked = own.categorical.perCombination;
    const beside = besideOf(besideThem, { parts, continuous: [0] });
    const scorer = createMixedScorer(own, narrow, rows, parts, beside);
    const complete = (rows: MixedRows) => stacked(rows, besideThem);
    const { sums, inverses } = expectations(scorer, own, complete(rows), records, records, narrow);
    const truth = logMixed(narrow, complete(rows), ALPHA, records);
    for (let record = 0; record < records; record++) {
      for (let candidate = 1; candidate < own.perRecord; candidate += candidate < 4 ? 1 : 3) {
        const { rows: other, width } = replaced(rows, record, candidate + 3 - ranked);
        const exact = record === 4 ? 1 : width * Math.exp(logMixed(narrow, complete(other), ALPHA, records) - truth);
        expect(sums[record * own.perRecord + candidate]! / exact, `record ${record}, candidate ${candidate}`).toBeCloseTo(1, 5);
      }
      expect(sums[record * own.perRecord]).toBeCloseTo(1, 10);
      // Without the record, and without what the dataset has beside it.
      const without = (rows: MixedRows) => {
        const left = { ...rows, codes: rows.codes.slice(), values: rows.values.slice() };
        for (const k of [0, 1]) left.codes[k * records + record] = MISSING;
        for (const j of [0, 1]) left.values[j * records + record] = NaN;
        return left;
      };
      const left = logMixed(narrow, stacked(without(rows), without(besideThem)), ALPHA, records);
      expect(inverses[record]! * Math.exp(truth - left)).toBeCloseTo(1, 5);
    }
  });

  it('have the exact expectation: records that are not in the table', () => {
    const others = dataset;
    const outside = mixedSpace(candidateSpace('one-change', [], [3]), guessed);
    const scorer = createMixedScorer(outside, model, others, [0], 'outside');
    // f(x | draw) of every candidate, averaged over all allocations of the table.
    const densities: RatioScorer = (weights, probabilities, ratios, logInverses, allocation) => {
      scorer(weights, probabilities, ratios, logInverses, allocation);
      for (let at = 0; at < ratios.length; at++) ratios[at]! *= Math.exp(-logInverses![Math.floor(at / outside.perRecord)]!);
    };
    const { sums } = expectations(densities, outside, table, table.rows, others.rows);
    const alone = logMixed(model, table, ALPHA);
    for (let record = 0; record < others.rows; record++) {
      for (let candidate = 0; candidate < outside.perRecord; candidate += candidate < 4 ? 1 : 7) {
        const { rows: other, width } = candidate === 0 ? { rows: others, width: 1 } : replaced(others, record, candidate);
        const exact = width * Math.exp(logMixed(model, stacked(table, rowOf(other, record)), ALPHA) - alone);
        expect(sums[record * outside.perRecord + candidate]! / exact, `record ${record}, candidate ${candidate}`).toBeCloseTo(1, 5);
      }
    }
  });

  it('of the prior are products of one over the categories and of the prior of each number', () => {
    const { weights, probabilities, allocation } = priorDraw(model);
    const people = { ...dataset, values: dataset.values.slice(), codes: dataset.codes.slice() };
    const logInverses = new Float64Array(people.rows);
    const ratios = new Float64Array(people.rows * space.perRecord);
    createMixedScorer(space, model, people, [0], 'outside')(weights, probabilities, ratios, logInverses, allocation);
    for (let record = 0; record < people.rows; record++) {
      expect(-logInverses[record]!).toBeCloseTo(logClass(model, people, [record]), 6);
      for (let c = 1; c < 3; c++) expect(ratios[record * space.perRecord + c]).toBeCloseTo(1, 12);
    }
  });

  it('of continuous candidates are the same to the last bit where no category is guessed at', () => {
    const alone = mixedSpace(candidateSpace('one-change', [], []), guessed);
    expect(alone.categorical.perCombination).toBe(1);
    const weights = Float64Array.of(0.3, 0.7);
    const ratiosOf = (
      own: MixedSpace,
      parts: readonly number[],
      scorerOf: (space: MixedSpace, parts: readonly number[]) => RatioScorer,
    ) => {
      const ratios = new Float64Array(table.rows * own.perRecord);
      scorerOf(own, parts)(weights, new Float64Array(0), ratios, undefined, allocationOf(table, [0, 1, 0, 1, 1]));
      const first = own.categorical.perCombination;
      return Array.from({ length: table.rows }, (_, row) => [...ratios.subarray(row * own.perRecord + first, (row + 1) * own.perRecord)]);
    };
    for (const scorerOf of [
      (own: MixedSpace, parts: readonly number[]) => createMixedScorer(own, model, table, parts),
      (own: MixedSpace, parts: readonly number[]) =>
        createMixedScorer(own, model, table, parts, { codes: besideThem.codes, values: besideThem.values }),
    ]) {
      expect(ratiosOf(alone, [], scorerOf)).toEqual(ratiosOf(space, [0], scorerOf));
    }
  });
});
