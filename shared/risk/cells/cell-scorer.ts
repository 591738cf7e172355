import { copyPadded, instantiateKernel, type KernelGlobal } from '../../numeric/kernel.ts';
import { exp } from '../../numeric/portable-math.ts';
import { type CellOrder, cellOf, cellOrder, codesOf } from '../intruder/cell-order.ts';
import { CELL_EVALUATIONS, CELL_ROLES, type PreparedSets, prepareCellSets } from './cell-evaluations.ts';
import {
  CELL_CHUNK,
  type CellDraws,
  type CellProblem,
  type CellSums,
  DENSITY_SCALE,
  GUESSES,
} from './cell-sums.ts';

/** Cells of a block unless told otherwise: enough that reading all draws for each block costs little. */
const BLOCK_CELLS = CELL_CHUNK;

/** Combinations whose means of r_x the kernel has in memory at a time. */
const GROUP_ROWS = 16;

/** What kernels/cells/all-cells.ts exports; globals are addresses in its memory. */
interface AllCellsKernel
  extends Record<
    | 'sizes'
    | 'offsets'
    | 'start'
    | 'codes'
    | 'truths'
    | 'chainFirst'
    | 'chainDraws'
    | 'parameters'
    | 'weights'
    | 'panel'
    | 'setFirst'
    | 'setChains'
    | 'setRoles'
    | 'setSubsets'
    | 'setCoefficients'
    | 'lists'
    | 'choices'
    | 'constants'
    | keyof CellSums,
    KernelGlobal
  > {
  readonly memory: WebAssembly.Memory;
  prepareTable(rows: number, variables: number, categories: number, paddedClasses: number): void;
  prepareChains(chains: number, draws: number, sets: number, subsets: number, listWords: number): void;
  prepareCells(blockCells: number, evaluations: number, guesses: number): void;
  weigh(chain: number): void;
  densitiesOfListed(chain: number, count: number): void;
  beginBlock(count: number): void;
  densities(chain: number, count: number): void;
  addBlock(from: number, count: number, power: number, slope: number): void;
}

/** Scores all cells for the combinations of a problem, block after block. */
export interface CellScorer {
  readonly order: CellOrder;
  /** Blocks that hold all cells. */
  readonly blocks: number;
  /** Takes the draws of one chain over, counted from 0 through all sets. Every chain comes before any block. */
  load(chain: number, draws: CellDraws): void;
  /** Adds the cells of a block (from 0) to the sums. Blocks come in order: a sum depends on it in its last bits. */
  addBlock(block: number): void;
  /** The sums over the blocks so far. */
  sums(): CellSums;
  /**
   * For each combination, Kish's effective number of draws behind its noisiest expectation: the least, over sets
   * and over the guesses that hold at least their uniform share of the posterior, of (sum of r_x)^2 / (sum of
   * r_x^2). Infinity when every r_x is exact.
   */
  effectiveDraws(): Float64Array;
}

/** Bytes that 8 cells take in the kernel: the means of one chain, or the part of one subset. */
const TILE_BYTES = 8 * Float64Array.BYTES_PER_ELEMENT;

/** For each set and subset: how many chains, then where the kernel has their means. */
function listsOf({ sets }: PreparedSets): number[] {
  return sets.flatMap(({ subsets, firstChain }) =>
    subsets.flatMap((subset) => [
      subset.length,
      ...Array.from(subset, (chain) => (firstChain + chain) * TILE_BYTES),
    ]),
  );
}

