/**
 * The programs of shared/risk/mixed/log-mixed-ratios.ts and, where a dataset has something beside a row, log-beside-ratios.ts, in
 * products of densities in the place of sums of logarithms, some classes or cells at a time (f64x2), for all rows of a batch, added up
 * over draws. See there for the mathematics.
 */
import { lanes } from '../math/lanes';
import { addMasses } from './cell-masses';
import { leaveOut, openClass, openTaken, openWith, tableDraw, takeValues } from './class-tables';
import {
  after,
  before,
  besideCodes,
  besideValues,
  BLOCK,
  candidates,
  categories,
  cellCounts,
  cellSums,
  cellTables,
  classOfRow,
  codes,
  continuous,
  counts,
  densities,
  factorAt,
  factors,
  given,
  largest,
  layout,
  least,
  mattering,
  NONE,
  offsets,
  ones,
  ownBefore,
  ownFactor,
  paddedCells,
  paddedRows,
  parts,
  placeOfValue,
  probabilities,
  products,
  ratios,
  rows,
  scales,
  shares,
  squares,
  sums,
  together,
  totals,
  values,
  vector,
  weights,
  withins,
} from './shape';
import { location, student } from './student';

export {
  besideCodes,
  besideValues,
  candidates,
  categories,
  cellCounts,
  classOfRow,
  codes,
  continuous,
  counts,
  distinctCounts,
  distinctValues,
  factors,
  floors,
  kappa,
  layout,
  mostClasses,
  normalRate,
  normalShape,
  offsets,
  paddedRows,
  parts,
  placeOfValue,
  prepare,
  prepareCells,
  rows,
  scales,
  setClasses,
  squares,
  sums,
  together,
  valueSums,
  values,
  weights,
} from './shape';

/**
 * What is left out of a cell's probability is less than this share of it for each class: nothing that is printed has as many
 * digits.
 */
const NEGLIGIBLE: f64 = 1e-16;

/** The row at hand: its class in bytes of a vector, and where its codes are. */
let row: i32 = 0;
let own: usize = 0;
let ownCodes: usize = 0;
let ownBeside: usize = 0;

function word(array: usize, index: i32): u32 {
  return load<u32>(array + (<usize>index << 2));
}

