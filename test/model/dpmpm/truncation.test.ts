import { describe, expect, it } from 'vitest';
import type { Counts, Parameters } from '../../../shared/model/dpmpm/class-sums.ts';
import { paddedClasses } from '../../../shared/model/dpmpm/class-sums.ts';
import { createDpmpm } from '../../../shared/model/dpmpm/dpmpm.ts';
import { collectSets, truncate } from '../../../shared/model/dpmpm/truncation.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { isImpossible, type Support, supportOf } from '../../../shared/table/support/support.ts';
import { naiveLogDensity, randomState } from '../random-state.ts';

const sizes = [3, 2, 4];
/** Rules, in which the number of a variable's categories stands for all of them. */
const RULES = [
  [0, 2, 1],
  [0, 1, 4],
  [2, 1, 3],
  [1, 2, 0],
];
const support = supportOf({ rules: RULES.length, codes: Uint16Array.from(RULES.flat()) }, sizes);
const cells = Array.from({ length: 24 }, (_, cell) => Uint16Array.of(Math.floor(cell / 8), Math.floor(cell / 4) % 2, cell % 4));
const isPossible = (cell: Uint16Array) => !RULES.some((rule) => rule.every((code, k) => code === sizes[k] || code === cell[k]));

/** Records with values missing in one place or in several, so that possible values are in one box or in several. */
const ROWS = [
  [1, 0, 2],
  [1, 0, 2],
  [3, 1, 1],
  [3, 1, 4],
  [3, 1, 4],
  [0, 2, 4],
  [3, 2, 3],
  [3, 2, 4],
  [2, 2, 3],
];
const combinationsOf = (rows: readonly (readonly number[])[]) =>
  combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, rows[0]!.length).combinations;

const agrees = (row: readonly number[], cell: Uint16Array) => row.every((code, k) => code === sizes[k] || code === cell[k]);

const settings = (classes: number) => ({ classes, concentration: { value: 1 } });

describe('collectSets()', () => {
  it('gives a category its own code, all of them that of a missing value, and other sets those after', () => {
    const collector = collectSets(sizes);
    expect(collector.codeOf(2, [1])).toBe(1);
    expect(collector.codeOf(2, [0, 1, 2, 3])).toBe(4);
    expect(collector.codeOf(2, [0, 2])).toBe(5);
    expect(collector.codeOf(2, [1, 3])).toBe(6);
    expect(collector.codeOf(2, [0, 2])).toBe(5);
    expect(collector.codeOf(0, [0, 2])).toBe(4);
    const { counts, proper, partOf } = collector.sets();
    expect(counts).toEqual([2, 1, 3]);
    // Nine categories, then the sets of each variable: those of all categories have the parts 9, 11 and 12.
    expect([partOf(0, 2), partOf(1, 0), partOf(2, 3), partOf(0, 3), partOf(1, 2), partOf(2, 4)]).toEqual([2, 3, 8, 9, 11, 12]);
    expect(proper).toEqual([
      { part: 10, categories: [0, 2] },
      { part: 13, categories: [5, 7] },
      { part: 14, categories: [6, 8] },
    ]);
  });
});

