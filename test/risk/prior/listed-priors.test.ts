import { describe, expect, it } from 'vitest';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { listedPriors, positiveWeights } from '../../../shared/risk/prior/listed-priors.ts';
import type { PriorWeights } from '../../../shared/risk/prior/prior-weights.ts';
import { LOG_ZERO, type RowPriors } from '../../../shared/risk/prior/row-priors.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const names = ['a', 'b', 'c'];
const sizes = [3, 2, 4];
const codes = Uint16Array.from(
  [
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 2],
    [0, 0, 2],
    [1, 0, 3],
    [1, 1, 3],
    [1, 1, 3],
    [2, 1, 1],
    [0, 0, 3],
  ].flat(),
);
const { combinations } = combinationsFromCodes(codes, codes.length / 3, 3);
const rowCodes = (row: number) => combinations.codes.subarray(3 * row, 3 * row + 3);

const given = (priors: RowPriors) => {
  if (priors.source !== 'given') throw new Error(priors.source);
  return priors.of;
};

/** The records with which a candidate leaves the intruder: codes of each candidate of a row. */
function candidateCells(unknown: string[], row: number) {
  const space = candidateSpace({ unknown }, names, sizes);
  return Array.from({ length: space.perCombination }, (_, candidate) => {
    const cell = [...rowCodes(row)];
    for (const { variable, code } of candidateChanges(space, cell, candidate)) cell[variable] = code;
    return cell;
  });
}

const rowsOf = (unknown: string[], considered?: readonly Uint32Array[]) => ({
  space: candidateSpace({ unknown }, names, sizes),
  codes: combinations.codes,
  considered,
});

const expectLogs = (found: Float64Array, expected: readonly number[]) => {
  expect(found).toHaveLength(expected.length);
  for (const [x, value] of expected.entries()) {
    if (value === 0) expect(found[x]).toBe(LOG_ZERO);
    else expect(found[x]).toBeCloseTo(Math.log(value), 12);
  }
};

describe('the empirical prior', () => {
  it.each([
    [['c'], 4],
    [['b', 'c'], 8],
    [['a', 'c'], 12],
    [['a', 'b', 'c'], 24],
  ] as const)('of unknown %j counts the other records, and one more spread evenly', (unknown, candidates) => {
    const of = given(listedPriors('empirical', rowsOf([...unknown]), combinations, []));
    for (let row = 0; row < combinations.count; row++) {
      const truth = rowCodes(row).join();
      const expected = candidateCells([...unknown], row).map((cell) => {
        let others = 0;
        for (let record = 0; record < codes.length; record += 3) {
          if (codes.subarray(record, record + 3).join() === cell.join()) others++;
        }
        return others - (cell.join() === truth ? 1 : 0) + 1 / candidates;
      });
      expectLogs(of(row), expected);
    }
  });

  it('of some candidates alone spreads the one record among them', () => {
    const considered = Array.from({ length: combinations.count }, () => Uint32Array.of(0, 3, 2));
    const of = given(listedPriors('empirical', rowsOf(['c'], considered), combinations, []));
    const all = given(listedPriors('empirical', rowsOf(['c']), combinations, []));
    for (let row = 0; row < combinations.count; row++) {
      const every = [...all(row)].map((value) => Math.exp(value) - 1 / 4 + 1 / 3);
      expectLogs(of(row), [every[0]!, every[3]!, every[2]!]);
    }
  });
});

/** Weights of cells of some variables, from a function of their codes; cells that weigh nothing are not all named. */
function weightsOf(variables: number[], weight: (cell: readonly number[]) => number): PriorWeights {
  let cells: number[][] = [[]];
  for (const variable of variables) {
    cells = cells.flatMap((cell) => Array.from({ length: sizes[variable]! }, (_, code) => [...cell, code]));
  }
  const named = cells.filter((cell, at) => weight(cell) > 0 || at % 2 === 0).reverse();
  return { variables: Uint16Array.from(variables), codes: Uint16Array.from(named.flat()), weights: Float64Array.from(named, weight) };
}

