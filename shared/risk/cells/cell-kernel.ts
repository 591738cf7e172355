import { copyPadded, instantiateKernel, type KernelGlobal, setNumbers } from '../../numeric/kernel.ts';
import { type CellOrder, cellOf, cellOrder } from '../intruder/cell-order.ts';
import {
  CELL_EVALUATIONS,
  CELL_ROLES,
  type CellDraws,
  type CellProblem,
  type CellSet,
  type CellSums,
  DENSITY_SCALE,
  GUESSES,
  type PreparedSet,
  type PreparedSets,
  prepareCellSets,
} from './cell-sums.ts';

/** Numbers that the memory of kernels/cells/all-cells.ts is laid out by, and those of the estimator. */
type LayoutNumber = 'rows' | 'variables' | 'categories' | 'classes' | 'chains' | 'draws' | 'sets' | 'groups' | 'listWords' | 'blockCells';
type EstimatorNumber = 'evaluations' | 'guesses' | 'commonPower' | 'slope' | 'priorSet';

/** Addresses in that memory: of the table and its draws, and of what the estimator takes of them. */
type TableAddress = 'sizes' | 'offsets' | 'start' | 'codes' | 'truths' | 'chainFirst' | 'chainDraws' | 'parameters' | 'weights' | 'panel';
type SetAddress = 'setFirst' | 'setChains' | 'setRoles' | 'setGroups' | 'setFolds' | 'setCoefficients' | 'groupSizes' | 'lists' | 'values';

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

/** Chains whose sums over every subset the kernel finds once. */
const GROUP_CHAINS = 4;

/** Bytes that 8 cells take in the kernel in one subset of a group. */
const SUBSET_BYTES = 8 * Float32Array.BYTES_PER_ELEMENT;

const groupsOf = ({ chains }: CellSet) => Math.ceil(chains / GROUP_CHAINS);

/** The first group of each set, and the number of all. */
function firstGroups(sets: readonly CellSet[]): number[] {
  const first = [0];
  for (const set of sets) first.push(first.at(-1)! + groupsOf(set));
  return first;
}

/**
 * For each half-sample and set, as the kernel's `lists`: nothing of a set that is taken as a whole; of others what makes a
 * mean, against that over all chains, of the sum of what chains contribute, and where the sums over subsets of groups are.
 */
function listsOf({ sets }: PreparedSets): number[] {
  const first = firstGroups(sets);
  const single = new DataView(new ArrayBuffer(4));
  const list = ({ subsets, choices, role, coefficient, chains }: PreparedSet, t: number, b: number): number[] => {
    if (choices[b] === 0) return [0];
    const taken = subsets[choices[b]!]!;
    const chosen = new Uint32Array(first[t + 1]! - first[t]!);
    for (const chain of taken) chosen[Math.floor(chain / GROUP_CHAINS)]! |= 1 << (chain % GROUP_CHAINS);
    const places = [...chosen.entries()].filter(([, subset]) => subset > 0);
    single.setFloat32(0, (role === 'geometric' ? coefficient : chains) / taken.length);
    const addresses = places.map(([group, subset]) => ((first[t]! + group) * (1 << GROUP_CHAINS) + subset) * SUBSET_BYTES);
    return [1 + addresses.length, single.getUint32(0), ...addresses];
  };
  return Array.from({ length: CELL_EVALUATIONS - 1 }, (_, half) => sets.flatMap((set, t) => list(set, t, 1 + half))).flat();
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
  const { sets, chains, draws } = prepared;
  setNumbers(kernel, {
    rows,
    variables: order.variables.length,
    categories: order.categories,
    classes: paddedClasses(classes),
    chains,
    draws,
    sets: sets.length,
    groups: firstGroups(sets).at(-1)!,
    listWords: lists.length,
    blockCells,
    evaluations: CELL_EVALUATIONS,
    guesses: GUESSES,
    slope: problem.slope,
    commonPower: prepared.commonPower,
    priorSet: sets.findIndex(({ isPrior }) => isPrior),
  });
  // Views of the memory hold from here on.
  kernel.prepare();
  wordsAt(kernel, kernel.lists, lists.length).set(lists);
  writeSets(bound);
  writeRows(bound, codes);
  return bound;
}

function writeSets({ kernel, prepared, chainDraws, firstDraw }: BoundCells): void {
  const { sets, chains } = prepared;
  const groups = firstGroups(sets);
  const sizes = sets.flatMap((set) =>
    Array.from({ length: groupsOf(set) }, (_, group) => Math.min(GROUP_CHAINS, set.chains - group * GROUP_CHAINS)),
  );
  wordsAt(kernel, kernel.chainFirst, chains).set(firstDraw);
  wordsAt(kernel, kernel.chainDraws, chains).set(chainDraws);
  wordsAt(kernel, kernel.setFirst, sets.length).set(sets.map(({ firstChain }) => firstChain));
  wordsAt(kernel, kernel.setChains, sets.length).set(sets.map((set) => set.chains));
  wordsAt(kernel, kernel.setRoles, sets.length).set(sets.map(({ role }) => CELL_ROLES.indexOf(role)));
  wordsAt(kernel, kernel.setGroups, sets.length).set(groups.slice(0, -1));
  wordsAt(kernel, kernel.setFolds, sets.length).set(sets.map(({ folds }) => Number(folds)));
  wordsAt(kernel, kernel.groupSizes, sizes.length).set(sizes);
  doublesAt(kernel, kernel.setCoefficients, sets.length).set(sets.map(({ coefficient }) => coefficient));
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
    priorLogSums: doublesAt(kernel, kernel.priorLogSums, table),
    above: doublesAt(kernel, kernel.above, table),
    equal: doublesAt(kernel, kernel.equal, table),
    guessValues: doublesAt(kernel, kernel.guessValues, rows * GUESSES),
    guessCells: doublesAt(kernel, kernel.guessCells, rows * GUESSES),
    firstPriorLogs: doublesAt(kernel, kernel.firstPriorLogs, rows),
    marginals: doublesAt(kernel, kernel.marginals, rows * order.categories),
  };
}