/** For each evaluation and set: where its subset is in the kernel's `parts`. */
function choicesOf({ sets }: PreparedSets): number[] {
  const firstPart = sets.map((_, t) =>
    sets.slice(0, t).reduce((sum, { subsets }) => sum + subsets.length, 0),
  );
  return Array.from({ length: CELL_EVALUATIONS }, (_, b) =>
    sets.map(({ choices }, t) => (firstPart[t]! + choices[b]!) * TILE_BYTES),
  ).flat();
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
    perRow: (draws + 5 * CELL_EVALUATIONS + 2 * GUESSES + categories) * bytes,
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
  const { sizes, codes, classes, streams, slope } = problem;
  const order = cellOrder(sizes);
  const variables = sizes.length;
  const rows = codes.length / variables;
  const padded = classes + (classes % 2);
  const prepared = prepareCellSets(problem.sets, streams);
  const { sets, chains, draws } = prepared;
  const drawsOfChain = sets.flatMap((set) => new Array<number>(set.chains).fill(set.drawsPerChain));
  const firstDraw = drawsOfChain.map((_, c) =>
    drawsOfChain.slice(0, c).reduce((sum, count) => sum + count, 0),
  );
  const lists = listsOf(prepared);
  const choices = choicesOf(prepared);
  const subsets = sets.map((set) => set.subsets.length);
  const allSubsets = subsets.reduce((sum, count) => sum + count, 0);

  const kernel = instantiateKernel<AllCellsKernel>('all-cells');
  kernel.prepareTable(rows, variables, order.categories, padded);
  kernel.prepareChains(chains, draws, sets.length, allSubsets, lists.length);
  kernel.prepareCells(blockCells, CELL_EVALUATIONS, GUESSES);
  const { buffer } = kernel.memory;
  // Addresses beyond 2 GiB come out of the kernel as negative numbers.
  const words = (array: KernelGlobal, length: number) => new Uint32Array(buffer, array.value >>> 0, length);
  const doubles = (array: KernelGlobal, length: number) =>
    new Float64Array(buffer, array.value >>> 0, length);
  words(kernel.sizes, variables).set(order.sizes);
  words(kernel.offsets, variables).set(order.offsets);
  words(kernel.chainFirst, chains).set(firstDraw);
  words(kernel.chainDraws, chains).set(drawsOfChain);
  words(kernel.setFirst, sets.length).set(sets.map(({ firstChain }) => firstChain));
  words(kernel.setChains, sets.length).set(sets.map((set) => set.chains));
  words(kernel.setRoles, sets.length).set(sets.map(({ role }) => CELL_ROLES.indexOf(role)));
  words(kernel.setSubsets, sets.length).set(subsets);
  doubles(kernel.setCoefficients, sets.length).set(sets.map(({ coefficient }) => coefficient));
  words(kernel.lists, lists.length).set(lists);
  words(kernel.choices, choices.length).set(choices);
  doubles(kernel.constants, CELL_EVALUATIONS).set(prepared.constants);
  const paddedRows = 4 * Math.ceil(rows / 4);
  const kernelCodes = words(kernel.codes, Math.max(paddedRows, blockCells) * variables);
  const truths = doubles(kernel.truths, rows);
  const start = words(kernel.start, variables);
  const setCodes = (item: number, own: Uint16Array) => {
    for (const [digit, variable] of order.variables.entries()) {
      kernelCodes[item * variables + digit] = own[variable]!;
    }
  };
  for (let row = 0; row < rows; row++) {
    const own = codes.subarray(row * variables, (row + 1) * variables);
    setCodes(row, own);
    truths[row] = cellOf(order, own);
  }
  const vector = (1 + order.categories) * padded;
  const table = rows * CELL_EVALUATIONS;
  const sums: CellSums = {
    largest: doubles(kernel.largest, table),
    sums: doubles(kernel.sums, table),
    logSums: doubles(kernel.logSums, table),
    above: doubles(kernel.above, table),
    equal: doubles(kernel.equal, table),
    guessValues: doubles(kernel.guessValues, rows * GUESSES),
    guessCells: doubles(kernel.guessCells, rows * GUESSES),
    marginals: doubles(kernel.marginals, rows * order.categories),
  };

  return {
    order,
    blocks: Math.ceil(order.cells / blockCells),
    load: (chain, { weights, probabilities }) => {
      const parameters = doubles(kernel.parameters, draws * vector);
      for (let d = 0; d < drawsOfChain[chain]!; d++) {
        const at = (firstDraw[chain]! + d) * vector;
        const scaled = weights
          .subarray(d * classes, (d + 1) * classes)
          .map((weight) => weight * DENSITY_SCALE);
        const size = order.categories * classes;
        copyPadded(scaled, classes, parameters.subarray(at, at + padded));
        copyPadded(
          probabilities.subarray(d * size, (d + 1) * size),
          classes,
          parameters.subarray(at + padded, at + vector),
        );
      }
      kernel.weigh(chain);
    },
    addBlock: (block) => {
      const from = block * blockCells;
      const count = Math.min(blockCells, order.cells - from);
      const first = codesOf(order, from);
      for (const [digit, variable] of order.variables.entries()) start[digit] = first[variable]!;
      kernel.beginBlock(count);
      for (let chain = 0; chain < chains; chain++) kernel.densities(chain, count);
      kernel.addBlock(from, count, prepared.power, slope);
    },
    sums: () => sums,
    effectiveDraws: () => {
      const effective = new Float64Array(rows).fill(Infinity);
      const inexact = sets.filter((set) => set.chains * set.drawsPerChain > 1);
      // The truth is a candidate as well, and its ratio is 1 in every draw.
      for (const set of inexact) {
        for (let row = 0; row < rows; row++) {
          effective[row] = Math.min(effective[row]!, set.chains * set.drawsPerChain);
        }
      }
      const weights = doubles(kernel.weights, paddedRows * draws);
      const panels = doubles(kernel.panel, blockCells * draws);
      const byCell = likelyGuesses(sums, rows, order.cells, truths);
      const cells = [...byCell.keys()];
      for (let from = 0; from < cells.length; from += blockCells) {
        const listed = cells.slice(from, from + blockCells);
        for (const [item, cell] of listed.entries()) setCodes(item, codesOf(order, cell));
        for (const set of inexact) {
          const moments = listed.map((cell) => new Float64Array(2 * byCell.get(cell)!.length));
          for (let chain = set.firstChain; chain < set.firstChain + set.chains; chain++) {
            kernel.densitiesOfListed(chain, listed.length);
            const own = weights.subarray(paddedRows * firstDraw[chain]!);
            const panel = panels.subarray(blockCells * firstDraw[chain]!);
            for (const [item, cell] of listed.entries()) {
              for (const [i, row] of byCell.get(cell)!.entries()) {
                addMoments(moments[item]!, 2 * i, own, row, panel, item, set.drawsPerChain);
              }
            }
          }
          for (const [item, cell] of listed.entries()) {
            for (const [i, row] of byCell.get(cell)!.entries()) {
              const [sum, squares] = moments[item]!.subarray(2 * i, 2 * i + 2) as unknown as [number, number];
              effective[row] = Math.min(effective[row]!, (sum * sum) / squares);
            }
          }
        }
      }
      return effective;
    },
  };
}

