/**
 * The class probabilities of a combination, and draws from them: shared/model/dpmpm/class-sums.ts, operation by
 * operation. Eight lanes are four vectors of two (f64x2); vectors over classes are padded to whole lanes with zeros.
 */
import { uniform } from '../random/stream';

const WITHIN: f64 = 0.9999999999999999;

/** Bytes from one class of a lane to the next. */
const STRIDE: usize = 64;

/** Running sums along the lanes, f64. */
let sums: usize = 0;
/** The last sum of each lane. */
let ends: usize = 0;
/** Nine f64: the sum of all lanes before each, and after them all. */
const before: usize = memory.data(80, 16);

/** Says where the sums may stand: `bytes` of a vector over classes, and 64 after them. */
export function placeSums(at: usize, bytes: usize): void {
  sums = at;
  ends = at + bytes - STRIDE;
  // No target reaches these, so that a search may look at one step too many.
  for (let lane: usize = 0; lane < STRIDE; lane += 8) store<f64>(at + bytes + lane, Infinity);
}

/** Multiplies two vectors over classes. */
export function multiply(first: usize, second: usize, to: usize, bytes: usize): void {
  const end = to + bytes;
  while (to < end) {
    v128.store(to, f64x2.mul(v128.load(first), v128.load(second)));
    v128.store(to, f64x2.mul(v128.load(first, 16), v128.load(second, 16)), 16);
    v128.store(to, f64x2.mul(v128.load(first, 32), v128.load(second, 32)), 32);
    v128.store(to, f64x2.mul(v128.load(first, 48), v128.load(second, 48)), 48);
    first += STRIDE;
    second += STRIDE;
    to += STRIDE;
  }
}

/** Adds up the products of two vectors over classes; returns their total. */
export function sumProducts(first: usize, second: usize): f64 {
  let sum0 = f64x2.splat(0);
  let sum1 = sum0;
  let sum2 = sum0;
  let sum3 = sum0;
  const end = ends + STRIDE;
  for (let to = sums; to < end; to += STRIDE) {
    sum0 = f64x2.add(sum0, f64x2.mul(v128.load(first), v128.load(second)));
    sum1 = f64x2.add(sum1, f64x2.mul(v128.load(first, 16), v128.load(second, 16)));
    sum2 = f64x2.add(sum2, f64x2.mul(v128.load(first, 32), v128.load(second, 32)));
    sum3 = f64x2.add(sum3, f64x2.mul(v128.load(first, 48), v128.load(second, 48)));
    v128.store(to, sum0);
    v128.store(to, sum1, 16);
    v128.store(to, sum2, 32);
    v128.store(to, sum3, 48);
    first += STRIDE;
    second += STRIDE;
  }
  return sumLanes(sum0, sum1, sum2, sum3);
}

/** Adds up the values that stand where the sums go. */
export function sumInPlace(): void {
  for (let at = sums; at < ends; at += 8) store<f64>(at, load<f64>(at) + load<f64>(at, STRIDE), STRIDE);
  sumLanes(v128.load(ends), v128.load(ends, 16), v128.load(ends, 32), v128.load(ends, 48));
}

function sumLanes(sum0: v128, sum1: v128, sum2: v128, sum3: v128): f64 {
  let sum = f64x2.extract_lane(sum0, 0);
  store<f64>(before, sum, 8);
  sum += f64x2.extract_lane(sum0, 1);
  store<f64>(before, sum, 16);
  sum += f64x2.extract_lane(sum1, 0);
  store<f64>(before, sum, 24);
  sum += f64x2.extract_lane(sum1, 1);
  store<f64>(before, sum, 32);
  sum += f64x2.extract_lane(sum2, 0);
  store<f64>(before, sum, 40);
  sum += f64x2.extract_lane(sum2, 1);
  store<f64>(before, sum, 48);
  sum += f64x2.extract_lane(sum3, 0);
  store<f64>(before, sum, 56);
  sum += f64x2.extract_lane(sum3, 1);
  store<f64>(before, sum, 64);
  return sum;
}

/** Sum over all classes. */
export function total(): f64 {
  return load<f64>(before, STRIDE);
}

/** A class drawn with its share of the total. */
export function drawClass(): i32 {
  const target = uniform() * total();
  const targets = f64x2.splat(target);
  // Each comparison that holds is -1. The total itself is above the target.
  const passed = i64x2.add(
    i64x2.add(f64x2.le(v128.load(before, 8), targets), f64x2.le(v128.load(before, 24), targets)),
    i64x2.add(f64x2.le(v128.load(before, 40), targets), f64x2.le(v128.load(before, 56), targets)),
  );
  const lane = -<i32>(i64x2.extract_lane(passed, 0) + i64x2.extract_lane(passed, 1));
  return findInLane(lane, target - load<f64>(before + (<usize>lane << 3)));
}

/** A class of one lane drawn with its share of the lane. */
export function drawInLane(lane: i32): i32 {
  return findInLane(lane, uniform() * load<f64>(ends + (<usize>lane << 3)));
}

function findInLane(lane: i32, target: f64): i32 {
  const at = <usize>lane << 3;
  const targets = f64x2.pmin(f64x2.splat(target), f64x2.splat(load<f64>(ends + at) * WITHIN));
  // The pair of lanes that this one is in. Its last sums are above any target.
  let sum = sums + (at & ~15);
  const end = ends;
  let passed = i64x2.splat(0);
  do {
    const here = f64x2.le(v128.load(sum), targets);
    passed = i64x2.add(passed, i64x2.add(here, f64x2.le(v128.load(sum, STRIDE), targets)));
    sum += 2 * STRIDE;
  } while (sum < end);
  const steps = lane & 1 ? i64x2.extract_lane(passed, 1) : i64x2.extract_lane(passed, 0);
  return (-<i32>steps << 3) + lane;
}

/** What share a lane has of itself and the lanes before it. */
export function shareOfLane(lane: i32): f64 {
  const at = <usize>lane << 3;
  return load<f64>(ends + at) / load<f64>(before + at, 8);
}

/** What share a class has of itself and the classes before it in its lane. */
export function shareInLane(f: i32): f64 {
  const at = sums + (<usize>f << 3);
  const own = load<f64>(at);
  return f < 8 ? 1 : (own - load<f64>(at - STRIDE)) / own;
}
