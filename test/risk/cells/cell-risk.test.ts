import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { cellRisk } from '../../../shared/risk/cells/cell-risk.ts';
import { createCellScorer } from '../../../shared/risk/cells/cell-scorer.ts';
import { CELL_EVALUATIONS, GUESSES } from '../../../shared/risk/cells/cell-sums.ts';
import { exactCells } from '../../../shared/risk/exact/exact-cells.ts';
import { countRelease } from '../../../shared/risk/exact/exact-terms.ts';
import { cellOf, cellOrder, codesOf } from '../../../shared/risk/intruder/cell-order.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const sizes = [2, 3, 3];
const order = cellOrder(sizes);
const ALPHA = 0.4;
const rowsOf = (rows: readonly (readonly number[])[]) => combinationsFromCodes(Uint16Array.from(rows.flat()), rows.length, 3).combinations;
const table = rowsOf([
  [0, 0, 0],
  [0, 0, 0],
  [1, 1, 2],
  [1, 2, 0],
  [0, 1, 1],
]);
const dataset = rowsOf([
  [0, 0, 0],
  [1, 1, 2],
  [0, 2, 2],
  [0, 2, 2],
  [1, 0, 1],
]);

/** Exact log-likelihoods of all cells against that of a row's own. */
function logLikelihoods(row: number, released = dataset): number[] {
  const countIn = (rows: typeof table, cell: number) => {
    for (let r = 0; r < rows.count; r++) if (cellOf(order, rows.codes.subarray(3 * r, 3 * r + 3)) === cell) return rows.counts[r]!;
    return 0;
  };
  const truth = cellOf(order, table.codes.subarray(3 * row, 3 * row + 3));
  const gains = Array.from({ length: order.cells }, (_, cell) => {
    const others = countIn(table, cell) - (cell === truth ? 1 : 0);
    return countIn(released, cell) * Math.log((others + 1 + ALPHA) / (others + ALPHA));
  });
  return gains.map((gain) => gain - gains[truth]!);
}

const sums = () => exactCells(countRelease(table, [dataset], { sizes, alpha: ALPHA, epsilon: 1 }), order, table.codes).sums;
const effective = Float64Array.of(5, 6, 7, 8);
const shapes = Float64Array.of(0.1, NaN, 0.3, 0.4);
const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-9;

const batch = { order, codes: table.codes, counts: table.counts, effectiveDraws: effective, paretoK: shapes };