/** Combinations by guess, of the guesses other than the truth that hold at least their uniform share. */
function likelyGuesses(
  { guessValues, guessCells, largest, sums }: CellSums,
  rows: number,
  cells: number,
  truths: Float64Array,
): Map<number, number[]> {
  const byCell = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    for (let g = row * GUESSES; g < (row + 1) * GUESSES; g++) {
      const at = row * CELL_EVALUATIONS;
      const probability = exp(guessValues[g]! - largest[at]!) / sums[at]!;
      if (probability * cells < 1 || guessCells[g] === truths[row]) continue;
      const own = byCell.get(guessCells[g]!);
      if (own) own.push(row);
      else byCell.set(guessCells[g]!, [row]);
    }
  }
  return byCell;
}

/** Adds r_x and its square over a chain's draws, up to a constant; both arrays are strips of 4 items x draws x 4. */
function addMoments(
  moments: Float64Array,
  at: number,
  weights: Float64Array,
  row: number,
  panel: Float64Array,
  item: number,
  draws: number,
): void {
  let w = Math.floor(row / 4) * draws * 4 + (row % 4);
  let f = Math.floor(item / 4) * draws * 4 + (item % 4);
  let sum = 0;
  let squares = 0;
  for (let d = 0; d < draws; d++, w += 4, f += 4) {
    const ratio = weights[w]! * panel[f]!;
    sum += ratio;
    squares += ratio * ratio;
  }
  moments[at]! += sum;
  moments[at + 1]! += squares;
}
