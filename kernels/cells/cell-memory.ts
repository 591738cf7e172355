/**
 * What the kernel for all cells keeps in memory; bench/plain/cell-sums-reference.ts has every layout in words.
 */
import { aligned, reserve, VECTOR } from '../math/memory';

/** Cells that are added up together. Sums are merged chunk by chunk, so that blocks of any length agree. */
export const CHUNK = 64;
/** Cells whose evaluations are formed together: four vectors of two. */
export const TILE = 8;
/** Combinations, in strips of 4, whose means are in memory at a time. */
export const GROUP_STRIPS = 4;
/** Stands for the log-likelihood of no cell at all: its exponential is 0. */
export const NONE: f64 = -1e300;
/** The same in single precision. */
export const NONE_SINGLE: f64 = -1e30;

/** Combinations of the batch. */
export let rows: i32 = 0;
/** Strips of 4 combinations; follows from `rows`. */
export let rowStrips: i32 = 0;
/** Variables. */
export let variables: i32 = 0;
/** Categories of all variables. */
export let categories: i32 = 0;
/** Classes, rounded up to an even number; the host pads with classes of weight zero. */
export let classes: i32 = 0;
/** Chains. */
export let chains: i32 = 0;
/** Draws of all chains together. */
export let draws: i32 = 0;
/** Sets of chains. */
export let sets: i32 = 0;
/** Groups of four chains, the last of each set of four at most. */
export let groups: i32 = 0;
/** Words of `lists`. */
export let listWords: i32 = 0;
/** Cells of a block, a multiple of 64. */
export let blockCells: i32 = 0;
/** The set that is the prior, -1 without any. */
export let priorSet: i32 = -1;
/** Evaluations: the estimate, and one a half-sample of the chains. */
export let evaluations: i32 = 0;
/** Most probable cells that are kept of each combination. */
export let guesses: i32 = 0;
/** Coefficient of the sets whose role is RAISED. */
export let commonPower: f64 = 0;
/** Power to which the likelihood is raised. */
export let slope: f64 = 0;

/** variables, u32: number of categories, in the order of enumeration. */
export let sizes: usize = 0;
/** variables, u32: each variable's first category among all. */
export let offsets: usize = 0;
/** variables, u32: categories of the block's first cell; changed by `beginBlock`. */
export let start: usize = 0;
/** Combinations (or as many cells as a block has) x variables, u32: categories. */
export let codes: usize = 0;
/** Combinations, f64: number of the truth's cell. */
export let truths: usize = 0;
/** Chains, u32: draws before the chain's own. */
export let chainFirst: usize = 0;
/** Chains, u32: the chain's draws. */
export let chainDraws: usize = 0;
/** draws x (1 + categories) x classes, f64: pi, then phi. */
export let parameters: usize = 0;
/** For each chain: strips of 4 combinations x draws x 4, f64: 1 / f(x_i | Theta), divided by the draws. */
export let weights: usize = 0;
/** For each chain: strips of 4 cells x draws x 4, f64: f(x | Theta) of a block's cells. */
export let panel: usize = 0;
/** Sets, u32: first chain of each. */
export let setFirst: usize = 0;
/** Sets, u32: number of chains. */
export let setChains: usize = 0;
/** Sets, u32: role. */
export let setRoles: usize = 0;
/** Sets, u32: the first group of each. */
export let setGroups: usize = 0;
/** Sets, u32: whether the logarithm of the product so far is taken before the set enters it. */
export let setFolds: usize = 0;
/** Sets, f64: coefficient. */
export let setCoefficients: usize = 0;
/** Groups, u32: number of chains. */
export let groupSizes: usize = 0;
/**
 * For every half-sample and set: how many words follow; then, unless all chains are taken, by what their sum is multiplied
 * (f32), and where in `groupSums` the sum over those of each group is, in bytes.
 */
export let lists: usize = 0;
/** combinations x evaluations, f64: largest log-likelihood of a cell so far. */
export let largest: usize = 0;
/** combinations x evaluations, f64: sum of exp(log-likelihood - largest). */
export let sums: usize = 0;
/** combinations x evaluations, f64: the same sum without the cells level with the truth. */
export let others: usize = 0;
/** combinations x evaluations, f64: the sum of all with each term times the log-likelihood. */
export let logSums: usize = 0;
/** combinations x evaluations, f64: the sum of all with each term times the prior's logarithm, where there is a prior. */
export let priorLogSums: usize = 0;
/** combinations x evaluations, f64: cells above the truth. */
export let above: usize = 0;
/** combinations x evaluations, f64: cells level with the truth. */
export let equal: usize = 0;
/** combinations x guesses, f64: log-likelihoods of the most probable cells, in order. */
export let guessValues: usize = 0;
/** combinations x guesses, f64: the cells themselves. */
export let guessCells: usize = 0;
/** Combinations, f64: the prior's logarithm of the most probable cell. */
export let firstPriorLogs: usize = 0;
/** combinations x categories, f64: sums of exp(log-likelihood - largest) over the cells of a category. */
export let marginals: usize = 0;
/** combinations x cells of a block, f64: the estimate's log-likelihoods of the last block. */
export let values: usize = 0;

