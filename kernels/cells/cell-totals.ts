/** What is asked of the cells, added up for each combination. */
import { lanes } from '../math/lanes';
import {
  CHUNK,
  above,
  categories,
  cellCategories,
  equal,
  evaluations,
  firstPriorLogs,
  guessCells,
  guessValues,
  guesses,
  halfLogs,
  largest,
  logSums,
  logs,
  marginals,
  others,
  priorHalfLogs,
  priorLogSums,
  priorLogs,
  priorSet,
  sums,
  variables,
} from './cell-memory';
import { exp, expLanes } from '../math/portable-math';
import { expSingles } from '../math/single-math';

/** Adds a chunk's cells, whose log-likelihoods are in `logs` and `halfLogs`, to the sums of a combination. */
export function addChunk(row: i32, first: usize, cells: i32, from: f64): void {
  keepGuesses(row, cells, from);
  addEstimate(row);
  addMarginals(row, first, cells);
  for (let b = 1; b < evaluations; b++) addHalf(<usize>row * evaluations + b << 3, <usize>(b - 1) * CHUNK << 2);
}

/**
 * The largest log-likelihood so far, with `chunkLargest` among them. Where that is the largest, the sums in place `at` are
 * scaled down.
 */
function scaleOf(at: usize, chunkLargest: f64): f64 {
  const scale = f64.load(largest + at);
  if (!(chunkLargest > scale)) return scale;
  const factor = exp(scale - chunkLargest);
  f64.store(largest + at, chunkLargest);
  f64.store(sums + at, f64.load(sums + at) * factor);
  f64.store(others + at, f64.load(others + at) * factor);
  f64.store(logSums + at, f64.load(logSums + at) * factor);
  f64.store(priorLogSums + at, f64.load(priorLogSums + at) * factor);
  return chunkLargest;
}

function increase(at: usize, by: f64): void {
  f64.store(at, f64.load(at) + by);
}

/** Adds the estimate itself; its weights take the place of its log-likelihoods. */
function addEstimate(row: i32): void {
  const at = <usize>row * evaluations << 3;
  const end: usize = CHUNK << 3;
  let most = v128.load(logs);
  for (let x: usize = 16; x < end; x += 16) most = f64x2.max(most, v128.load(logs + x));
  const before = f64.load(largest + at);
  const scale = scaleOf(at, max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)));
  if (scale > before) {
    const factor = exp(before - scale);
    const own = marginals + (<usize>row * categories << 3);
    for (let c = own; c < own + (<usize>categories << 3); c += 8) f64.store(c, f64.load(c) * factor);
  }
  const shift = f64x2.splat(scale);
  const zero = f64x2.splat(0);
  let sum = zero;
  let other = zero;
  let logSum = zero;
  let priorSum = zero;
  let larger = zero;
  let same = zero;
  for (let x: usize = 0; x < end; x += 16) {
    const value = v128.load(logs + x);
    const weight = expLanes(f64x2.sub(value, shift));
    sum = f64x2.add(sum, weight);
    logSum = f64x2.add(logSum, f64x2.mul(weight, value));
    if (priorSet >= 0) priorSum = f64x2.add(priorSum, f64x2.mul(weight, v128.load(priorLogs + x)));
    larger = i64x2.sub(larger, f64x2.gt(value, zero));
    const level = f64x2.eq(value, zero);
    same = i64x2.sub(same, level);
    other = f64x2.add(other, v128.andnot(weight, level));
    v128.store(logs + x, weight);
  }
  increase(sums + at, lanes(sum));
  increase(others + at, lanes(other));
  increase(logSums + at, lanes(logSum));
  increase(priorLogSums + at, lanes(priorSum));
  increase(above + at, <f64>(i64x2.extract_lane(larger, 0) + i64x2.extract_lane(larger, 1)));
  increase(equal + at, <f64>(i64x2.extract_lane(same, 0) + i64x2.extract_lane(same, 1)));
}

/** The sum of a vector's four numbers. */
function total(sum: v128): f64 {
  const low = <f64>f32x4.extract_lane(sum, 0) + <f64>f32x4.extract_lane(sum, 1);
  return low + (<f64>f32x4.extract_lane(sum, 2) + <f64>f32x4.extract_lane(sum, 3));
}

function totalCount(counts: v128): f64 {
  const low = i32x4.extract_lane(counts, 0) + i32x4.extract_lane(counts, 1);
  return <f64>(low + i32x4.extract_lane(counts, 2) + i32x4.extract_lane(counts, 3));
}

/** Adds a half-sample, `from` bytes into `halfLogs`, to the sums in place `at`. */
function addHalf(at: usize, from: usize): void {
  const values = halfLogs + from;
  const end: usize = CHUNK << 2;
  let most = v128.load(values);
  for (let x: usize = 16; x < end; x += 16) most = f32x4.max(most, v128.load(values + x));
  const low = max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1));
  const scale = scaleOf(at, <f64>max(low, max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3))));
  const shift = f32x4.splat(<f32>scale);
  const zero = f32x4.splat(0);
  let sum = zero;
  let other = zero;
  let logSum = zero;
  let priorSum = zero;
  let larger = zero;
  let same = zero;
  for (let x: usize = 0; x < end; x += 16) {
    const value = v128.load(values + x);
    const weight = expSingles(f32x4.sub(value, shift));
    sum = f32x4.add(sum, weight);
    logSum = f32x4.add(logSum, f32x4.mul(weight, value));
    if (priorSet >= 0) priorSum = f32x4.add(priorSum, f32x4.mul(weight, v128.load(priorHalfLogs + from + x)));
    larger = i32x4.sub(larger, f32x4.gt(value, zero));
    const level = f32x4.eq(value, zero);
    same = i32x4.sub(same, level);
    other = f32x4.add(other, v128.andnot(weight, level));
  }
  increase(sums + at, total(sum));
  increase(others + at, total(other));
  increase(logSums + at, total(logSum));
  increase(priorLogSums + at, total(priorSum));
  increase(above + at, totalCount(larger));
  increase(equal + at, totalCount(same));
}

/** Adds the weights that `logs` holds to those of the cells' categories. */
function addMarginals(row: i32, first: usize, cells: i32): void {
  const own = marginals + (<usize>row * categories << 3);
  let category = cellCategories + (first * variables << 2);
  for (let x: usize = 0; x < <usize>cells; x++) {
    const weight = f64.load(logs + (x << 3));
    for (let k = 0; k < variables; k++) {
      increase(own + (<usize>load<u32>(category) << 3), weight);
      category += 4;
    }
  }
}

/** Puts cells of the chunk among the most probable of a combination; of equal ones the earlier cell goes first. */
function keepGuesses(row: i32, cells: i32, from: f64): void {
  const values = guessValues + (<usize>row * guesses << 3);
  const numbers = guessCells + (<usize>row * guesses << 3);
  const last = <usize>(guesses - 1) << 3;
  for (let x = 0; x < cells; x++) {
    const value = f64.load(logs + (<usize>x << 3));
    if (!(value > f64.load(values + last))) continue;
    let at = last;
    while (at > 0 && value > f64.load(values + at - 8)) {
      f64.store(values + at, f64.load(values + at - 8));
      f64.store(numbers + at, f64.load(numbers + at - 8));
      at -= 8;
    }
    f64.store(values + at, value);
    f64.store(numbers + at, from + <f64>x);
    if (at == 0) f64.store(firstPriorLogs + (<usize>row << 3), f64.load(priorLogs + (<usize>x << 3)));
  }
}
