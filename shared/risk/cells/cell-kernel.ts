import { copyPadded, instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import { type CellOrder, cellOf, cellOrder } from '../intruder/cell-order.ts';
import {
  CELL_EVALUATIONS,
  CELL_ROLES,
  type CellDraws,
  type CellProblem,
  type CellSums,
  DENSITY_SCALE,
  GUESSES,
  type PreparedSets,
  prepareCellSets,
} from './cell-sums.ts';

/** Numbers that the memory of kernels/cells/all-cells.ts is laid out by, and those of the estimator. */
type LayoutNumber = 'rows' | 'variables' | 'categories' | 'classes' | 'chains' | 'draws' | 'sets' | 'subsets' | 'listWords' | 'blockCells';
type EstimatorNumber = 'evaluations' | 'guesses' | 'commonPower' | 'slope';

/** Addresses in that memory: of the table and its draws, and of what the estimator takes of them. */
type TableAddress = 'sizes' | 'offsets' | 'start' | 'codes' | 'truths' | 'chainFirst' | 'chainDraws' | 'parameters' | 'weights' | 'panel';
type SetAddress = 'setFirst' | 'setChains' | 'setRoles' | 'setSubsets' | 'setCoefficients' | 'lists' | 'choices' | 'constants' | 'values';

interface AllCellsKernel extends Record<LayoutNumber | EstimatorNumber | TableAddress | SetAddress | keyof CellSums, KernelGlobal> {
  readonly memory: WebAssembly.Memory;
  prepare(): void;
  weigh(chain: number): void;
  densitiesOfListed(chain: number, count: number): void;
  beginBlock(count: number): void;
  densities(chain: number, count: number): void;
  addBlock(from: number, count: number): void;
}

/** The kernel with a problem laid out in its memory. */
export interface BoundCells {
  readonly kernel: AllCellsKernel;
  readonly order: CellOrder;
  readonly prepared: PreparedSets;
  readonly rows: number;
  readonly truthCells: Float64Array;
  readonly classes: number;
  readonly blockCells: number;
  /** Of each chain, counted through all sets: how many draws it has, and how many come before them. */
  readonly chainDraws: readonly number[];
  readonly firstDraw: readonly number[];
}

const NO_GUESS = -1e300;

/** Bytes that 8 cells take in the kernel: the means of one chain, or the part of one subset. */
const TILE_BYTES = 8 * Float64Array.BYTES_PER_ELEMENT;

/** For each set and subset: how many chains, then where the kernel has their means. */
function listsOf({ sets }: PreparedSets): number[] {
  return sets.flatMap(({ subsets, firstChain }) =>
    subsets.flatMap((subset) => [subset.length, ...Array.from(subset, (chain) => (firstChain + chain) * TILE_BYTES)]),
  );
}

/** For each evaluation and set: where its subset is in the kernel's `parts`. */
function choicesOf({ sets }: PreparedSets): number[] {
  const firstPart = sets.map((_, t) => sets.slice(0, t).reduce((sum, { subsets }) => sum + subsets.length, 0));
  return Array.from({ length: CELL_EVALUATIONS }, (_, b) =>
    sets.map(({ choices }, t) => (firstPart[t]! + choices[b]!) * TILE_BYTES),
  ).flat();
}

/** A view of so many 32-bit numbers of the kernel's memory. Addresses beyond 2 GiB come out of it as negative numbers. */
export function wordsAt({ memory }: AllCellsKernel, array: KernelGlobal, length: number): Uint32Array {
  return new Uint32Array(memory.buffer, array.value >>> 0, length);
}

/** A view of so many doubles of the kernel's memory. */
export function doublesAt({ memory }: AllCellsKernel, array: KernelGlobal, length: number): Float64Array {
  return new Float64Array(memory.buffer, array.value >>> 0, length);
}

/** Rows up to a whole number of strips of 4. */
export function paddedRows({ rows }: BoundCells): number {
  return 4 * Math.ceil(rows / 4);
}

/** Classes up to an even number. */
function paddedClasses(classes: number): number {
  return classes + (classes % 2);
}

/**
 * A kernel whose memory is laid out for a problem, and holds all of it but the draws.
 *
 * @throws RangeError when the memory cannot be had
 */
export function bindCells(problem: CellProblem, blockCells: number): BoundCells {
  const { sizes, codes, classes, streams } = problem;
  const order = cellOrder(sizes);
  const prepared = prepareCellSets(problem.sets, streams);
  const chainDraws = prepared.sets.flatMap((set) => new Array<number>(set.chains).fill(set.drawsPerChain));
  const firstDraw = chainDraws.map((_, c) => chainDraws.slice(0, c).reduce((sum, count) => sum + count, 0));
  const rows = codes.length / sizes.length;
  const kernel = instantiateKernel<AllCellsKernel>('all-cells');
  const truthCells = Float64Array.from({ length: rows }, (_, row) =>
    cellOf(order, codes.subarray(row * sizes.length, (row + 1) * sizes.length)),
  );
  const bound = { kernel, order, prepared, rows, truthCells, classes, blockCells, chainDraws, firstDraw };
  const lists = listsOf(prepared);
  const choices = choicesOf(prepared);
  const { sets, chains, draws } = prepared;
  setNumbers(kernel, {
    rows,
    variables: order.variables.length,
    categories: order.categories,
    classes: paddedClasses(classes),
    chains,
    draws,
    sets: sets.length,
    subsets: sets.reduce((sum, set) => sum + set.subsets.length, 0),
    listWords: lists.length,
    blockCells,
    evaluations: CELL_EVALUATIONS,
    guesses: GUESSES,
    slope: problem.slope,
  });
  // Views of the memory hold from here on.
  kernel.prepare();
  wordsAt(kernel, kernel.lists, lists.length).set(lists);
  wordsAt(kernel, kernel.choices, choices.length).set(choices);
  writeSets(bound);
  writeRows(bound, codes);
  return bound;
}

function writeSets({ kernel, prepared, chainDraws, firstDraw }: BoundCells): void {
  const { sets, chains, constants, commonPower } = prepared;
  kernel.commonPower.value = commonPower;
  wordsAt(kernel, kernel.chainFirst, chains).set(firstDraw);
  wordsAt(kernel, kernel.chainDraws, chains).set(chainDraws);
  wordsAt(kernel, kernel.setFirst, sets.length).set(sets.map(({ firstChain }) => firstChain));
  wordsAt(kernel, kernel.setChains, sets.length).set(sets.map((set) => set.chains));
  wordsAt(kernel, kernel.setRoles, sets.length).set(sets.map(({ role }) => CELL_ROLES.indexOf(role)));
  wordsAt(kernel, kernel.setSubsets, sets.length).set(sets.map(({ subsets }) => subsets.length));
  doublesAt(kernel, kernel.setCoefficients, sets.length).set(sets.map(({ coefficient }) => coefficient));
  doublesAt(kernel, kernel.constants, CELL_EVALUATIONS).set(constants);
}

/**
 * Empties the sums of a kernel, and has the sets of its problem enter them with other coefficients from now on.
 *
 * @param prepared the same sets, in the same order
 */
export function beginSums(bound: BoundCells, prepared: PreparedSets): void {
  writeSets({ ...bound, prepared });
  const { guessValues, ...others } = sumsIn(bound);
  for (const array of Object.values(others)) array.fill(0);
  guessValues.fill(NO_GUESS);
}

function writeRows(bound: BoundCells, codes: Uint16Array): void {
  const { kernel, order, rows, truthCells } = bound;
  const variables = order.variables.length;
  wordsAt(kernel, kernel.sizes, variables).set(order.sizes);
  wordsAt(kernel, kernel.offsets, variables).set(order.offsets);
  doublesAt(kernel, kernel.truths, rows).set(truthCells);
  for (let row = 0; row < rows; row++) {
    writeCodes(bound, row, codes.subarray(row * variables, (row + 1) * variables));
  }
}

/** Writes the codes of an item of the kernel's list, which is of combinations first, and later of cells. */
export function writeCodes({ kernel, order }: BoundCells, item: number, codesOfItem: Uint16Array): void {
  const variables = order.variables.length;
  const codes = wordsAt(kernel, kernel.codes, (item + 1) * variables);
  for (const [digit, variable] of order.variables.entries()) {
    codes[item * variables + digit] = codesOfItem[variable]!;
  }
}

/** Writes the draws of one chain, and has the kernel find 1 / f(x_i | Theta) under each of them. */
export function loadChain(bound: BoundCells, chain: number, { weights, probabilities }: CellDraws): void {
  const { kernel, order, prepared, classes, chainDraws, firstDraw } = bound;
  const padded = paddedClasses(classes);
  const vector = (1 + order.categories) * padded;
  const size = order.categories * classes;
  const parameters = doublesAt(kernel, kernel.parameters, prepared.draws * vector);
  for (let d = 0; d < chainDraws[chain]!; d++) {
    const at = (firstDraw[chain]! + d) * vector;
    const scaled = weights.subarray(d * classes, (d + 1) * classes).map((weight) => weight * DENSITY_SCALE);
    copyPadded(scaled, classes, parameters.subarray(at, at + padded));
    copyPadded(probabilities.subarray(d * size, (d + 1) * size), classes, parameters.subarray(at + padded, at + vector));
  }
  kernel.weigh(chain);
}

/**
 * Writes 1 / q(x_i) of each combination for a chain of one draw whose densities are given, in the place of what the kernel
 * would find from parameters.
 */
export function loadGiven(bound: BoundCells, chain: number, truthDensities: Float64Array): void {
  const { kernel, prepared, firstDraw } = bound;
  const padded = paddedRows(bound);
  const weights = doublesAt(kernel, kernel.weights, padded * prepared.draws);
  const chainWeights = weights.subarray(padded * firstDraw[chain]!, padded * (firstDraw[chain]! + 1));
  // Rows that fill the last strip up are 1.
  chainWeights.fill(1);
  for (const [row, value] of truthDensities.entries()) chainWeights[row] = 1 / value;
}

/** Writes the densities that such a chain gives the cells of a block, in the place of those of a draw. */
export function writeGiven({ kernel, prepared, blockCells, firstDraw }: BoundCells, chain: number, cellDensities: Float64Array): void {
  const panel = doublesAt(kernel, kernel.panel, blockCells * prepared.draws);
  const chainPanel = panel.subarray(blockCells * firstDraw[chain]!, blockCells * (firstDraw[chain]! + 1));
  chainPanel.fill(1);
  chainPanel.set(cellDensities);
}

/** The sums, where the kernel adds them up. */
export function sumsIn({ kernel, order, rows }: BoundCells): CellSums {
  const table = rows * CELL_EVALUATIONS;
  return {
    largest: doublesAt(kernel, kernel.largest, table),
    sums: doublesAt(kernel, kernel.sums, table),
    others: doublesAt(kernel, kernel.others, table),
    logSums: doublesAt(kernel, kernel.logSums, table),
    above: doublesAt(kernel, kernel.above, table),
    equal: doublesAt(kernel, kernel.equal, table),
    guessValues: doublesAt(kernel, kernel.guessValues, rows * GUESSES),
    guessCells: doublesAt(kernel, kernel.guessCells, rows * GUESSES),
    marginals: doublesAt(kernel, kernel.marginals, rows * order.categories),
  };
}