/** variables x classes, f64: products of pi with the probabilities of the first variables, one more in each. */
export let prefixes: usize = 0;
/** Cells of a block x variables, u32: their categories among all. */
export let cellCategories: usize = 0;
/** For each run of cells that differ in the last variable alone, u32: cells, and the first variable that changed. */
export let runs: usize = 0;
/** combinations of a group x tiles of a block x chains x TILE, f64: means of r_x, those of a tile side by side. */
export let means: usize = 0;
/** CHUNK, f64: the estimate's log-likelihoods. */
export let logs: usize = 0;
/** half-samples x CHUNK, f32: log-likelihoods. */
export let halfLogs: usize = 0;
/** CHUNK, f64: logarithms of the prior against the truth's. */
export let priorLogs: usize = 0;
/** half-samples x CHUNK, f32: the same. */
export let priorHalfLogs: usize = 0;
/** groups x 16 subsets x TILE, f32: sums over the chains of a subset, whose bits say which. */
export let groupSums: usize = 0;
/** TILE, f32: the estimate's log-likelihoods. */
export let wholes: usize = 0;
/** TILE, f32: the estimate's logarithms of the prior. */
export let priorWholes: usize = 0;

let free: usize = 0;

function allocate(count: usize, bytes: usize): usize {
  const at = free;
  free = aligned(at + count * bytes, VECTOR);
  return at;
}

/** Lays the memory out by the numbers that the host has set; called once. */
export function prepare(): void {
  rowStrips = (rows + 3) >> 2;
  const padded = <usize>(rowStrips << 2);
  const table = <usize>rows * evaluations;
  free = aligned(__heap_base, VECTOR);
  sizes = allocate(variables, 4);
  offsets = allocate(variables, 4);
  start = allocate(variables, 4);
  codes = allocate(max<usize>(padded, blockCells) * variables, 4);
  truths = allocate(rows, 8);
  chainFirst = allocate(chains, 4);
  chainDraws = allocate(chains, 4);
  setFirst = allocate(sets, 4);
  setChains = allocate(sets, 4);
  setRoles = allocate(sets, 4);
  setGroups = allocate(sets, 4);
  setFolds = allocate(sets, 4);
  setCoefficients = allocate(sets, 8);
  lists = allocate(listWords, 4);
  groupSizes = allocate(groups, 4);
  prefixes = allocate(<usize>variables * classes, 8);
  cellCategories = allocate(<usize>blockCells * variables, 4);
  runs = allocate(blockCells, 8);
  logs = allocate(CHUNK, 8);
  priorLogs = allocate(CHUNK, 8);
  halfLogs = allocate(<usize>evaluations * CHUNK, 4);
  priorHalfLogs = allocate(<usize>evaluations * CHUNK, 4);
  groupSums = allocate(<usize>groups * TILE, 16 * 4);
  wholes = allocate(TILE, 4);
  priorWholes = allocate(TILE, 4);
  largest = allocate(table, 8);
  sums = allocate(table, 8);
  others = allocate(table, 8);
  logSums = allocate(table, 8);
  priorLogSums = allocate(table, 8);
  above = allocate(table, 8);
  equal = allocate(table, 8);
  guessValues = allocate(<usize>rows * guesses, 8);
  guessCells = allocate(<usize>rows * guesses, 8);
  firstPriorLogs = allocate(rows, 8);
  marginals = allocate(<usize>rows * categories, 8);
  values = allocate(<usize>rows * blockCells, 8);
  panel = allocate(<usize>blockCells * draws, 8);
  means = allocate(<usize>(GROUP_STRIPS << 2) * chains * blockCells, 8);
  weights = allocate(padded * draws, 8);
  parameters = allocate(<usize>draws * (1 + categories) * classes, 8);
  reserve(free);
  for (let at: usize = 0; at < <usize>rows * guesses; at++) f64.store(guessValues + (at << 3), NONE);
}

/** Where strips of 4 items, from `base` on and with `count` draws, hold an item under a draw. */
export function stripAt(base: usize, item: usize, draw: usize, count: usize): usize {
  return base + ((((item >> 2) * count + draw) << 2) + (item & 3) << 3);
}

/** Where a chain's parameters are. */
export function parametersOf(chain: i32): usize {
  const before = <usize>load<u32>(chainFirst + (<usize>chain << 2));
  return parameters + (before * (1 + categories) * classes << 3);
}

/** Where a chain's densities of a block's cells are. */
export function panelOf(chain: i32): usize {
  return panel + ((<usize>blockCells * load<u32>(chainFirst + (<usize>chain << 2))) << 3);
}

/** Where a chain's weights are. */
export function weightsOf(chain: i32): usize {
  return weights + (<usize>(rowStrips << 2) * load<u32>(chainFirst + (<usize>chain << 2)) << 3);
}
