import { describe, expect, it } from 'vitest';
import { dirichlet } from '../../../bench/plain/dirichlet.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { blocksOf, cellScorerBytes, createCellScorer } from '../../../shared/risk/cells/cell-scorer.ts';
import { CELL_EVALUATIONS, type CellDraws, type CellProblem, type CellSet, GUESSES } from '../../../shared/risk/cells/cell-sums.ts';
import { cellOrder, codesOf } from '../../../shared/risk/intruder/cell-order.ts';
import { paretoShape } from '../../../shared/risk/scoring/weight-tails.ts';

const CLASSES = 3;

/** Sets of chains as of two datasets. */
const setsOf = (draws: number): CellSet[] => [
  { name: 'stacked/1', coefficient: 1, pool: 'arithmetic', chains: 2, drawsPerChain: draws },
  { name: 'alone/1', coefficient: -0.5, pool: 'arithmetic', chains: 3, drawsPerChain: draws + 1 },
  { name: 'base', coefficient: -1, pool: 'arithmetic', chains: 2, drawsPerChain: draws },
];

function problemOf(sizes: readonly number[], sets: readonly CellSet[], rows: number, spread: number) {
  const random = new RandomStream(23, 'scorer problem');
  const categories = sizes.reduce((sum, size) => sum + size, 0);
  const chains = sets.flatMap((set) =>
    Array.from({ length: set.chains }, (): CellDraws => {
      const weights = new Float64Array(set.drawsPerChain * CLASSES);
      const probabilities = new Float64Array(set.drawsPerChain * categories * CLASSES);
      for (let d = 0; d < set.drawsPerChain; d++) {
        weights.set(dirichlet(random, [1, 1, 1]), d * CLASSES);
        for (let f = 0; f < CLASSES; f++) {
          let at = d * categories;
          for (const size of sizes)
            for (const p of dirichlet(random, new Array<number>(size).fill(spread))) probabilities[at++ * CLASSES + f] = p;
        }
      }
      return { draws: set.drawsPerChain, weights, probabilities };
    }),
  );
  const codes = Uint16Array.from({ length: rows * sizes.length }, (_, i) => random.below(sizes[i % sizes.length]!));
  const problem: CellProblem = { sizes, codes, classes: CLASSES, sets, streams: seededStreams(24), slope: 1 };
  const load = () => {
    const scorer = createCellScorer(problem);
    for (const [chain, draws] of chains.entries()) scorer.load(chain, draws);
    return scorer;
  };
  /** f(x | Theta) under a draw of a chain. */
  const density = (chain: number, draw: number, cell: ArrayLike<number>) => {
    const { weights, probabilities } = chains[chain]!;
    let sum = 0;
    for (let f = 0; f < CLASSES; f++) {
      let product = weights[draw * CLASSES + f]!;
      let first = draw * categories;
      for (const [k, size] of sizes.entries()) {
        product *= probabilities[(first + cell[k]!) * CLASSES + f]!;
        first += size;
      }
      sum += product;
    }
    return sum;
  };
  /** Of each set, its chains, each with its draws. */
  const members = sets.map((set, s) => {
    const first = sets.slice(0, s).reduce((sum, other) => sum + other.chains, 0);
    return Array.from({ length: set.chains }, (_, c) => first + c);
  });
  return { problem, load, density, members };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const drawsOf = (set: CellSet) => [...new Array(set.drawsPerChain).keys()];

describe('what a scorer tells of draws', () => {
  const sizes = [3, 2, 4];
  const sets = setsOf(40);
  const { load, density, members, problem } = problemOf(sizes, sets, 5, 0.25);
  const order = cellOrder(sizes);
  const rowCodes = (row: number) => problem.codes.subarray(3 * row, 3 * row + 3);

  it('has the effective draws of the noisiest expectation that matters', () => {
    const scorer = load();
    for (let block = 0; block < scorer.blocks; block++) scorer.addBlock(block);
    const found = scorer.effectiveDraws();
    const { guessValues, guessCells, largest, sums } = scorer.sums();
    let differing = 0;
    for (let row = 0; row < 5; row++) {
      const guessed = [...guessCells.subarray(row * GUESSES, (row + 1) * GUESSES)];
      const likely = [...guessCells.subarray(row * GUESSES, (row + 1) * GUESSES)].filter((_, g) => {
        const at = row * CELL_EVALUATIONS;
        return (24 * Math.exp(guessValues[row * GUESSES + g]! - largest[at]!)) / sums[at]! >= 1;
      });
      const least = (cells: readonly number[]) =>
        Math.min(
          ...sets.flatMap((set, s) =>
            [...cells.map((cell) => codesOf(order, cell)), rowCodes(row)].map((codes) => {
              const ratios = members[s]!.flatMap((chain) =>
                drawsOf(set).map((d) => density(chain, d, codes) / density(chain, d, rowCodes(row))),
              );
              const total = ratios.reduce((sum, ratio) => sum + ratio, 0);
              return (total * total) / ratios.reduce((sum, ratio) => sum + ratio * ratio, 0);
            }),
          ),
        );
      const expected = least(likely);
      expect(found[row]).toBeCloseTo(expected, 7);
      if (least(guessed) < 0.99 * expected) differing++;
    }
    // Guesses that are unlikely are noisier, and do not count.
    expect(differing).toBeGreaterThan(0);
  });

  it('has the largest Pareto k of 1 / f among the sets, chains each at their own level', () => {
    const found = load().paretoK();
    for (let row = 0; row < 5; row++) {
      const shapes = sets.map((set, s) =>
        paretoShape(
          Float64Array.from(
            members[s]!.flatMap((chain) => {
              const logs = drawsOf(set).map((d) => -Math.log(density(chain, d, rowCodes(row))));
              const level = meanOf(logs);
              return logs.map((value) => value - level);
            }),
          ),
        ),
      );
      expect(found[row]).toBeCloseTo(Math.max(...shapes.filter((k) => !Number.isNaN(k))), 8);
    }
  });

  it('has no Pareto k of a few draws, nor of those of a prior', () => {
    const ofPrior = sets.map((set) => ({ ...set, isPrior: true as const }));
    expect([...problemOf(sizes, ofPrior, 3, 0.25).load().paretoK()]).toEqual([NaN, NaN, NaN]);
    const few = problemOf(sizes, setsOf(2), 3, 1.5);
    expect([...few.load().paretoK()]).toEqual([NaN, NaN, NaN]);
  });

  it('takes memory for draws and for combinations, and a block for 64 cells', () => {
    const size = { chains: 7, draws: 100, classes: 5, categories: 30 };
    const { fixed, perRow } = cellScorerBytes(size);
    const twice = cellScorerBytes({ ...size, draws: 200 });
    // A draw has 31 vectors over classes, of which there is an even number, and a place for each cell of a block.
    expect(twice.fixed - fixed).toBe(100 * (31 * 6 + 64) * 8);
    expect(twice.perRow - perRow).toBe(100 * 8);
    // Of a combination seven sums in every evaluation, guesses with their values, marginals, and the values of a block.
    expect(perRow).toBe((100 + 7 * CELL_EVALUATIONS + 2 * GUESSES + 30 + 64) * 8);
    expect(cellScorerBytes({ ...size, chains: 8 }).fixed - fixed).toBe(16 * 64 * 8);
    expect([0, 1, 64, 65].map(blocksOf)).toEqual([0, 1, 1, 2]);
  });
});
