/** The allocation of records to classes, of bench/plain/dpmpm-reference.ts. */
import { binomial } from '../random/binomial';
import {
  drawClass,
  drawInLane,
  multiply,
  shareInLane,
  shareOfLane,
  sumInPlace,
  sumProducts,
  total,
} from './class-sums';
import {
  at,
  categoryBytes,
  categoryCounts,
  classCounts,
  classes,
  classOfOne,
  counts,
  firstColumns,
  firstSets,
  jointBytes,
  joints,
  offsets,
  parts,
  probabilities,
  products,
  put,
  rows,
  runs,
  shared,
  sums,
  variables,
  vector,
  weights,
} from './dpmpm-memory';
import { DONE, IMPOSSIBLE_COMBINATION, WEIGHT_NOT_A_NUMBER } from './outcomes';
import { exp, log } from '../math/portable-math';

const SAFE_SUM: f64 = 1e-250;
const MANY: u32 = 32;
const MANY_IN_LANE: f64 = 8;

/** Begins products with the weights, and forms those of the joint categories, each from parts that stand before it. */
export function startProducts(): void {
  memory.copy(products, weights, vector);
  let joint = joints;
  const end = probabilities + categoryBytes + jointBytes;
  for (let to = probabilities + categoryBytes; to < end; to += vector) {
    multiply(probabilities + load<u32>(joint), probabilities + load<u32>(joint, 4), to, vector);
    joint += 8;
  }
}

/** Running sums over classes for one row; returns the scale, or NaN when every class gives probability zero. */
export function classSums(row: i32): f64 {
  const bytes = vector;
  const own = parts + (<usize>(row * runs) << 2);
  const last = own + (<usize>(runs - 1) << 2);
  const already = <usize>load<u16>(shared + (<usize>row << 1));
  let from = products + already * bytes;
  for (let part = own + (already << 2); part < last; part += 4) {
    multiply(from, probabilities + load<u32>(part), from + bytes, bytes);
    from += bytes;
  }
  return sumProducts(from, probabilities + load<u32>(last)) > SAFE_SUM ? 0 : logClassSums(own);
}

function logClassSums(own: usize): f64 {
  let largest: f64 = -Infinity;
  for (let f = 0; f < classes; f++) {
    let value = log(at(weights, f));
    for (let run = 0; run < runs; run++) {
      let part = <usize>load<u32>(own + (<usize>run << 2));
      while (part >= categoryBytes) {
        const joint = joints + (((part - categoryBytes) / vector) << 3);
        value += log(at(probabilities + load<u32>(joint, 4), f));
        part = load<u32>(joint);
      }
      value += log(at(probabilities + part, f));
    }
    put(sums, f, value);
    if (value > largest) largest = value;
  }
  if (!(largest > -Infinity)) return NaN;
  memory.fill(sums + (<usize>classes << 3), 0, vector - (<usize>classes << 3));
  for (let f = 0; f < classes; f++) put(sums, f, exp(at(sums, f) - largest));
  sumInPlace();
  return largest;
}

function tally(row: i32, f: i32, records: u32): void {
  const column = categoryCounts + (<usize>f << 2);
  let part = parts + (<usize>(row * runs) << 2);
  const end = part + (<usize>runs << 2);
  for (; part < end; part += 4) {
    const cell = column + (load<u32>(part) >> 1);
    store<u32>(cell, load<u32>(cell) + records);
  }
}

/** Hands the records of joint categories on to their parts, the last first, and adds up those of each class. */
function spreadJoints(): void {
  const half = vector >> 1;
  let joint = joints + ((jointBytes / vector) << 3);
  let from = categoryCounts + ((categoryBytes + jointBytes) >> 1);
  while (joint > joints) {
    joint -= 8;
    from -= half;
    addCounts(from, categoryCounts + (load<u32>(joint) >> 1), half);
    addCounts(from, categoryCounts + (load<u32>(joint, 4) >> 1), half);
  }
  // Every record has a category of the first variable, or a set of them, in each of its columns.
  memory.fill(classCounts, 0, vector);
  let own = categoryCounts;
  for (let c = load<u32>(offsets, 4); c > 0; c--, own += half) addClassCounts(own);
  own = categoryCounts + <usize>load<u32>(offsets + (<usize>variables << 2)) * half;
  for (let s = firstSets; s > 0; s--, own += half) addClassCounts(own);
  for (let f = 0; f < classes; f++) put(classCounts, f, at(classCounts, f) / <f64>firstColumns);
}

function addClassCounts(from: usize): void {
  for (let f = 0; f < classes; f++) {
    put(classCounts, f, at(classCounts, f) + <f64>load<u32>(from + (<usize>f << 2)));
  }
}

function addCounts(from: usize, to: usize, bytes: usize): void {
  const end = from + bytes;
  while (from < end) {
    v128.store(to, i32x4.add(v128.load(to), v128.load(from)));
    from += 16;
    to += 16;
  }
}

/** Draws the classes of a combination's records from the sums; that of the first one is kept. */
function drawClasses(row: i32, records: u32): void {
  const first = drawClass();
  store<u16>(classOfOne + (<usize>row << 1), <u16>first);
  tally(row, first, 1);
  if (records < MANY) {
    for (let i: u32 = 1; i < records; i++) tally(row, drawClass(), 1);
    return;
  }
  let rest = <f64>(records - 1);
  for (let lane = 7; rest > 0; lane--) {
    let inLane = binomial(rest, shareOfLane(lane));
    rest -= inLane;
    if (inLane < MANY_IN_LANE) {
      for (; inLane > 0; inLane -= 1) tally(row, drawInLane(lane), 1);
      continue;
    }
    for (let f = <i32>(vector >> 3) - 8 + lane; inLane > 0; f -= 8) {
      const inClass = binomial(inLane, shareInLane(f));
      inLane -= inClass;
      if (inClass > 0) tally(row, f, <u32>inClass);
    }
  }
}

function clearAllocation(): void {
  memory.fill(categoryCounts, 0, (categoryBytes + jointBytes) >> 1);
}

/** Allocates all records given pi and phi; returns whether that was possible. */
export function allocate(): i32 {
  clearAllocation();
  startProducts();
  for (let row = 0; row < rows; row++) {
    const records = load<u32>(counts + (<usize>row << 2));
    const scale = classSums(row);
    if (records == 0) continue;
    if (scale != scale) return IMPOSSIBLE_COMBINATION;
    if (!(total() < Infinity)) return WEIGHT_NOT_A_NUMBER;
    drawClasses(row, records);
  }
  spreadJoints();
  return DONE;
}

/** Allocates all records over the classes at random. */
export function allocateEvenly(): void {
  clearAllocation();
  memory.fill(sums, 0, vector);
  for (let f = 0; f < classes; f++) put(sums, f, 1);
  sumInPlace();
  for (let row = 0; row < rows; row++) {
    const records = load<u32>(counts + (<usize>row << 2));
    if (records > 0) drawClasses(row, records);
  }
  spreadJoints();
}
