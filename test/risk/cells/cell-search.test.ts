import { describe, expect, it } from 'vitest';
import { dirichlet } from '../../../bench/plain/dirichlet.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { CELL_EVALUATIONS, type CellSet } from '../../../shared/risk/cells/cell-evaluations.ts';
import { blocksOf, cellScorerBytes, createCellScorer } from '../../../shared/risk/cells/cell-scorer.ts';
import { SEARCH_CHAINS } from '../../../shared/risk/cells/cell-search.ts';
import { type CellDraws, type CellProblem, GUESSES } from '../../../shared/risk/cells/cell-sums.ts';
import { cellOrder, codesOf } from '../../../shared/risk/intruder/cell-order.ts';
import { paretoShape } from '../../../shared/risk/scoring/weight-tails.ts';

const CLASSES = 3;

/** Sets of chains as of two datasets. */
const setsOf = (pool: CellSet['pool'], draws: number): CellSet[] => [
  { name: 'stacked/1', coefficient: 1, pool, chains: 2, drawsPerChain: draws },
  { name: 'alone/1', coefficient: -0.5, pool, chains: 3, drawsPerChain: draws + 1 },
  { name: 'base', coefficient: -1, pool: 'arithmetic', chains: 2, drawsPerChain: draws },
];

function problemOf(sizes: readonly number[], sets: readonly CellSet[], rows: number, { slope = 1, spread = 1.5, seed = 24 } = {}) {
  const random = new RandomStream(23, 'search problem');
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
  const problem: CellProblem = { sizes, codes, classes: CLASSES, sets, streams: seededStreams(seed), slope };
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
  return { problem, load, density, members, sets };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const drawsOf = (set: CellSet) => [...new Array(set.drawsPerChain).keys()];

describe.each(['arithmetic', 'geometric'] as const)('a search, sides pooled %s', (pool) => {
  const slope = 0.8;
  const sizes = [3, 2, 1, 4];
  const { load, density, members, sets } = problemOf(sizes, setsOf(pool, 2), 2, { slope });
  const order = cellOrder(sizes);
  const logTarget = (cell: number) => {
    const codes = codesOf(order, cell);
    return (
      slope *
      sets.reduce((sum, set, s) => {
        const means = members[s]!.map((chain) => meanOf(drawsOf(set).map((d) => density(chain, d, codes))));
        const value = set.pool === 'geometric' ? meanOf(means.map(Math.log)) : Math.log(meanOf(means));
        return sum + set.coefficient * value;
      }, 0)
    );
  };

  it('finds the cells in order, with the target of each and the steps of each chain', () => {
    const STEPS = 41;
    let told = 0;
    const { found, listed } = load().search((1 + STEPS) * SEARCH_CHAINS + 5, () => told++);
    expect(told).toBe(1 + STEPS);
    expect([...found.cells]).toEqual([...new Set(found.cells)].sort((a, b) => a - b));
    expect(listed.cells).toBe(found.cells);
    // Targets are up to a constant, that of the scale of densities.
    const shift = found.logTargets[0]! - logTarget(found.cells[0]!);
    for (const [at, cell] of found.cells.entries()) expect(found.logTargets[at]).toBeCloseTo(logTarget(cell) + shift, 9);
    const steps = new Array<number>(SEARCH_CHAINS).fill(0);
    for (const [visit, chain] of found.visitChain.entries()) steps[chain]! += found.visitSteps[visit]!;
    // Of 41 steps the first 20 are burn-in.
    expect(new Set(steps)).toEqual(new Set([21]));
    expect(found.visitStart).toHaveLength(found.cells.length + 1);
    expect(found.visitStart.at(-1)).toBe(found.visitChain.length);
    for (const [at, chain] of found.scoredBy.entries()) {
      const own = [...found.visitChain.subarray(found.visitStart[at], found.visitStart[at + 1])];
      expect(own).toEqual([...new Set(own)].sort((a, b) => a - b));
      // Whoever was there has scored it.
      if (chain >= 0) expect(own.every((visitor) => visitor === chain)).toBe(true);
    }
  });

  it('visits cells as often as its target says', () => {
    const STEPS = 1200;
    const { found } = load().search((1 + STEPS) * SEARCH_CHAINS, () => undefined);
    expect(found.cells).toHaveLength(24);
    const logs = [...found.cells].map(logTarget);
    const largest = Math.max(...logs);
    const total = logs.reduce((sum, value) => sum + Math.exp(value - largest), 0);
    for (const [at, value] of logs.entries()) {
      const byChain = new Array<number>(SEARCH_CHAINS).fill(0);
      for (let visit = found.visitStart[at]!; visit < found.visitStart[at + 1]!; visit++)
        byChain[found.visitChain[visit]!] = found.visitSteps[visit]! / (STEPS / 2);
      const mean = meanOf(byChain);
      const variance = byChain.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (SEARCH_CHAINS - 1);
      const error = Math.sqrt(variance / SEARCH_CHAINS);
      expect(Math.abs(mean - Math.exp(value - largest) / total)).toBeLessThan(4.5 * error + 1e-4);
    }
    // Chains begin anywhere, so that no cell was scored by one alone.
    expect(found.scoredBy.every((chain) => chain === -1)).toBe(true);
  });

  it('gives the sums over all cells once it has found them all', () => {
    const all = load();
    for (let block = 0; block < all.blocks; block++) all.addBlock(block);
    const searched = load();
    searched.search(1200 * SEARCH_CHAINS, () => undefined);
    expect(searched.blocks).toBe(all.blocks);
    for (let block = 0; block < searched.blocks; block++) searched.addBlock(block);
    const [a, b] = [all.sums(), searched.sums()];
    for (const name of Object.keys(a) as (keyof typeof a)[]) {
      for (const [i, value] of a[name].entries()) expect(b[name][i], name).toBeCloseTo(value, 8);
    }
    expect(searched.blockCodes()).toEqual(all.blockCodes());
    expect([...searched.effectiveDraws()]).toEqual([...all.effectiveDraws()].map((value) => expect.closeTo(value, 8)));
  });
});

describe('the chains of a search', () => {
  it('start at cells drawn from the mixture of a draw, any of all sets', () => {
    const sizes = [3, 2, 4];
    const sets = setsOf('arithmetic', 2);
    const order = cellOrder(sizes);
    const { density, members } = problemOf(sizes, sets, 1);
    const densities = (cell: number) =>
      sets.flatMap((set, s) => members[s]!.flatMap((chain) => drawsOf(set).map((d) => density(chain, d, codesOf(order, cell)))));
    const n = 150;
    const times = new Float64Array(24);
    for (let seed = 1; seed <= n; seed++) {
      // Without room for a step, what is scored are the starts.
      const { found } = problemOf(sizes, sets, 1, { seed })
        .load()
        .search(SEARCH_CHAINS, () => undefined);
      expect(found.visitChain).toHaveLength(0);
      for (const cell of found.cells) times[cell]!++;
    }
    for (const [cell, count] of times.entries()) {
      const p = 1 - (1 - meanOf(densities(cell))) ** SEARCH_CHAINS;
      expect(Math.abs(count / n - p)).toBeLessThan(4.5 * Math.sqrt((p * (1 - p)) / n) + 1 / n);
    }
    expect(Math.min(...times)).toBeLessThan(n);
  });
});

describe('a search that does not find all', () => {
  const sizes = [9, 8, 7, 6];
  const { load, problem } = problemOf(sizes, setsOf('arithmetic', 2), 4);
  const order = cellOrder(sizes);

  it('adds each combination its own cell, where it was not found', () => {
    const all = load();
    const searched = load();
    const { found, listed } = searched.search(6 * SEARCH_CHAINS, () => undefined);
    const rows = [0, 1, 2, 3];
    expect(rows.some((row) => listed.positions[row] === -1)).toBe(true);
    for (let block = 0; block < searched.blocks; block++) searched.addBlock(block);
    const sums = searched.sums();
    // The own cells are added to what is told, not to what is kept.
    expect(searched.sums()).toEqual(sums);
    // The same from the log-likelihoods of all cells.
    const values = rows.map(() => new Map<number, number>());
    for (let block = 0; block < all.blocks; block++) {
      all.addBlock(block);
      const own = all.blockValues();
      for (const [x] of all.blockCodes().entries())
        for (const row of rows) values[row]!.set(block * all.blockCells + x, own[row * all.blockCells + x]!);
    }
    for (const row of rows) {
      const codes = problem.codes.subarray(4 * row, 4 * row + 4);
      const truth = [...values[row]!.keys()].find((cell) => codesOf(order, cell).every((code, k) => code === codes[k]))!;
      const cells = [...new Set([...found.cells, truth])];
      const logs = cells.map((cell) => (cell === truth ? 0 : values[row]!.get(cell)!));
      const largest = Math.max(...logs);
      const weights = logs.map((value) => Math.exp(value - largest));
      const at = row * CELL_EVALUATIONS;
      expect(sums.largest[at]).toBeCloseTo(largest, 9);
      expect(sums.sums[at]! / weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
      expect(sums.above[at]).toBe(logs.filter((value) => value > 0).length);
      expect(sums.equal[at]).toBe(1);
      const best = cells
        .map((cell, i) => ({ cell, value: logs[i]! }))
        .filter(({ cell }) => found.cells.includes(cell))
        .sort((a, b) => b.value - a.value)
        .slice(0, GUESSES);
      expect([...sums.guessCells.subarray(row * GUESSES, row * GUESSES + GUESSES)]).toEqual(best.map(({ cell }) => cell));
      const marginal = new Float64Array(order.categories);
      for (const [i, cell] of cells.entries()) {
        const own = codesOf(order, cell);
        for (const [digit, variable] of order.variables.entries()) marginal[order.offsets[digit]! + own[variable]!]! += weights[i]!;
      }
      for (const [c, weight] of marginal.entries()) expect(sums.marginals[row * order.categories + c]).toBeCloseTo(weight, 8);
    }
  });
});

describe('what a scorer tells of draws', () => {
  const sizes = [3, 2, 4];
  const sets = setsOf('arithmetic', 40);
  const { load, density, members, problem } = problemOf(sizes, sets, 5, { spread: 0.25 });
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

  it('has no Pareto k of a few draws', () => {
    const few = problemOf(sizes, setsOf('arithmetic', 2), 3);
    expect([...few.load().paretoK()]).toEqual([NaN, NaN, NaN]);
  });

  it('takes memory for draws and for combinations, and a block for 64 cells', () => {
    const size = { chains: 7, draws: 100, classes: 5, categories: 30 };
    const { fixed, perRow } = cellScorerBytes(size);
    const twice = cellScorerBytes({ ...size, draws: 200 });
    // A draw has 31 vectors over classes, of which there is an even number, and a place for each cell of a block.
    expect(twice.fixed - fixed).toBe(100 * (31 * 6 + 64) * 8);
    expect(twice.perRow - perRow).toBe(100 * 8);
    // Of a combination five sums in every evaluation, guesses with their values, marginals, and the values of a block.
    expect(perRow).toBe((100 + 5 * CELL_EVALUATIONS + 2 * GUESSES + 30 + 64) * 8);
    expect(cellScorerBytes({ ...size, chains: 8 }).fixed - fixed).toBe(16 * 64 * 8);
    expect([0, 1, 64, 65].map(blocksOf)).toEqual([0, 1, 1, 2]);
  });
});
