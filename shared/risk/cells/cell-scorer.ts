import { type CellOrder, codesOf } from '../intruder/cell-order.ts';
import { cellEffectiveDraws, cellParetoK } from './cell-diagnostics.ts';
import { bindCells, doublesAt, loadChain, loadGiven, sumsIn, wordsAt, writeGiven } from './cell-kernel.ts';
import { CELL_CHUNK, CELL_EVALUATIONS, type CellDraws, type CellProblem, type CellSums, GUESSES } from './cell-sums.ts';

/** Cells of a block unless told otherwise: enough that reading all draws for each block costs little. */
const BLOCK_CELLS = CELL_CHUNK;

/** Combinations whose means of r_x the kernel has in memory at a time. */
const GROUP_ROWS = 16;

/** Scores all cells for the combinations of a problem, block after block. */
export interface CellScorer {
  readonly order: CellOrder;
  /** Blocks that hold all cells. */
  readonly blocks: number;
  /** Takes the draws of one chain over, counted from 0 through all sets. Every chain comes before any block. */
  load(chain: number, draws: CellDraws): void;
  /**
   * Takes over, in the place of a chain of one draw, densities that are given: of each combination's own cell, and of any
   * other by its codes in column order. They are above 0, up to a factor.
   */
  give(chain: number, truthDensities: Float64Array, densityOf: (codes: Uint16Array) => number): void;
  /** Adds the cells of a block (from 0) to the sums. Blocks come in order: a sum depends on it in its last bits. */
  addBlock(block: number): void;
  /** Codes (in column order) of the cells of the last block. */
  blockCodes(): Uint16Array[];
  /** combinations x `blockCells`: log-likelihoods of the cells of the last block, which come first in each row. */
  blockValues(): Float64Array;
  /** Most cells of a block. */
  readonly blockCells: number;
  /** The sums over the blocks so far, and each combination's own cell. */
  sums(): CellSums;
  /** Of each combination, as `cellEffectiveDraws` finds them. */
  effectiveDraws(): Float64Array;
  /** Of each combination, the largest Pareto k of 1 / f(x_i | Theta) among the sets; NaN where none can be fitted. */
  paretoK(): Float64Array;
}

/** Blocks of a number of cells. */
export function blocksOf(cells: number): number {
  return Math.ceil(cells / BLOCK_CELLS);
}

/** What decides the memory of a scorer beside its combinations. */
export interface CellScorerSize {
  /** Of all sets. */
  readonly chains: number;
  readonly draws: number;
  readonly classes: number;
  /** Of all variables. */
  readonly categories: number;
}

/**
 * Memory in bytes that a scorer takes, all but a few hundred kilobytes: `fixed`, mostly the draws, and `perRow` for
 * each combination, mostly 1 / f(x_i | Theta) under each draw. It does not depend on the number of cells.
 */
export function cellScorerBytes({ chains, draws, classes, categories }: CellScorerSize) {
  const bytes = Float64Array.BYTES_PER_ELEMENT;
  const parameters = draws * (1 + categories) * (classes + (classes % 2));
  return {
    fixed: (parameters + (draws + GROUP_ROWS * chains) * BLOCK_CELLS) * bytes,
    perRow: (draws + 7 * CELL_EVALUATIONS + 2 * GUESSES + categories + BLOCK_CELLS) * bytes,
  };
}

/**
 * A scorer of all cells, whose memory is laid out and holds nothing yet: see {@link cellScorerBytes}. It gives the
 * same sums whatever the cells of a block.
 *
 * @param blockCells a multiple of CELL_CHUNK
 * @throws RangeError when the memory cannot be had
 */
export function createCellScorer(problem: CellProblem, blockCells = BLOCK_CELLS): CellScorer {
  const bound = bindCells(problem, blockCells);
  const { kernel, order, prepared } = bound;
  const given = new Map<number, (codes: Uint16Array) => number>();
  const start = wordsAt(kernel, kernel.start, order.variables.length);
  let added = { from: 0, count: 0 };
  const codesOfBlock = () => Array.from({ length: added.count }, (_, x) => codesOf(order, added.from + x));
  return {
    order,
    blockCells,
    blocks: Math.ceil(order.cells / blockCells),
    load: (chain, draws) => loadChain(bound, chain, draws),
    give: (chain, truthDensities, densityOf) => {
      loadGiven(bound, chain, truthDensities);
      given.set(chain, densityOf);
    },
    addBlock: (block) => {
      const from = block * blockCells;
      const count = Math.min(blockCells, order.cells - from);
      added = { from, count };
      const first = codesOf(order, from);
      for (const [digit, variable] of order.variables.entries()) start[digit] = first[variable]!;
      kernel.beginBlock(count);
      const codes = given.size > 0 ? codesOfBlock() : [];
      for (let chain = 0; chain < prepared.chains; chain++) {
        const densityOf = given.get(chain);
        if (densityOf) writeGiven(bound, chain, Float64Array.from(codes, densityOf));
        else kernel.densities(chain, count);
      }
      kernel.addBlock(from, count);
    },
    blockCodes: codesOfBlock,
    blockValues: () => doublesAt(kernel, kernel.values, bound.rows * blockCells),
    sums: () => sumsIn(bound),
    effectiveDraws: () => cellEffectiveDraws(bound, sumsIn(bound)),
    paretoK: () => cellParetoK(bound),
  };
}
