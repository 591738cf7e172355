/**
 * What a batch of rows of the model `mixed` is laid out by, and its memory. Vectors are over classes, f64, four classes at a
 * time (twice f64x2): the host adds classes of weight zero to a number that is no multiple of four.
 */
import { aligned } from '../math/memory';

/** Stands for a part, category or variable that is not there. */
export const NONE: u32 = 0xffffffff;
/** Cells are laid out in blocks of so many; those after the last are cells beyond the range. */
export const BLOCK: i32 = 8;

export let rows: i32 = 0;
/** Classes of a draw at most. */
export let mostClasses: i32 = 0;
/** Discrete parts, and their categories end to end. */
export let parts: i32 = 0;
export let categories: i32 = 0;
/** Continuous parts. */
export let continuous: i32 = 0;
/** Variables: each is a discrete part, a continuous one, or both. */
export let factors: i32 = 0;
/** Candidates of a row, the row itself among them. */
export let candidates: i32 = 0;
/** kappa0, a0 and b0 of the prior of the normals. */
export let kappa: f64 = 0;
export let normalShape: f64 = 0;
export let normalRate: f64 = 0;

/** Bytes of a vector of the draw at hand. */
export let vector: usize = 0;

/** parts + 1, u32: where the categories of each part begin. */
export let offsets: usize = 0;
/** continuous x 2: the square of the smallest standard deviation; and u32: cells that are asked for. */
export let floors: usize = 0;
export let cellCounts: usize = 0;
/** factors x 4, u32: the discrete part, the continuous part, the first candidate (0: none), masses. */
export let layout: usize = 0;
/** rows x parts, u32: the category, numbered over all parts. */
export let codes: usize = 0;
/** continuous x padded rows: values; NaN where there is none. */
export let values: usize = 0;
export let paddedRows: i32 = 0;

/** Of a draw: pi, the counts of the categories (u32), number, mean and centred squares of each continuous part; the class of each row. */
export let weights: usize = 0;
export let counts: usize = 0;
export let valueSums: usize = 0;
export let classOfRow: usize = 0;

/** categories x classes: the probability of each category. */
export let probabilities: usize = 0;
/** parts x classes: records that have any category, and with each of them the prior's one. */
export let totals: usize = 0;
/** continuous x classes x 2 x `CONSTANTS`: of the density of a class, and of it without a record. */
export let constants: usize = 0;
/** rows x continuous x classes: the density of each value. */
export let densities: usize = 0;
/** Of each continuous part, from `cellTables` (u32 addresses): classes x padded cells, their probabilities. */
export let cellTables: usize = 0;
/** continuous x classes: the least and the largest of these. */
export let least: usize = 0;
export let largest: usize = 0;

/** rows: the density of each row; 0 where it is too small to be scored here. */
export let scales: usize = 0;
/** rows x candidates: sums of ratios and of their squares over draws. */
export let sums: usize = 0;
export let squares: usize = 0;

/** (factors + 1) vectors: products of the factors before each. */
export let before: usize = 0;
/** factors vectors: products of a category's probability and a density. */
export let products: usize = 0;
export let after: usize = 0;
export let ones: usize = 0;
export let shares: usize = 0;
/** factors, u32 and f64: where each factor is, and what it is of the row's own class. */
export let factorAt: usize = 0;
export let ownFactor: usize = 0;
export let ownBefore: usize = 0;
/** classes x 16 bytes: share and table of each class that matters. */
export let mattering: usize = 0;
/** candidates, and the cells of one variable. */
export let ratios: usize = 0;
export let cellSums: usize = 0;

function room(numbers: i32): usize {
  return aligned(heap.alloc((<usize>numbers << 3) + 16), 16);
}

/** Cells of a continuous part, with those that fill its last block. */
export function paddedCells(part: i32): i32 {
  const cells = load<i32>(cellCounts + (<usize>part << 2));
  return (cells + BLOCK - 1) & -BLOCK;
}

/** Takes what the sizes alone say. */
export function prepare(): void {
  paddedRows = (rows + BLOCK - 1) & -BLOCK;
  offsets = room(parts + 1);
  floors = room(continuous);
  cellCounts = room(continuous);
  layout = room(factors << 1);
  codes = room(rows * parts);
  values = room(continuous * paddedRows);
  weights = room(mostClasses);
  counts = room(categories * mostClasses);
  valueSums = room(3 * continuous * mostClasses);
  classOfRow = room(rows);
  probabilities = room(categories * mostClasses);
  totals = room(parts * mostClasses);
  constants = room(continuous * mostClasses * 16);
  densities = room(paddedRows * continuous * mostClasses);
  cellTables = room(continuous);
  least = room(continuous * mostClasses);
  largest = room(continuous * mostClasses);
  scales = room(rows);
  sums = room(rows * candidates);
  squares = room(rows * candidates);
  before = room((factors + 1) * mostClasses);
  products = room(factors * mostClasses);
  after = room(mostClasses);
  ones = room(mostClasses);
  shares = room(mostClasses);
  factorAt = room(factors);
  ownFactor = room(factors);
  ownBefore = room(factors + 1);
  mattering = room(2 * mostClasses);
  ratios = room(candidates + 1);
  for (let f = 0; f < mostClasses; f++) store<f64>(ones + (<usize>f << 3), 1);
}

/** Takes room for the cells of each continuous part, after the host has said how many. */
export function prepareCells(): void {
  let most = 0;
  for (let j = 0; j < continuous; j++) {
    most = max(most, paddedCells(j));
    store<u32>(cellTables + (<usize>j << 2), <u32>room(paddedCells(j) * mostClasses));
  }
  cellSums = room(most);
}

/** Says how many classes the next draw has: a multiple of four. */
export function setClasses(classes: i32): void {
  vector = <usize>classes << 3;
}
