/** What is asked of the cells, added up for each combination. */
import { lanes } from '../math/lanes';
import {
  CHUNK,
  above,
  categories,
  cellCategories,
  equal,
  evaluations,
  guessCells,
  guessValues,
  guesses,
  largest,
  logSums,
  logs,
  marginals,
  others,
  sums,
  variables,
} from './cell-memory';
import { exp, expLanes } from '../math/portable-math';

/** Adds a chunk's cells, whose log-likelihoods are in `logs`, to the sums of a combination. */
export function addChunk(row: i32, first: usize, cells: i32, from: f64): void {
  const own = <usize>row * evaluations << 3;
  for (let b: usize = 0; b < <usize>evaluations; b++) {
    const values = logs + (b * CHUNK << 3);
    const end = values + (CHUNK << 3);
    let most = v128.load(values);
    for (let at = values + 16; at < end; at += 16) most = f64x2.max(most, v128.load(at));
    const chunkLargest = max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
    const sumAt = sums + own + (b << 3);
    const otherAt = others + own + (b << 3);
    const logSumAt = logSums + own + (b << 3);
    const largestAt = largest + own + (b << 3);
    let scale = f64.load(largestAt);
    if (chunkLargest > scale) {
      const factor = exp(scale - chunkLargest);
      scale = chunkLargest;
      f64.store(largestAt, scale);
      f64.store(sumAt, f64.load(sumAt) * factor);
      f64.store(otherAt, f64.load(otherAt) * factor);
      f64.store(logSumAt, f64.load(logSumAt) * factor);
      if (b == 0) {
        const start = marginals + (<usize>row * categories << 3);
        for (let at = start; at < start + (<usize>categories << 3); at += 8) {
          f64.store(at, f64.load(at) * factor);
        }
      }
    }
    const shift = f64x2.splat(scale);
    const zero = f64x2.splat(0);
    let sum = zero;
    let other = zero;
    let logSum = zero;
    let larger = zero;
    let same = zero;
    if (b == 0) keepGuesses(row, cells, from);
    for (let at = values; at < end; at += 16) {
      const value = v128.load(at);
      const weight = expLanes(f64x2.sub(value, shift));
      sum = f64x2.add(sum, weight);
      logSum = f64x2.add(logSum, f64x2.mul(weight, value));
      larger = i64x2.sub(larger, f64x2.gt(value, zero));
      const level = f64x2.eq(value, zero);
      same = i64x2.sub(same, level);
      other = f64x2.add(other, v128.andnot(weight, level));
      // The first evaluation's log-likelihoods are not needed again: its weights take their place.
      if (b == 0) v128.store(at, weight);
    }
    f64.store(sumAt, f64.load(sumAt) + lanes(sum));
    f64.store(otherAt, f64.load(otherAt) + lanes(other));
    f64.store(logSumAt, f64.load(logSumAt) + lanes(logSum));
    addCount(above + own + (b << 3), larger);
    addCount(equal + own + (b << 3), same);
  }
  const ownMarginals = marginals + (<usize>row * categories << 3);
  let category = cellCategories + (first * variables << 2);
  for (let x: usize = 0; x < <usize>cells; x++) {
    const weight = f64.load(logs + (x << 3));
    for (let k = 0; k < variables; k++) {
      const at = ownMarginals + (<usize>load<u32>(category) << 3);
      f64.store(at, f64.load(at) + weight);
      category += 4;
    }
  }
}

function addCount(at: usize, counts: v128): void {
  const count = i64x2.extract_lane(counts, 0) + i64x2.extract_lane(counts, 1);
  f64.store(at, f64.load(at) + <f64>count);
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
  }
}
