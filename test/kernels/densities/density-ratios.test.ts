import { describe, expect, it } from 'vitest';
import { createReferenceMixedScorer } from '../../../bench/plain/mixed-scorer-reference.ts';
import { besideColumns, mixedRows, type TableShape } from '../../../bench/tables/mixed-rows.ts';
import { type ChainDraws, oneDraw } from '../../../shared/model/chains/chain-draws.ts';
import { sampleChain } from '../../../shared/model/chains/sample-chain.ts';
import { createMixed } from '../../../shared/model/mixed/mixed.ts';
import { MISSING, type MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { NORMAL_PRIOR, type NormalPrior } from '../../../shared/model/mixed/normal-prior.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { besideOf } from '../../../shared/risk/mixed/beside.ts';
import { createMixedScorer } from '../../../shared/risk/mixed/mixed-scorer.ts';
import { type MixedSpace, mixedSpace } from '../../../shared/risk/mixed/mixed-space.ts';
import { ratioMeans } from '../../../shared/risk/scoring/ratio-means.ts';

const identity = { toUnit: (value: number) => value, fromUnit: (unit: number) => unit };

interface Case {
  readonly shape: TableShape;
  readonly classes: number;
  readonly cells?: number;
  readonly prior?: NormalPrior;
  /** Whether the parts that are guessed at are unknown together, and nothing else is. */
  readonly together?: boolean;
  /** Changes the rows before a chain is run on them. */
  readonly change?: (rows: MixedRows) => void;
}

/** How the rows stand to the table of the chain: in it, in it with a dataset beside them that kept what is not guessed at, or not in it. */
type Standing = 'alone' | 'beside' | 'outside';

/** A table, what is guessed at, and draws of a chain; the last part, and the last continuous variable of three, are not guessed at. */
function setUp({ shape, classes, cells = 30, prior = NORMAL_PRIOR, together = false, change }: Case, standing: Standing) {
  const isBeside = standing === 'beside';
  const [rows, dataset] = [classes, classes + 1].map((seed) => mixedRows(shape, seed)) as [MixedRows, MixedRows];
  change?.(rows);
  if (standing !== 'alone') change?.(dataset);
  const settings = { classes, concentration: { shape: 0.25, rate: 0.25 }, normal: prior };
  const parts = [...shape.sizes.keys()].slice(0, Math.max(1, shape.sizes.length - 1)).filter((part) => part < shape.sizes.length);
  const continuous = [...shape.masses.keys()].slice(0, 2);
  const synthesized = [...parts, ...continuous.flatMap((j) => rows.continuous[j]!.indicator ?? [])];
  const table = {
    alone: () => rows,
    beside: () => besideColumns(rows, dataset, { parts: synthesized, continuous }),
    outside: () => dataset,
  }[standing]();
  const chain = createMixed(table, settings);
  const random = new RandomStream(3, 'test/densities');
  const schedule = { burnIn: 30, draws: 4, thin: 2, keepAllocation: rows.rows };
  const { draws } = sampleChain(chain, chain.init(random), random, schedule, { name: 'test' });
  const beside = isBeside ? besideOf(dataset, { parts, continuous }) : standing === 'outside' ? standing : null;
  const names = shape.sizes.map((_, part) => `part ${part}`);
  const asked = together ? { unknown: parts.map((part) => names[part]!) } : 'one-change';
  const space = mixedSpace(
    candidateSpace(asked, names.slice(0, parts.length), shape.sizes.slice(0, parts.length)),
    shape.masses
      .slice(0, together ? 0 : 2)
      .map((count, part) => ({
        part,
        masses: Array.from({ length: count }, (_, m) => -1 - m),
        decimals: 2,
        scale: identity,
        cells: cells + 7 * part,
        within: { share: 0.1 },
      })),
  );
  const model = { sizes: rows.sizes, continuous: rows.continuous, prior };
  return {
    rows,
    space,
    draws,
    ours: createMixedScorer(space, model, rows, parts, beside),
    theirs: createReferenceMixedScorer(space, model, rows, parts, beside),
  };
}

/** The largest relative difference of two arrays of positive numbers. */
function apart(ours: Float64Array, theirs: Float64Array): number {
  expect(ours.length).toBe(theirs.length);
  return ours.reduce((most, value, at) => Math.max(most, value === theirs[at] ? 0 : Math.abs(value / theirs[at]! - 1)), 0);
}

function scoresOf(scorer: ReturnType<typeof setUp>['ours' | 'theirs'], rows: MixedRows, { perRecord }: MixedSpace, draws: ChainDraws) {
  const { weights, probabilities, allocation } = oneDraw(draws, draws.draws - 1);
  const ratios = new Float64Array(rows.rows * perRecord);
  const logInverses = new Float64Array(rows.rows);
  scorer(weights, probabilities, ratios, logInverses, allocation);
  return { ratios, inverses: logInverses.map(Math.exp), logInverses };
}

/** Mean ratios as a scorer gives them, which are never so small that they have no logarithm. */
const floored = (ratios: Float64Array) => ratios.map((ratio) => Math.max(1e-300, ratio));

describe.each<[string, Standing]>([
  ['alone', 'alone'],
  ['with a dataset beside them', 'beside'],
  ['that are not in the table', 'outside'],
])('the kernel that scores rows of the model mixed agrees with the plain program: rows %s', (_, standing) => {
  const CASES: readonly (readonly [string, Case])[] = [
    ['parts, values and masses', { shape: { rows: 200, sizes: [3, 2, 5], masses: [0, 2] }, classes: 11 }],
    ['an even number of classes, all cells in blocks', { shape: { rows: 120, sizes: [4, 3], masses: [1, 0, 1] }, classes: 8, cells: 32 }],
    ['missing values', { shape: { rows: 150, sizes: [4, 3], masses: [2, 0, 0], missing: 0.3 }, classes: 7 }],
    ['values alone', { shape: { rows: 120, sizes: [], masses: [0, 0] }, classes: 5 }],
    ['categories alone', { shape: { rows: 120, sizes: [3, 4], masses: [] }, classes: 6 }],
    ['a category that every row has', { shape: { rows: 60, sizes: [1, 3], masses: [1] }, classes: 5 }],
    ['one class', { shape: { rows: 60, sizes: [3, 2], masses: [1] }, classes: 1 }],
    ['more classes than rows, most of them empty', { shape: { rows: 12, sizes: [2, 2], masses: [1] }, classes: 40 }],
    ['classes narrower than a cell', { shape: { rows: 300, sizes: [3], masses: [1, 0], kinds: 6 }, classes: 12, cells: 5 }],
    ['classes broader than any cell', { shape: { rows: 300, sizes: [3], masses: [1, 0], kinds: 6 }, classes: 12, cells: 400 }],
    ['a smallest deviation that cuts', { shape: { rows: 150, sizes: [2, 2], masses: [0, 1], smallest: 0.05 }, classes: 9 }],
    ['and cuts narrow classes', { shape: { rows: 150, sizes: [2, 2], masses: [0, 1], smallest: 0.03 }, classes: 9, cells: 6 }],
    [
      'a prior whose 2 a0 is no whole number',
      { shape: { rows: 100, sizes: [3, 2], masses: [0, 1] }, classes: 6, prior: { kappa: 0.3, shape: 1.37, rate: 0.02 } },
    ],
    ['parts that are unknown together', { shape: { rows: 120, sizes: [3, 2, 4, 2], masses: [0, 2] }, classes: 11, together: true }],
    [
      'equal values, and some at the ends',
      {
        shape: { rows: 100, sizes: [3, 2], masses: [0, 1] },
        classes: 6,
        change: ({ rows, values }) => values.set(Float64Array.from({ length: rows / 2 }, (_, i) => [0, 0.5, 1][i % 3]!)),
      },
    ],
  ];
  it.each(CASES)('%s', (_, own) => {
    const { rows, space, draws, ours, theirs } = setUp(own, standing);
    const a = scoresOf(ours, rows, space, draws);
    const b = scoresOf(theirs, rows, space, draws);
    expect(apart(a.ratios, b.ratios)).toBeLessThan(1e-10);
    expect(apart(a.inverses, b.inverses)).toBeLessThan(1e-10);
    const logs = [ours, theirs].map(() => new Float64Array(draws.draws * rows.rows));
    const [sums, plain] = [ours, theirs].map((scorer, i) => ratioMeans(scorer, draws, a.ratios.length, 3, logs[i]));
    expect(apart(sums!.mean, plain!.mean)).toBeLessThan(1e-10);
    expect(apart(sums!.meanSquare, plain!.meanSquare)).toBeLessThan(1e-10);
    expect(apart(sums!.firstHalf!, plain!.firstHalf!)).toBeLessThan(1e-10);
    expect(apart(logs[0]!.map(Math.exp), logs[1]!.map(Math.exp))).toBeLessThan(1e-10);
    expect(new Set(a.ratios).size).toBeGreaterThan(20);
    if ((own.shape.missing ?? 0) > 0) {
      const row = rows.codes.indexOf(MISSING);
      expect([...a.ratios.subarray(row * space.perRecord, row * space.perRecord + rows.sizes[0]!)].every((ratio) => ratio === 1)).toBe(
        true,
      );
    }
  });

  it('rows of densities too small for a product, which are scored in logs', () => {
    const shape = { rows: 60, sizes: Array.from({ length: 160 }, () => 60), masses: [0] };
    const { rows, space, draws, ours, theirs } = setUp({ shape, classes: 4 }, standing);
    const a = scoresOf(ours, rows, space, draws);
    const b = scoresOf(theirs, rows, space, draws);
    expect(Math.min(...a.logInverses)).toBeGreaterThan(150 * Math.LN10);
    expect(a.ratios).toEqual(b.ratios);
    expect(a.logInverses).toEqual(b.logInverses);
    const [sums, plain] = [ours, theirs].map((scorer) => ratioMeans(scorer, draws, a.ratios.length, 2));
    expect(apart(sums!.mean, plain!.mean)).toBeLessThan(1e-12);
    expect(apart(sums!.meanSquare, plain!.meanSquare)).toBeLessThan(1e-12);
  });

  it('rows of which a class has half of the values beyond a double and the others below', () => {
    const shape = { rows: 120, sizes: [2], masses: new Array<number>(240).fill(0), smallest: 1e-9 };
    // Of rows alike, and rows far from them of which one has the others' values in the second half.
    const change = ({ rows, values }: MixedRows) => {
      const random = new RandomStream(5, 'test/halves');
      for (let j = 0; j < 240; j++) {
        for (let row = 0; row < rows; row++) {
          const isAlike = row < 60 || (row === 60 && j >= 120);
          values[j * rows + row] = 0.5 + (isAlike ? 1e-5 : 0.4) * random.uniform();
        }
      }
    };
    const prior = { kappa: 0.1, shape: 2, rate: 1e-9 };
    const { rows, space, draws, ours, theirs } = setUp({ shape, classes: 4, prior, change }, standing);
    const a = scoresOf(ours, rows, space, draws);
    const b = scoresOf(theirs, rows, space, draws);
    expect(apart(a.ratios, floored(b.ratios))).toBeLessThan(1e-10);
    expect(apart(a.logInverses, b.logInverses)).toBeLessThan(1e-10);
  });

  it('cells so far from all values that their probability is below a double, which have a finite logarithm', () => {
    const shape = { rows: 2000, sizes: [2], masses: [0] };
    const change = ({ values }: MixedRows) => values.set(values.map((_, row) => 0.02 + 1e-6 * (row % 100)));
    const { rows, space, draws, ours, theirs } = setUp({ shape, classes: 1, change }, standing);
    const a = scoresOf(ours, rows, space, draws);
    const b = scoresOf(theirs, rows, space, draws);
    expect(Math.min(...b.ratios)).toBe(0);
    expect([...a.ratios].filter((_, at) => b.ratios[at] === 0).every((ratio) => ratio === 1e-300)).toBe(true);
    expect(apart(a.ratios, floored(b.ratios))).toBeLessThan(1e-10);
  });

  it('and refuses a draw without its allocation', () => {
    const { rows, space, draws, ours } = setUp({ shape: { rows: 20, sizes: [2, 2], masses: [0] }, classes: 3 }, standing);
    const { weights, probabilities } = oneDraw(draws, 0);
    const ratios = new Float64Array(rows.rows * space.perRecord);
    expect(() => ours(weights, probabilities, ratios)).toThrow(RangeError);
    const { allocation: _, ...without } = draws;
    expect(() => ours.means(without, 0)).toThrow(RangeError);
  });
});
