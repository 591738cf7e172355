/**
 * The program of shared/risk/continuous/continuous-figures.ts: what is known of a record's continuous variable before and after
 * the release, the others known. See there for the mathematics; the operations are the same in the same order, so that the
 * results are the same to the last bit.
 */
import { exp, log } from '../math/portable-math';

const LN2: f64 = 0.6931471805599453;

/** Numbers of a mass or cell. */
export const CELL_NUMBERS: i32 = 4;

/** Tails of the interval on either side. */
export let intervalTail: f64 = 0;

/** entries, f64: weights before and after the release. */
let before: usize = 0;
let after: usize = 0;

/** The variable that is open: its entries, u32 a candidate of each, and entries x CELL_NUMBERS, f64. */
let entries: i32 = 0;
let candidates: usize = 0;
let cells: usize = 0;
/** The entry of the mass that holds the truth, or -1; and the probability of one unit of its density, in logarithms. */
let truthEntry: i32 = -1;
let logPrecision: f64 = 0;

/** Takes room for variables of at most so many masses and cells; returns where it ends. */
export function layOutCells(from: usize, mostEntries: i32): usize {
  before = from;
  after = before + (<usize>mostEntries << 3);
  return after + (<usize>mostEntries << 3);
}

/** Opens the variable whose entries begin at `candidatesAt`, u32, and `cellsAt`, f64; `own` is the entry of the truth, or -1. */
export function openCells(entryCount: i32, candidatesAt: usize, cellsAt: usize, own: i32, precision: f64): void {
  entries = entryCount;
  candidates = candidatesAt;
  cells = cellsAt;
  truthEntry = own;
  logPrecision = precision;
}

function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

function put(array: usize, index: i32, value: f64): void {
  store<f64>(array + (<usize>index << 3), value);
}

/** Turns logarithms of weights into weights by the largest; returns what they add up to. */
function raiseWeights(weights: usize, most: f64): f64 {
  let total: f64 = 0;
  for (let v = 0; v < entries; v++) {
    const weight = exp(at(weights, v) - most);
    put(weights, v, weight);
    total += weight;
  }
  return total;
}

/** The share of the truth that the interval holds: of a mass with the probability `own`, or of a value. */
function coveredShare(below: f64, own: f64): f64 {
  if (own <= 0) return below >= intervalTail && below <= 1 - intervalTail ? 1 : 0;
  const held = min(below + own, 1 - intervalTail) - max(below, intervalTail);
  return max<f64>(0, held / own);
}

/** The share within the tolerance, CRPS and cover of a distribution, into places 0, 4 and 6 of `figures`. */
function judgeCells(weights: usize, total: f64, figures: usize): void {
  let sum: f64 = 0;
  let below: f64 = 0;
  let within: f64 = 0;
  let crps: f64 = 0;
  for (let v = 0; v < entries; v++) {
    const probability = at(weights, v) / total;
    const cell = cells + (<usize>(v * CELL_NUMBERS) << 3);
    const gap = load<f64>(cell);
    const shareBelow = load<f64>(cell, 16);
    crps += gap >= 0 ? gap * (sum * sum) : -gap * ((1 - sum) * (1 - sum));
    const middle = sum + probability * shareBelow;
    const end = sum + probability;
    const low = (sum * sum + sum * middle + middle * middle) * shareBelow;
    const high = ((1 - middle) * (1 - middle) + (1 - middle) * (1 - end) + (1 - end) * (1 - end)) * (1 - shareBelow);
    crps += (load<f64>(cell, 8) * (low + high)) / 3;
    below += probability * shareBelow;
    within += probability * load<f64>(cell, 24);
    sum = end;
  }
  const own = truthEntry < 0 ? 0 : at(weights, truthEntry) / total;
  put(figures, 0, within);
  put(figures, 4, crps);
  put(figures, 6, coveredShare(below, own));
}

/**
 * Figures of the open variable in one evaluation.
 *
 * @param prior candidates, f64: logarithms; `row` the log-likelihoods
 * @param figures nine, f64
 */
export function weighCells(prior: usize, row: usize, figures: usize): void {
  let mostBefore: f64 = -Infinity;
  let mostAfter: f64 = -Infinity;
  for (let v = 0; v < entries; v++) {
    const x = load<u32>(candidates + (<usize>v << 2));
    put(before, v, at(prior, x));
    put(after, v, at(prior, x) + at(row, x));
    mostBefore = max(mostBefore, at(before, v));
    mostAfter = max(mostAfter, at(after, v));
  }
  const totalBefore = raiseWeights(before, mostBefore);
  const totalAfter = raiseWeights(after, mostAfter);
  let moment: f64 = 0;
  for (let v = 0; v < entries; v++) moment += at(after, v) * at(row, load<u32>(candidates + (<usize>v << 2)));
  const allBefore = mostBefore + log(totalBefore);
  const shift = mostAfter + log(totalAfter) - allBefore;
  judgeCells(before, totalBefore, figures);
  judgeCells(after, totalAfter, figures + 8);
  put(figures, 2, (load<f64>(row) - shift) / LN2);
  put(figures, 3, max<f64>(0, (moment / totalAfter - shift) / LN2));
  put(figures, 8, max<f64>(0, (allBefore - load<f64>(prior) - logPrecision) / LN2));
}
