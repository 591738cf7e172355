/**
 * The program of shared/risk/continuous/continuous-figures.ts: what is known of a record's continuous variable before and after
 * the release, the others known. See there for the mathematics; the operations are the same in the same order, so that the
 * results are the same to the last bit.
 */
import { aligned, VECTOR } from '../math/memory';
import { expLanes, log } from '../math/portable-math';

const LN2: f64 = 0.6931471805599453;

/** Numbers of a mass or cell. */
export const CELL_NUMBERS: i32 = 4;

/** Tails of the interval on either side. */
export let intervalTail: f64 = 0;

/** entries x 2, f64: weights before and after the release, beside each other. */
let weights: usize = 0;

/** The variable that is open: its entries, u32 a candidate of each, and entries x CELL_NUMBERS, f64. */
let entries: i32 = 0;
let candidates: usize = 0;
let cells: usize = 0;
/** The entry of the mass that holds the truth, or -1; and the probability of one unit of its density, in logarithms. */
let truthEntry: i32 = -1;
let logPrecision: f64 = 0;

/** Takes room for variables of at most so many masses and cells; returns where it ends. */
export function layOutCells(from: usize, mostEntries: i32): usize {
  weights = aligned(from, VECTOR);
  return weights + (<usize>mostEntries << 4);
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

/** The share of the truth that the interval holds: of a mass with the probability `own`, or of a value. */
function coveredShare(below: f64, own: f64): f64 {
  if (own <= 0) return below >= intervalTail && below <= 1 - intervalTail ? 1 : 0;
  const held = min(below + own, 1 - intervalTail) - max(below, intervalTail);
  return max<f64>(0, held / own);
}

/** The share within the tolerance, CRPS and cover before and after, into places 0, 4 and 6 of `figures` and those behind them. */
function judgeCells(totals: v128, figures: usize): void {
  const one = f64x2.splat(1);
  let sum = f64x2.splat(0);
  let below = sum;
  let within = sum;
  let crps = sum;
  let cell = cells;
  for (let v = 0; v < entries; v++, cell += CELL_NUMBERS << 3) {
    const probability = f64x2.div(v128.load(weights + (<usize>v << 4)), totals);
    const gap = load<f64>(cell);
    const shareBelow = v128.load64_splat(cell, 16);
    const above = f64x2.sub(one, sum);
    const apart = gap >= 0 ? f64x2.mul(sum, sum) : f64x2.mul(above, above);
    crps = f64x2.add(crps, f64x2.mul(f64x2.splat(abs(gap)), apart));
    const part = f64x2.mul(probability, shareBelow);
    const middle = f64x2.add(sum, part);
    const end = f64x2.add(sum, probability);
    let low = f64x2.add(f64x2.mul(sum, sum), f64x2.mul(sum, middle));
    low = f64x2.mul(f64x2.add(low, f64x2.mul(middle, middle)), shareBelow);
    const beyond = f64x2.sub(one, middle);
    const rest = f64x2.sub(one, end);
    let high = f64x2.add(f64x2.mul(beyond, beyond), f64x2.mul(beyond, rest));
    high = f64x2.mul(f64x2.add(high, f64x2.mul(rest, rest)), f64x2.sub(one, shareBelow));
    const third = f64x2.div(f64x2.mul(v128.load64_splat(cell, 8), f64x2.add(low, high)), f64x2.splat(3));
    crps = f64x2.add(crps, third);
    below = f64x2.add(below, part);
    within = f64x2.add(within, f64x2.mul(probability, v128.load64_splat(cell, 24)));
    sum = end;
  }
  v128.store(figures, within);
  v128.store(figures, crps, 32);
  const own = truthEntry < 0 ? f64x2.splat(0) : f64x2.div(v128.load(weights + (<usize>truthEntry << 4)), totals);
  put(figures, 6, coveredShare(f64x2.extract_lane(below, 0), f64x2.extract_lane(own, 0)));
  put(figures, 7, coveredShare(f64x2.extract_lane(below, 1), f64x2.extract_lane(own, 1)));
}

/**
 * Figures of the open variable in one evaluation.
 *
 * @param prior candidates, f64: logarithms; `row` the log-likelihoods
 * @param figures nine, f64
 */
export function weighCells(prior: usize, row: usize, figures: usize): void {
  let most = f64x2.splat(-Infinity);
  for (let v = 0; v < entries; v++) {
    const x = load<u32>(candidates + (<usize>v << 2));
    const own = f64x2.replace_lane(v128.load64_splat(prior + (<usize>x << 3)), 1, at(prior, x) + at(row, x));
    v128.store(weights + (<usize>v << 4), own);
    most = f64x2.max(most, own);
  }
  let totals = f64x2.splat(0);
  let moment: f64 = 0;
  for (let v = 0; v < entries; v++) {
    const place = weights + (<usize>v << 4);
    const raised = expLanes(f64x2.sub(v128.load(place), most));
    v128.store(place, raised);
    totals = f64x2.add(totals, raised);
    moment += f64x2.extract_lane(raised, 1) * at(row, load<u32>(candidates + (<usize>v << 2)));
  }
  const totalAfter = f64x2.extract_lane(totals, 1);
  const allBefore = f64x2.extract_lane(most, 0) + log(f64x2.extract_lane(totals, 0));
  const shift = f64x2.extract_lane(most, 1) + log(totalAfter) - allBefore;
  judgeCells(totals, figures);
  put(figures, 2, (load<f64>(row) - shift) / LN2);
  put(figures, 3, max<f64>(0, (moment / totalAfter - shift) / LN2));
  put(figures, 8, max<f64>(0, (allBefore - load<f64>(prior) - logPrecision) / LN2));
}
