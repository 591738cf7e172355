import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { CELL_EVALUATIONS, GUESSES } from '../../../shared/risk/cells/cell-sums.ts';
import { exactCells } from '../../../shared/risk/exact/exact-cells.ts';
import { countRelease, drawnInAll } from '../../../shared/risk/exact/exact-terms.ts';
import { cellOf, cellOrder, codesOf } from '../../../shared/risk/intruder/cell-order.ts';
import type { Combinations } from '../../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const rowsOf = (codes: readonly number[], variables: number): Combinations =>
  combinationsFromCodes(Uint16Array.from(codes), codes.length / variables, variables).combinations;

/** Records of a cell, by looking at every combination. */
const countIn = ({ codes, counts, count, variables }: Combinations, cell: Uint16Array) =>
  Array.from({ length: count }, (_, row) => row)
    .filter((row) => cell.every((code, k) => codes[row * variables + k] === code))
    .reduce((sum, row) => sum + counts[row]!, 0);

/** A table and its datasets: some variables, drawn records beside those that are the same every time. */
function releaseOf(sizes: readonly number[], records: number, seed: string) {
  const random = new RandomStream(5, seed);
  const draw = () => rowsOf(Array.from({ length: records }, () => sizes.map((size) => random.below(size))).flat(), sizes.length);
  return { table: draw(), datasets: [draw(), draw()] };
}

const CASES = {
  'one cell of each kind': {
    sizes: [2, 3],
    table: rowsOf([0, 0, 0, 0, 0, 1, 1, 2], 2),
    datasets: [rowsOf([1, 0, 1, 0, 1, 1, 0, 1], 2), rowsOf([1, 1, 0, 1, 0, 0, 0, 0], 2)],
  },
  'no cell that is empty everywhere': {
    sizes: [3, 2],
    table: rowsOf([0, 0, 1, 1, 2, 0, 2, 0], 2),
    datasets: [rowsOf([0, 1, 1, 0, 2, 1, 2, 1], 2)],
  },
  'empty cells that are the farthest from the truth': {
    sizes: [2, 2],
    table: rowsOf([0, 0, 0, 0, 1, 1], 2),
    datasets: [rowsOf([0, 0, 0, 0, 1, 1], 2)],
  },
  'more empty cells than guesses': { sizes: [4, 2, 5], ...releaseOf([4, 2, 5], 9, 'sparse') },
  'more occupied cells than guesses': { sizes: [3, 2, 4], ...releaseOf([3, 2, 4], 30, 'dense') },
};

describe.each(Object.entries(CASES))('exactCells() with %s', (_, { sizes, table, datasets }) => {
  const alpha = 0.3;
  const order = cellOrder(sizes);
  const found = () => exactCells(countRelease(table, datasets, { sizes, alpha, epsilon: 1 }), order, table.codes);
  const width = sizes.length;
  const cells = Array.from({ length: order.cells }, (_, cell) => codesOf(order, cell));

  /** log L_x - log L_t of every cell, from counts. */
  const ratiosOf = (row: number) => {
    const truth = cellOf(order, table.codes.subarray(row * width, (row + 1) * width));
    const logs = cells.map((codes, cell) => {
      const others = countIn(table, codes) - (cell === truth ? 1 : 0);
      const drawn = datasets.reduce((sum, dataset) => sum + countIn(dataset, codes), 0);
      return drawn * Math.log((others + 1 + alpha) / (others + alpha));
    });
    return logs.map((log, cell) => (cell === truth ? 0 : log - logs[truth]!));
  };

  it('adds up what adding up cell by cell does, the same in every evaluation', () => {
    const { sums, privacyLoss } = found();
    for (let row = 0; row < table.count; row++) {
      const ratios = ratiosOf(row);
      const largest = Math.max(...ratios);
      const weights = ratios.map((ratio) => Math.exp(ratio - largest));
      const expected = {
        largest,
        sums: weights.reduce((sum, weight) => sum + weight, 0),
        logSums: weights.reduce((sum, weight, cell) => sum + weight * ratios[cell]!, 0),
        above: ratios.filter((ratio) => ratio > 1e-12).length,
        equal: ratios.filter((ratio) => Math.abs(ratio) < 1e-12).length,
      };
      for (const [name, value] of Object.entries(expected)) {
        const own = sums[name as keyof typeof expected];
        const evaluations = own.subarray(row * CELL_EVALUATIONS, (row + 1) * CELL_EVALUATIONS);
        expect(evaluations[0], name).toBeCloseTo(value, 10);
        expect(new Set(evaluations).size).toBe(1);
      }
      expect(privacyLoss[row]).toBeCloseTo(Math.max(...ratios.map(Math.abs)), 10);
    }
    expect(sums.sums).toHaveLength(table.count * CELL_EVALUATIONS);
  });

  it('shares the weights of cells out to their categories', () => {
    const { sums } = found();
    const first = sizes.map((_, k) => sizes.slice(0, k).reduce((sum, size) => sum + size, 0));
    for (let row = 0; row < table.count; row++) {
      const ratios = ratiosOf(row);
      const largest = Math.max(...ratios);
      const expected = new Float64Array(order.categories);
      for (const [cell, codes] of cells.entries()) {
        const weight = Math.exp(ratios[cell]! - largest);
        for (const [k, code] of codes.entries()) expected[first[k]! + code]! += weight;
      }
      for (const [c, weight] of expected.entries()) {
        expect(sums.marginals[row * order.categories + c]).toBeCloseTo(weight, 10);
      }
    }
  });

  it('keeps the most probable cells, of equal ones the first', () => {
    const { sums } = found();
    for (let row = 0; row < table.count; row++) {
      const ratios = ratiosOf(row);
      const isBefore = (a: number, b: number) => (Math.abs(ratios[a]! - ratios[b]!) > 1e-12 ? ratios[b]! - ratios[a]! : a - b);
      const best = [...ratios.keys()].sort(isBefore).slice(0, GUESSES);
      const guesses = [...sums.guessCells.subarray(row * GUESSES, (row + 1) * GUESSES)];
      expect(guesses.slice(0, best.length)).toEqual(best);
      for (const [guess, cell] of best.entries()) {
        expect(sums.guessValues[row * GUESSES + guess]).toBeCloseTo(ratios[cell]!, 10);
      }
      for (let guess = best.length; guess < GUESSES; guess++) {
        expect(sums.guessValues[row * GUESSES + guess]).toBe(-1e300);
      }
    }
  });

  it('rests on counts in which every record of the table and of each dataset is once', () => {
    const release = countRelease(table, datasets, { sizes, alpha, epsilon: 1 });
    const all = drawnInAll(release);
    for (const codes of cells) {
      const place = release.find(codes, 0);
      const expected = [table, ...datasets].map((rows) => countIn(rows, codes));
      const [ofTable, ...drawn] = expected;
      if (place < 0) expect(expected.every((count) => count === 0)).toBe(true);
      else {
        expect(release.counts[place]).toBe(ofTable);
        expect(release.drawn.map((ofDataset) => ofDataset[place])).toEqual(drawn);
        expect(all[place]).toBe(drawn.reduce((sum, count) => sum + count, 0));
      }
    }
    const inTable = Array.from({ length: table.count }, (_, row) => release.find(table.codes, row * width));
    expect(inTable).toEqual([...inTable.keys()]);
  });
});