describe('cellRisk()', () => {
  it('is the posterior of the exact likelihoods', () => {
    const { risk, guesses, marginals } = cellRisk(sums(), batch);
    expect(guesses.perCombination).toBe(GUESSES);
    expect(risk.effectiveDraws).toEqual(effective);
    expect(risk.paretoK).toEqual(shapes);
    for (let row = 0; row < table.count; row++) {
      const logs = logLikelihoods(row);
      const total = logs.reduce((sum, value) => sum + Math.exp(value), 0);
      const posterior = logs.map((value) => Math.exp(value) / total);
      const truth = cellOf(order, table.codes.subarray(3 * row, 3 * row + 3));
      const above = logs.filter((value) => value > 1e-9).length;
      const equal = logs.filter((value) => isNear(value, 0)).length;
      expect(risk.rank[row]).toBe(1 + above + (equal - 1) / 2);
      expect(risk.probability[row]).toBeCloseTo(1 / total, 12);
      const bits = posterior.reduce((sum, p) => sum + p * Math.log2(p * order.cells), 0);
      expect(risk.informationBits[row]).toBeCloseTo(bits, 10);
      expect(risk.bayesFactor[row]).toBeCloseTo((order.cells - 1) / (total - 1), 9);
      expect(risk.privacyLoss[row]).toBeNaN();
      expect([risk.priorProbability[row], risk.priorFirst[row]]).toEqual([1 / 18, 1 / 18]);
      // The most probable first, the truth before those that tie with it, then in the order of cells.
      const ranked = [...logs.keys()].sort((a, b) =>
        isNear(logs[a]!, logs[b]!) ? (a === truth ? -1 : b === truth ? 1 : a - b) : logs[b]! - logs[a]!,
      );
      const first = ranked[0]!;
      expect(risk.firstGuess[row]).toBe(first === truth ? 0 : first + 1);
      expect(risk.firstGuessProbability[row]).toBeCloseTo(posterior[first]!, 12);
      expect(risk.priorOddsToFirst[row]).toBeCloseTo(Math.exp(logs[first]!), 10);
      const own = <T extends Float64Array>(column: T) => [...column.subarray(row * GUESSES, (row + 1) * GUESSES)];
      const most = ranked.slice(0, GUESSES);
      // A truth that is not among the most probable takes the last place of none.
      if (most.includes(truth)) expect(own(guesses.cells)).toEqual(most);
      for (const [g, cell] of own(guesses.cells).entries()) expect(own(guesses.probabilities)[g]).toBeCloseTo(posterior[cell]!, 12);
      const shares = new Float64Array(order.categories);
      for (const [cell, p] of posterior.entries()) {
        const codes = codesOf(order, cell);
        for (const [digit, variable] of order.variables.entries()) shares[order.offsets[digit]! + codes[variable]!]! += p;
      }
      for (const [c, share] of shares.entries()) expect(marginals[row * order.categories + c]).toBeCloseTo(share, 12);
    }
    expect(risk.recordSums[1]).toBeCloseTo(
      [...table.counts].reduce((sum, count, row) => sum + count * risk.probability[row]!, 0),
      4,
    );
  });

  it.each([1, 5, 12])('has the Bayes factor of a truth that outweighs all others, to the power %d', (slope) => {
    const sums = (densities: readonly number[], power: number) => {
      const sets = [{ name: 'draw', pool: 'arithmetic', chains: 1, drawsPerChain: 1, coefficient: 1 }] as const;
      const codes = Uint16Array.of(0);
      const scorer = createCellScorer({ sizes: [3], codes, classes: 1, sets, streams: seededStreams(4), slope: power });
      scorer.load(0, { draws: 1, weights: Float64Array.of(1), probabilities: Float64Array.from(densities) });
      scorer.addBlock(0);
      const one = Float64Array.of(1);
      return { sums: scorer.sums(), batch: { order: scorer.order, codes, counts: one, effectiveDraws: one, paretoK: one } };
    };
    const of = sums([1, 1e-20, 3e-21], slope);
    const others = 1e-20 ** slope + 3e-21 ** slope;
    expect(cellRisk(of.sums, of.batch).risk.bayesFactor[0]! * others).toBeCloseTo(2, 9);
    const prior = sums([1, 1e-19, 1e-18], 1).sums;
    const believed = { ...of.batch, prior };
    expect(cellRisk(of.sums, believed).risk.bayesFactor[0]! * others * 1e18).toBeCloseTo(1.1, 9);
  });

  it('has it where a counted release repeats the truth', () => {
    const often = { ...dataset, counts: dataset.counts.map((count, row) => (row === 1 ? 45 : count)) };
    const counted = countRelease(table, [often], { sizes, alpha: ALPHA, epsilon: 1 });
    const { risk } = cellRisk(exactCells(counted, order, table.codes).sums, batch);
    expect(risk.probability[1]).toBe(1);
    const others = logLikelihoods(1, often).reduce((sum, value) => sum + (value === 0 ? 0 : Math.exp(value)), 0);
    expect(risk.bayesFactor[1]! * others).toBeCloseTo(order.cells - 1, 9);
  });

  it('refuses sums that are not numbers, naming the combination', () => {
    for (const [name, value] of [
      ['sums', Infinity],
      ['sums', 0],
      ['sums', NaN],
      ['logSums', Infinity],
    ] as const) {
      const broken = sums();
      broken[name][2 * CELL_EVALUATIONS + 3] = value;
      expect(() => cellRisk(broken, batch)).toThrow(/combination 2 has no finite estimate/);
    }
  });
});
