/**
 * What a batch of rows of the model `mixed` is laid out by, and its memory. Vectors are over classes, f64, four classes at a
 * time (twice f64x2): the host adds classes of weight zero to a number that is no multiple of four.
 */
import { aligned } from '../math/memory';

/** Stands for a part, category or variable that is not there. */
export const NONE: u32 = 0xffffffff;
/** Cells are laid out in blocks of so many; those after the last are cells beyond the range. */
export const BLOCK: i32 = 8;
/** Numbers of what is known of a density when no value is: `prepareStudent`. */
export const CONSTANTS: i32 = 10;

/** Rows of the batch. */
export let rows: i32 = 0;
/** Classes of a draw at most. */
export let mostClasses: i32 = 0;
/** Discrete parts. */
export let parts: i32 = 0;
/** Categories of all parts. */
export let categories: i32 = 0;
/** Continuous parts. */
export let continuous: i32 = 0;
/** Variables: each is a discrete part, a continuous one, or both. */
export let factors: i32 = 0;
/** The last of them are unknown together: so many, all discrete parts; 0 where each variable is guessed at by itself. */
export let together: i32 = 0;
/** Candidates of a row, the row itself among them. */
export let candidates: i32 = 0;
/** kappa0 of the prior of the normals. */
export let kappa: f64 = 0;
/** a0. */
export let normalShape: f64 = 0;
/** b0. */
export let normalRate: f64 = 0;

/** Bytes of a vector of the draw at hand. */
export let vector: usize = 0;

/** parts + 1, u32: where the categories of each part begin. */
export let offsets: usize = 0;
/** continuous: squares of the smallest standard deviations. */
export let floors: usize = 0;
/** continuous, u32: cells that are asked for of each continuous part; 0 of one that is not guessed at. */
export let cellCounts: usize = 0;
/** factors x 4, u32: the discrete part, the continuous part, the first candidate (0: none), masses. */
export let layout: usize = 0;
/** rows x parts, u32: the category, numbered over all parts. */
export let codes: usize = 0;
/** continuous x padded rows: values; NaN where there is none. */
export let values: usize = 0;
/** continuous, u32: how many distinct values the rows have. */
export let distinctCounts: usize = 0;
/** continuous x padded rows: these values. */
export let distinctValues: usize = 0;
/** continuous x padded rows, u32: where among these the value of each row is. */
export let placeOfValue: usize = 0;
/** rows x parts, u32: the category that a dataset has beside the row where it was synthesized; `NONE` elsewhere. */
export let besideCodes: usize = 0;
/** continuous x padded rows: the values that it has there; NaN elsewhere. */
export let besideValues: usize = 0;
/** Rows with those that fill the last block. */
export let paddedRows: i32 = 0;

/** A vector: pi of a draw. */
export let weights: usize = 0;
/** categories x classes, u32: records of a draw's classes that have each category. */
export let counts: usize = 0;
/** continuous x 3 x classes: number, mean and centred squares of the values. */
export let valueSums: usize = 0;
/** rows, u32: the class of each. */
export let classOfRow: usize = 0;

/** categories x classes: the probability of each category. */
export let probabilities: usize = 0;
/** parts x classes: records that have any category, and with each of them the prior's one. */
export let totals: usize = 0;
/** continuous x classes x 4 x `CONSTANTS`: of the density of a class without two records, without one, with all, and with one more. */
export let constants: usize = 0;
/** continuous x classes: 1 by the share of the density within the range, where a dataset has values beside rows. */
export let withins: usize = 0;
/** continuous x padded rows x classes: the density of each distinct value. */
export let densities: usize = 0;
/** Of each continuous part, from `cellTables` (u32 addresses): classes x padded cells, their probabilities. */
export let cellTables: usize = 0;
/** continuous x classes: the least of these. */
export let least: usize = 0;
/** continuous x classes: the largest of them. */
export let largest: usize = 0;

/** rows: the density of each row; 0 where it is too small to be scored here. */
export let scales: usize = 0;
/** rows x candidates: sums of ratios over draws. */
export let sums: usize = 0;
/** The same of their squares. */
export let squares: usize = 0;

/** (factors + 1) vectors: products of the factors before each. */
export let before: usize = 0;
/** factors vectors: products of a category's probability and a density. */
export let products: usize = 0;
/** A vector: the product of the factors after the one at hand. */
export let after: usize = 0;
/** A vector of ones. */
export let ones: usize = 0;
/** A vector: shares of the classes without the factor at hand. */
export let shares: usize = 0;
/** A vector: what the classes give a category or a value, given what the dataset has beside the row. */
export let given: usize = 0;
/** factors, u32: where the vector of each is. */
export let factorAt: usize = 0;
/** factors: what each is of the row's own class, without the row. */
export let ownFactor: usize = 0;
/** factors + 1: products of these. */
export let ownBefore: usize = 0;
/** classes x 16 bytes: share and table of each class that matters. */
export let mattering: usize = 0;
/** candidates: ratios of the row at hand. */
export let ratios: usize = 0;
/** Cells of one variable, padded: their sums over classes. */
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
  distinctCounts = room(continuous);
  distinctValues = room(continuous * paddedRows);
  placeOfValue = room(continuous * paddedRows);
  besideCodes = room(rows * parts);
  besideValues = room(continuous * paddedRows);
  weights = room(mostClasses);
  counts = room(categories * mostClasses);
  valueSums = room(3 * continuous * mostClasses);
  classOfRow = room(rows);
  probabilities = room(categories * mostClasses);
  totals = room(parts * mostClasses);
  constants = room(continuous * mostClasses * 4 * CONSTANTS);
  withins = room(continuous * mostClasses);
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
  given = room(mostClasses);
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