function number(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

function valueIn(j: i32): f64 {
  return number(values, j * paddedRows + row);
}

/** What the dataset has beside the row. */
function besideIn(j: i32): f64 {
  return number(besideValues, j * paddedRows + row);
}

/** out = a b, class by class; `out` may be one of them. */
function multiply(a: usize, b: usize, out: usize): void {
  for (let f: usize = 0; f < vector; f += 32) {
    const product = f64x2.mul(v128.load(a + f), v128.load(b + f));
    const next = f64x2.mul(v128.load(a + f, 16), v128.load(b + f, 16));
    v128.store(out + f, product);
    v128.store(out + f, next, 16);
  }
}

/** The sum over classes of one vector times another. */
function sumOfProducts(a: usize, b: usize): f64 {
  let sum = f64x2.splat(0);
  let next = sum;
  for (let f: usize = 0; f < vector; f += 32) {
    sum = f64x2.add(sum, f64x2.mul(v128.load(a + f), v128.load(b + f)));
    next = f64x2.add(next, f64x2.mul(v128.load(a + f, 16), v128.load(b + f, 16)));
  }
  return lanes(f64x2.add(sum, next));
}

/** The sum over classes of the shares times a vector. */
function weighed(by: usize): f64 {
  return sumOfProducts(shares, by);
}

/** Records of the row's own class that have a category of a part, and with each the prior's one, without the row: it has one. */
function totalLeft(k: u32): f64 {
  return load<f64>(totals + <usize>k * vector + own) - 1;
}

/** Opens the density of a further value in the row's own class, without the row. */
function openOwn(j: i32): void {
  takeValues(j, own);
  leaveOut(valueIn(j));
  openTaken();
}

/**
 * What the classes give a category, each with what the dataset has beside the row as a record more: the row's own class has that record.
 *
 * @param out receives it where there is such a record
 */
function givenCategory(k: u32, category: u32, out: usize): usize {
  const at = probabilities + <usize>category * vector;
  const beside = word(ownBeside, k);
  if (beside == NONE) return at;
  const held = f64x2.splat(category == beside ? 1 : 0);
  const one = f64x2.splat(1);
  for (let f: usize = 0; f < vector; f += 16) {
    const total = v128.load(totals + <usize>k * vector + f);
    v128.store(out + f, f64x2.div(f64x2.add(f64x2.mul(v128.load(at + f), total), held), f64x2.add(total, one)));
  }
  store<f64>(out + own, load<f64>(at + own));
  return out;
}

/** Densities of the row's value in the classes, in the same way. */
function givenDensity(j: i32): usize {
  const beside = besideIn(j);
  const at = j * paddedRows;
  if (beside != beside) return densities + <usize>(at + word(placeOfValue, at + row)) * vector;
  for (let f: usize = 0; f < vector; f += 8) {
    openWith(j, f, beside);
    store<f64>(given + f, student(valueIn(j) - location));
  }
  return given;
}

/** Multiplies by what the classes give that which the dataset has beside the row; returns it of the own class, without both. */
function multiplyBeside(): f64 {
  let ownNumber: f64 = 1;
  for (let k = 0; k < parts; k++) {
    const category = word(ownBeside, k);
    if (category == NONE) continue;
    const at = <usize>category * vector;
    multiply(before, probabilities + at, before);
    const held = word(ownCodes, k);
    const others = <f64>load<u32>(counts + ((at + own) >> 1)) - (held == category ? 1 : 0);
    ownNumber *= others / (load<f64>(totals + <usize>k * vector + own) - (held == NONE ? 1 : 2));
  }
  for (let j = 0; j < continuous; j++) {
    const value = besideIn(j);
    if (value != value) continue;
    const within = withins + <usize>j * vector;
    for (let f: usize = 0; f < vector; f += 8) {
      openClass(j, f);
      store<f64>(given + f, student(value - location) * load<f64>(within + f));
    }
    multiply(before, given, before);
    takeValues(j, own);
    leaveOut(valueIn(j));
    leaveOut(value);
    openTaken();
    ownNumber *= student(value - location) * load<f64>(within + own);
  }
  return ownNumber;
}

/** Finds what the classes give a variable of the row: a vector, and the number of the row's own class without the row. */
function findFactor(v: i32): void {
  const k = word(layout, 4 * v);
  const j = word(layout, 4 * v + 1);
  const product = products + <usize>v * vector;
  let at = ones;
  let ownNumber: f64 = 1;
  const category = k == NONE ? NONE : word(ownCodes, k);
  if (category != NONE) {
    at = givenCategory(k, category, product);
    ownNumber = <f64>load<u32>(counts + ((<usize>category * vector + own) >> 1)) / totalLeft(k);
  }
  if (j != NONE) {
    const value = valueIn(j);
    if (value == value) {
      multiply(at, givenDensity(j), product);
      at = product;
      openOwn(j);
      ownNumber *= student(value - location);
    }
  }
  store<u32>(factorAt + (<usize>v << 2), <u32>at);
  store<f64>(ownFactor + (<usize>v << 3), ownNumber);
}

/** Products of the factors before each; returns the density of the row. */
function multiplyFactors(): f64 {
  memory.copy(before, weights, vector);
  // The row's own class has numbers of its own.
  store<f64>(before + own, 0);
  store<f64>(ownBefore, load<f64>(weights + own) * multiplyBeside());
  let product = before;
  for (let v = 0; v < factors; v++, product += vector) {
    findFactor(v);
    multiply(product, <usize>word(factorAt, v), product + vector);
    store<f64>(ownBefore + (<usize>(v + 1) << 3), number(ownBefore, v) * number(ownFactor, v));
  }
  let sum = f64x2.splat(0);
  for (let f: usize = 0; f < vector; f += 16) sum = f64x2.add(sum, v128.load(product + f));
  return lanes(sum) + number(ownBefore, factors);
}

/** Ratios of the other categories of a part, `first` onwards, given shares without its factor. */
function scoreCategories(k: u32, from: u32, ownShare: f64, first: usize): void {
  // Of a category that the row does not have, the own class's probability without the row differs in the total alone.
  const total = load<f64>(totals + <usize>k * vector + own);
  store<f64>(shares + own, (ownShare * total) / (total - 1));
  const held = word(ownCodes, k);
  const end = word(offsets, k + 1);
  for (let category = from; category < end; category++) {
    if (category == held) continue;
    store<f64>(first, weighed(givenCategory(k, category, given)));
    first += 8;
  }
  store<f64>(shares + own, 0);
}

/** Ratios of the masses of a variable's indicator, whose category 0 is none of them; of the mass that holds the value it is 1. */
function scoreMasses(k: u32, ownShare: f64, first: usize): void {
  const from = word(offsets, k) + 1;
  scoreCategories(k, from, ownShare, first);
  const held = word(ownCodes, k);
  if (held < from) return;
  // Those after it move up by one.
  const place = first + (<usize>(held - from) << 3);
  memory.copy(place + 8, place, <usize>(word(offsets, k + 1) - 1 - held) << 3);
  store<f64>(place, 1);
}

/**
 * Ratios of all values of the last variables, which are unknown together, but the row's own; the last runs fastest.
 *
 * @param v the first of them; before + v holds what the classes have without them, and 0 for the row's own class
 * @param ownShare what that one has
 * @param isOwn whether those before have the row's own values
 * @param next where the next ratio goes; returns the same after these
 */
function scoreTogether(v: i32, ownShare: f64, isOwn: bool, next: usize): usize {
  const k = word(layout, 4 * v);
  const held = word(ownCodes, k);
  const left = before + <usize>v * vector;
  const end = word(offsets, k + 1);
  for (let category = word(offsets, k); category < end; category++) {
    const holds = category == held;
    const at = givenCategory(k, category, given);
    const others = <f64>load<u32>(counts + ((<usize>category * vector + own) >> 1)) + (holds ? 0 : 1);
    const ownProduct = (ownShare * others) / totalLeft(k);
    if (v + 1 < factors) {
      multiply(left, at, left + vector);
      next = scoreTogether(v + 1, ownProduct, isOwn && holds, next);
    } else if (!(isOwn && holds)) {
      store<f64>(next, sumOfProducts(left, at) + ownProduct);
      next += 8;
    }
  }
  return next;
}

/** Adds up the tables of the classes whose share can be seen in some cell; returns the least sum. */
function addTables(j: i32, padded: i32): f64 {
  const lows = least + <usize>j * vector;
  const cut = NEGLIGIBLE * weighed(lows);
  let listed = mattering;
  let table = word(cellTables, j);
  for (let f: usize = 0; f < vector; f += 8, table += <u32>padded << 3) {
    const share = load<f64>(shares + f);
    if (!(share * load<f64>(largest + <usize>j * vector + f) > cut)) continue;
    store<f64>(listed, share);
    store<u32>(listed, table, 8);
    listed += 16;
  }
  let smallest = f64x2.splat(Infinity);
  const bytes = <usize>padded << 3;
  for (let c: usize = 0; c < bytes; c += BLOCK << 3) {
    let sum0 = f64x2.splat(0);
    let sum1 = sum0;
    let sum2 = sum0;
    let sum3 = sum0;
    for (let at = mattering; at < listed; at += 16) {
      const share = v128.load64_splat(at);
      const cells = <usize>load<u32>(at, 8) + c;
      sum0 = f64x2.add(sum0, f64x2.mul(share, v128.load(cells)));
      sum1 = f64x2.add(sum1, f64x2.mul(share, v128.load(cells, 16)));
      sum2 = f64x2.add(sum2, f64x2.mul(share, v128.load(cells, 32)));
      sum3 = f64x2.add(sum3, f64x2.mul(share, v128.load(cells, 48)));
    }
    v128.store(cellSums + c, sum0);
    v128.store(cellSums + c, sum1, 16);
    v128.store(cellSums + c, sum2, 32);
    v128.store(cellSums + c, sum3, 48);
    smallest = f64x2.min(smallest, f64x2.min(f64x2.min(sum0, sum1), f64x2.min(sum2, sum3)));
  }
  return min(f64x2.extract_lane(smallest, 0), f64x2.extract_lane(smallest, 1));
}

/** The least that the open density gives a cell in which its mode is not: it has one mode, and half a cell is left at an end. */
function leastMass(width: f64): f64 {
  return 0.5 * width * min(student(0.5 * width - location), student(1 - 0.5 * width - location));
}

/** Adds up what the classes give each cell, with the value that the dataset has beside the row as a value more. */
function addGiven(j: i32, cells: i32, padded: i32, ownCell: f64): void {
  const beside = besideIn(j);
  const width = 1 / <f64>cells;
  openOwn(j);
  let smallest = ownCell * leastMass(width);
  for (let f: usize = 0; f < vector; f += 8) {
    const share = load<f64>(shares + f);
    if (share == 0) continue;
    openWith(j, f, beside);
    smallest += share * leastMass(width);
  }
  const cut = NEGLIGIBLE * smallest;
  memory.fill(cellSums, 0, <usize>padded << 3);
  for (let f: usize = 0; f < vector; f += 8) {
    const share = load<f64>(shares + f);
    // No cell has more than 1.
    if (!(share > cut)) continue;
    openWith(j, f, beside);
    addMasses(cellSums, cells, padded, share, cut);
  }
  if (!(ownCell > cut)) return;
  openOwn(j);
  addMasses(cellSums, cells, padded, ownCell, cut);
}

/** The same where the dataset has no value: from tables, and of the own class without the row. */
function addTabled(j: i32, cells: i32, padded: i32, ownCell: f64): void {
  const smallest = addTables(j, padded);
  if (!(ownCell > 0)) return;
  openOwn(j);
  addMasses(cellSums, cells, padded, ownCell, NEGLIGIBLE * smallest);
}

/** Ratios of the masses and cells of a continuous variable, given shares without its factor. */
function scoreValues(v: i32, ownShare: f64): void {
  const k = word(layout, 4 * v);
  const j = word(layout, 4 * v + 1);
  let first = ratios + (<usize>word(layout, 4 * v + 2) << 3);
  let ownCell = ownShare;
  if (k == NONE) {
    const value = valueIn(j);
    if (value != value) return;
  } else {
    const held = word(ownCodes, k);
    if (held == NONE) return;
    scoreMasses(k, ownShare, first);
    const none = word(offsets, k);
    const at = <usize>none * vector;
    multiply(shares, givenCategory(k, none, given), shares);
    ownCell *= (<f64>load<u32>(counts + ((at + own) >> 1)) + (held == none ? 0 : 1)) / totalLeft(k);
    first += <usize>word(layout, 4 * v + 3) << 3;
  }
  const cells = <i32>word(cellCounts, j);
  const padded = paddedCells(j);
  const beside = besideIn(j);
  if (beside == beside) addGiven(j, cells, padded, ownCell);
  else addTabled(j, cells, padded, ownCell);
  memory.copy(first, cellSums, <usize>cells << 3);
}

/** Ratios of one row; returns its density, or 0 where they have to be found in logarithms. */
function scoreRow(safeDensity: f64): f64 {
  const density = multiplyFactors();
  if (!(density >= safeDensity && density < Infinity)) return 0;
  for (let at = ratios, end = ratios + (<usize>candidates << 3); at < end; at += 8) store<f64>(at, 1);
  if (candidates == 1) return density;
  const scale = 1 / density;
  for (let f: usize = 0; f < vector; f += 16) v128.store(after + f, f64x2.splat(scale));
  if (together > 0) {
    const first = factors - together;
    const left = before + <usize>first * vector;
    multiply(left, after, left);
    scoreTogether(first, number(ownBefore, first) * scale, true, ratios + 8);
    return density;
  }
  let ownAfter = scale;
  for (let v = factors - 1; v >= 0; v--) {
    const first = word(layout, 4 * v + 2);
    if (first != 0) {
      multiply(before + <usize>v * vector, after, shares);
      const ownShare = number(ownBefore, v) * ownAfter;
      const k = word(layout, 4 * v);
      if (word(layout, 4 * v + 1) != NONE) scoreValues(v, ownShare);
      else if (word(ownCodes, k) != NONE) scoreCategories(k, word(offsets, k), ownShare, ratios + (<usize>first << 3));
    }
    multiply(after, <usize>word(factorAt, v), after);
    ownAfter *= number(ownFactor, v);
  }
  // A class may have more than a double holds of the later factors, and be nothing by the earlier ones.
  const infinity = f64x2.splat(Infinity);
  let finite = f64x2.lt(f64x2.splat(ownAfter), infinity);
  for (let f: usize = 0; f < vector; f += 16) finite = v128.and(finite, f64x2.lt(v128.load(after + f), infinity));
  return i64x2.all_true(finite) ? density : 0;
}

/** Adds the ratios of the row at hand, and their squares, to the sums. */
function addRatios(): void {
  const from = <usize>(row * candidates) << 3;
  let sum = sums + from;
  let square = squares + from;
  const end = ratios + (<usize>candidates << 3);
  let at = ratios;
  for (; at + 16 <= end; at += 16, sum += 16, square += 16) {
    const ratio = v128.load(at);
    v128.store(sum, f64x2.add(v128.load(sum), ratio));
    v128.store(square, f64x2.add(v128.load(square), f64x2.mul(ratio, ratio)));
  }
  if (at == end) return;
  const ratio = load<f64>(at);
  store<f64>(sum, load<f64>(sum) + ratio);
  store<f64>(square, load<f64>(square) + ratio * ratio);
}

/**
 * Adds the ratios of a draw, whose pi, counts, sums and classes are in memory. The density of each row goes into `scales`: 0
 * where it is below `safeDensity`, or where products are beyond a double, and then nothing is added.
 *
 * @returns how many rows have none
 */
export function score(safeDensity: f64): i32 {
  tableDraw();
  let unsafe = 0;
  for (row = 0; row < rows; row++) {
    own = <usize>word(classOfRow, row) << 3;
    ownCodes = codes + (<usize>(row * parts) << 2);
    ownBeside = besideCodes + (<usize>(row * parts) << 2);
    const density = scoreRow(safeDensity);
    store<f64>(scales + (<usize>row << 3), density);
    if (density == 0) unsafe++;
    else addRatios();
  }
  return unsafe;
}