describe('a prior from files', () => {
  const ofAges = weightsOf([2, 0], ([c, a]) => 1 + 3 * c! + 100 * a!);
  const ofKinds = weightsOf([1, 2], ([b, c]) => (b === 1 && c! > 1 ? 0 : 0.25 + b! + 0.01 * c!));
  const ofKnown = weightsOf([0], ([a]) => 7 + a!);
  const weigh = (cell: readonly number[]) =>
    (1 + 3 * cell[2]! + 100 * cell[0]!) * (cell[1] === 1 && cell[2]! > 1 ? 0 : 0.25 + cell[1]! + 0.01 * cell[2]!) * (7 + cell[0]!);

  it.each([[['c']], [['b', 'c']], [['a', 'c']], [['a', 'b', 'c']]])(
    'multiplies the weights that files give to a record, unknown %j',
    (unknown) => {
      const files = [ofAges, ofKinds, ofKnown];
      const of = given(listedPriors({ file: ['x'] }, rowsOf(unknown), combinations, files));
      for (let row = 0; row < combinations.count; row++) {
        expectLogs(of(row), candidateCells(unknown, row).map(weigh));
      }
    },
  );

  it('gives some candidates alone what it gives them among all', () => {
    const considered = Array.from({ length: combinations.count }, () => Uint32Array.of(0, 5, 1));
    const files = [ofAges, ofKinds];
    const of = given(listedPriors({ file: ['x'] }, rowsOf(['b', 'c'], considered), combinations, files));
    const all = given(listedPriors({ file: ['x'] }, rowsOf(['b', 'c']), combinations, files));
    for (let row = 0; row < combinations.count; row++) {
      const every = all(row);
      expect([...of(row)]).toEqual([every[0], every[5], every[1]]);
    }
  });

  it('tells which combinations all files give a weight', () => {
    const expected = Array.from({ length: combinations.count }, (_, row) => weigh([...rowCodes(row)]) > 0);
    expect(new Set(expected)).toEqual(new Set([true, false]));
    expect(positiveWeights(combinations, sizes, [ofAges, ofKinds, ofKnown])).toEqual(expected);
    expect(positiveWeights(combinations, sizes, [ofAges])).toEqual(expected.map(() => true));
  });

  it('refuses more cells than can be numbered', () => {
    const large = [2 ** 16, 2 ** 16, 2 ** 16, 2 ** 6];
    const file = { variables: Uint16Array.of(0, 1, 2, 3), codes: Uint16Array.of(0, 0, 0, 0), weights: Float64Array.of(1) };
    const one = combinationsFromCodes(Uint16Array.of(0, 0, 0, 0), 1, 4).combinations;
    expect(() => positiveWeights(one, large, [file])).toThrow(RangeError);
    // 2^53 - 2^37 cells are still numbered exactly.
    const fewer = [2 ** 16, 2 ** 16, 2 ** 16, 2 ** 5 - 1];
    expect(positiveWeights(one, fewer, [file])).toEqual([true]);
  });
});

describe('listedPriors()', () => {
  it('lists nothing for the uniform prior and that of the model', () => {
    expect(listedPriors('uniform', rowsOf(['c']), combinations, [])).toEqual({ source: 'uniform' });
    expect(listedPriors('model', rowsOf(['c']), combinations, [])).toEqual({ source: 'model' });
  });

  it('refuses any other than the uniform one where candidates depend on the truth', () => {
    const rows = { ...rowsOf(['c']), space: candidateSpace('one-change', names, sizes) };
    expect(listedPriors('uniform', rows, combinations, [])).toEqual({ source: 'uniform' });
    for (const prior of ['empirical' as const, 'model' as const, { file: ['x'] }]) {
      expect(() => listedPriors(prior, rows, combinations, [])).toThrow(RangeError);
    }
  });
});