describe('the log-likelihood of a DPMPM that is truncated to possible cells', () => {
  it.each([1, 2, 9])('is that of adding up cells, with %i classes', (classes) => {
    const model = createDpmpm(combinationsOf(ROWS), sizes, settings(classes), undefined, support);
    for (let seed = 1; seed <= 5; seed++) {
      const state = randomState(new RandomStream(31, `state/${seed}`), sizes, classes, 0.6);
      const shareOf = (row: readonly number[]) =>
        cells
          .filter((cell) => isPossible(cell) && agrees(row, cell))
          .reduce((sum, cell) => sum + Math.exp(naiveLogDensity(state, sizes, cell)), 0);
      const possible = shareOf(sizes);
      const expected = ROWS.reduce((sum, row) => sum + Math.log(shareOf(row) / possible), 0);
      expect(model.logLikelihood(state)).toBeCloseTo(expected, 9);
    }
  });

  it('is right where the products over the other values underflow', () => {
    const wide = [3, 2, 4, ...new Array<number>(180).fill(60)];
    const wideSupport = supportOf(
      { rules: RULES.length, codes: Uint16Array.from(RULES.flatMap((rule) => [...rule, ...wide.slice(3)])) },
      wide,
    );
    // Missing are all three values that the rules are on: the possible ones are in several boxes.
    const row = [3, 2, 4, ...new Array<number>(180).fill(7)];
    const model = createDpmpm(combinationsOf([row]), wide, settings(2), undefined, wideSupport);
    const state = randomState(new RandomStream(32, 'wide'), wide, 2, 3);
    const logs = cells.filter(isPossible).map((cell) => naiveLogDensity(state, wide, Uint16Array.of(...cell, ...row.slice(3))));
    const largest = Math.max(...logs);
    expect(largest).toBeLessThan(-710);
    const ofRow = largest + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - largest), 0));
    const ofSome = { weights: state.weights, probabilities: state.probabilities.slice(0, 9 * 2) };
    const possible = cells.filter(isPossible).reduce((sum, cell) => sum + Math.exp(naiveLogDensity(ofSome, sizes, cell)), 0);
    expect(model.logLikelihood(state)).toBeCloseTo(ofRow - Math.log(possible), 8);
  });
});

/** A truncation with its parameters, from a state, and counts that are empty. */
function truncated(rows: readonly (readonly number[])[], classes: number, own: Support = support) {
  const { allocated, sets, truncation } = truncate(combinationsOf(rows), sizes, classes, own);
  const stride = paddedClasses(classes);
  const state = randomState(new RandomStream(33, 'complete'), sizes, classes);
  const parts = 9 + sets.reduce((sum, count) => sum + count, 0);
  const ofParts = new Float64Array(parts * stride).fill(1);
  const ofClasses = new Float64Array(stride);
  ofClasses.set(state.weights);
  for (let part = 0; part < 9; part++) {
    ofParts.fill(0, part * stride, (part + 1) * stride);
    ofParts.set(state.probabilities.subarray(part * classes, (part + 1) * classes), part * stride);
  }
  const parameters: Parameters = { ofClasses, ofParts, stride };
  const empty = (): Counts => ({ ofClasses: new Float64Array(stride), ofParts: new Uint32Array(parts * stride), stride });
  return { allocated, truncation: truncation!, parameters, empty, state };
}

describe('truncate()', () => {
  it('leaves records to the truncation whose possible values are in several boxes, and no others', () => {
    const { allocated } = truncated(ROWS, 2);
    /** Whether the possible values of a record are no product of sets of categories. */
    const isLeft = (row: readonly number[]) => {
      const own = cells.filter((cell) => isPossible(cell) && agrees(row, cell));
      const sides = sizes.map((_, k) => new Set(own.map((cell) => cell[k])).size);
      return own.length < sides.reduce((product, side) => product * side, 1);
    };
    expect(ROWS.filter(isLeft)).toEqual([
      [3, 1, 4],
      [3, 1, 4],
      [3, 2, 3],
      [3, 2, 4],
    ]);
    expect(allocated.counts.reduce((sum, count) => sum + count, 0)).toBe(ROWS.length - 4);
    const rows = Array.from({ length: allocated.count }, (_, row) => [...allocated.codes.subarray(3 * row, 3 * row + 3)]);
    // Of (?, 1, 1) the first value is 1 or 2, a set of its own; (2, ?, 3) leaves one category.
    expect(rows).toContainEqual([1, 0, 2]);
    expect(rows).toContainEqual([2, 0, 3]);
    expect(rows.find(([first, second, third]) => first! > 3 && second === 1 && third === 1)).toBeDefined();
  });

  it('takes all records as they are without a support', () => {
    const combinations = combinationsOf(ROWS);
    expect(truncate(combinations, sizes, 2, undefined)).toEqual({ allocated: combinations, sets: [1, 1, 1] });
  });

  it('refuses several columns of a variable', () => {
    expect(() => truncate(combinationsOf([[0, 0, 0, 0]]), sizes, 2, support)).toThrow(RangeError);
  });
});

describe('complete()', () => {
  const classes = 2;
  const density = (state: ReturnType<typeof truncated>['state'], cell: Uint16Array, f: number) =>
    sizes.reduce(
      (product, size, k) =>
        product * state.probabilities[(sizes.slice(0, k).reduce((sum, own) => sum + own, 0) + Math.min(cell[k]!, size - 1)) * classes + f]!,
      state.weights[f]!,
    );

  it('adds what the zeros took away, and the missing values of records, in the classes that they belong to', () => {
    const rows = [...new Array<number[]>(5).fill([3, 2, 4]), [1, 0, 2]];
    const { truncation, parameters, empty, state } = truncated(rows, classes);
    truncation.sumSets(parameters);
    const shares = (some: readonly Uint16Array[], f: number) => some.reduce((sum, cell) => sum + density(state, cell, f), 0);
    const possible = cells.filter(isPossible);
    const impossible = cells.filter((cell) => !isPossible(cell));
    expect(impossible.every((cell) => isImpossible(support, cell, 0, sizes))).toBe(true);
    const total = shares(possible, 0) + shares(possible, 1);
    const n = 4000;
    const random = new RandomStream(34, 'complete');
    const sums = new Float64Array(classes);
    const squares = new Float64Array(classes);
    // Categories of the first variable, on which every rule is, so that it has a side in every box: categories x classes.
    const ofFirst = Array.from({ length: 3 * classes }, () => new Float64Array(n));
    for (let i = 0; i < n; i++) {
      const counts = empty();
      const occupied = truncation.complete(parameters, counts, random);
      // Classes are counted before records are added that are not of the table.
      if (occupied < 1 || occupied > classes) throw new Error(`${occupied} classes`);
      for (let f = 0; f < classes; f++) {
        sums[f]! += counts.ofClasses[f]!;
        squares[f]! += counts.ofClasses[f]! ** 2;
        for (let c = 0; c < 3; c++) ofFirst[c * classes + f]![i] = counts.ofParts[c * counts.stride + f]!;
      }
    }
    for (let f = 0; f < classes; f++) {
      // Five records are in possible cells, and six wait for their number of possible ones.
      const expected = (5 * shares(possible, f)) / total + (6 * shares(impossible, f)) / total;
      const mean = sums[f]! / n;
      const error = Math.sqrt((squares[f]! / n - mean * mean) / n);
      expect(Math.abs(mean - expected)).toBeLessThan(4.5 * error);
    }
    for (const [at, values] of ofFirst.entries()) {
      const [c, f] = [Math.floor(at / classes), at % classes];
      const own = (some: readonly Uint16Array[]) =>
        shares(
          some.filter((cell) => cell[0] === c),
          f,
        );
      const expected = (5 * own(possible) + 6 * own(impossible)) / total;
      const mean = values.reduce((sum, value) => sum + value, 0) / n;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n;
      expect(Math.abs(mean - expected), `category ${c}, class ${f}`).toBeLessThan(4.5 * Math.sqrt(variance / n));
    }
  });

  it('adds nothing where no cell is impossible, and counts the classes that are occupied', () => {
    const everywhere = supportOf({ rules: 0, codes: new Uint16Array(0) }, sizes);
    const { truncation, parameters, empty } = truncated([[1, 0, 2]], classes, everywhere);
    const counts = empty();
    const random = new RandomStream(35, 'none');
    expect(truncation.complete(parameters, counts, random)).toBe(0);
    expect(counts.ofClasses.every((count) => count === 0)).toBe(true);
    counts.ofClasses.set([0, 3]);
    expect(truncation.complete(parameters, counts, random)).toBe(1);
  });

  it('refuses parameters that give possible cells, or a record, no probability', () => {
    const { truncation, parameters, empty } = truncated([[1, 0, 2]], classes);
    parameters.ofParts.fill(0);
    const random = new RandomStream(36, 'zero');
    expect(() => truncation.complete(parameters, empty(), random)).toThrow(/possible combinations/);
    const imputed = truncated([[3, 2, 4]], classes);
    imputed.parameters.ofParts.fill(0);
    expect(() => imputed.truncation.complete(imputed.parameters, imputed.empty(), random)).toThrow(/some combination/);
  });
});
