/** What the classes give a row, and classes drawn from it, of bench/plain/mixed-reference.ts. */
import { logNormalMass } from '../math/normal-mass';
import { expWithin, log, logLanes } from '../math/portable-math';
import { at, categories, categoryBytes, classes, parts, probabilities, put, rows, runs, vector, weights } from '../sampler/dpmpm-memory';
import {
  continuous,
  groupLogs,
  groupOfRow,
  latent,
  logPi,
  logs,
  normalBytes,
  normals,
  normalsOfValues,
  pairs,
  releasedColumn,
  releasedRow,
  rowLogs,
  rowSums,
  valueColumns,
  values,
} from './mixed-memory';
import { isCut } from './normals';

/** Classes whose share of a row is below exp(-50) of the largest are left out. */
const LEAST: f64 = -50;
const HALF_LOG_2PI: f64 = 0.9189385332046727;
const WITHIN: f64 = 0.9999999999999999;

const NONE: u32 = 0xffffffff;

/** The group of rows whose logarithms are in `groupLogs`. */
let group: u32 = NONE;
/** Pairs of classes that matter for the row at hand, in bytes of `rowSums`. */
let mattering: usize = 0;
/** Sums of the even classes, and of the odd ones. */
let evenSum: f64 = 0;
let oddSum: f64 = 0;

function logVectors(from: usize, to: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, logLanes(v128.load(from + at)));
}

/** Logarithms of the state, from which those of rows are added up. */
export function startLogs(): void {
  group = NONE;
  logVectors(weights, logPi, vector);
  logVectors(probabilities, logs, categoryBytes - vector);
  memory.fill(logs + <usize>categories * vector, 0, vector);
  let factor = logs + <usize>(categories + 1) * vector;
  const two = f64x2.splat(2);
  for (let j = 0; j < continuous; j++, factor += vector) {
    const from = latent + <usize>j * normalBytes;
    const to = normals + <usize>j * normalBytes;
    memory.copy(to, from, vector);
    for (let at: usize = 0; at < vector; at += 16) {
      const variance = v128.load(from + vector + at);
      v128.store(to + vector + at, f64x2.sqrt(f64x2.div(f64x2.splat(0.5), variance)));
      const root = f64x2.div(logLanes(variance), two);
      v128.store(factor + at, f64x2.neg(f64x2.add(root, f64x2.splat(HALF_LOG_2PI))));
    }
    // Classes that fill the vectors have pi 0, and no variance.
    const used = <usize>classes << 3;
    memory.fill(to + vector + used, 0, vector - used);
    memory.fill(factor + used, 0, vector - used);
    if (releasedRow < rows || releasedColumn < valueColumns) withinRange(factor, latent + <usize>j * normalBytes);
  }
}

/** The factor of a normal within the range, which all of a release is: by what lies in it, more than that of the normal. */
function withinRange(factor: usize, means: usize): void {
  const to = factor + <usize>continuous * vector;
  memory.copy(to, factor, vector);
  for (let f = 0; f < classes; f++) {
    const mean = at(means, f);
    const variance = at(means + vector, f);
    if (!isCut(mean, variance)) continue;
    const deviation = sqrt<f64>(variance);
    put(to, f, at(factor, f) - logNormalMass(-mean / deviation, (1 - mean) / deviation));
  }
}

/** Adds up what the classes give the parts of a row, which all rows of its group have. */
function sumParts(row: i32): void {
  const own = parts + (<usize>(row * runs) << 2);
  const end = own + (<usize>runs << 2);
  for (let at: usize = 0; at < vector; at += 64) {
    let sum0 = v128.load(logPi + at);
    let sum1 = v128.load(logPi + at, 16);
    let sum2 = v128.load(logPi + at, 32);
    let sum3 = v128.load(logPi + at, 48);
    const here = logs + at;
    for (let part = own; part < end; part += 4) {
      const added = here + <usize>load<u32>(part);
      sum0 = f64x2.add(sum0, v128.load(added));
      sum1 = f64x2.add(sum1, v128.load(added, 16));
      sum2 = f64x2.add(sum2, v128.load(added, 32));
      sum3 = f64x2.add(sum3, v128.load(added, 48));
    }
    v128.store(groupLogs + at, sum0);
    v128.store(groupLogs + at, sum1, 16);
    v128.store(groupLogs + at, sum2, 32);
    v128.store(groupLogs + at, sum3, 48);
  }
}

/** Adds up what the classes give a row; returns the logarithm that the sums are scaled by. */
export function sumClasses(row: i32): f64 {
  const ofRow = load<u32>(groupOfRow + (<usize>row << 2));
  if (ofRow != group) sumParts(row);
  group = ofRow;
  const cells = <usize>(row * valueColumns);
  const from = values + (cells << 3);
  const to = from + (<usize>valueColumns << 3);
  const normalsOf = normalsOfValues + (cells << 2);
  let most0 = f64x2.splat(-Infinity);
  let most1 = most0;
  const bytes = vector;
  for (let at: usize = 0; at < bytes; at += 64) {
    let sum0 = v128.load(groupLogs + at);
    let sum1 = v128.load(groupLogs + at, 16);
    let sum2 = v128.load(groupLogs + at, 32);
    let sum3 = v128.load(groupLogs + at, 48);
    let which = normalsOf;
    for (let value = from; value < to; value += 8) {
      const y = v128.load64_splat(value);
      const mean = normals + at + <usize>load<u32>(which);
      const root = mean + bytes;
      which += 4;
      const z0 = f64x2.mul(f64x2.sub(y, v128.load(mean)), v128.load(root));
      const z1 = f64x2.mul(f64x2.sub(y, v128.load(mean, 16)), v128.load(root, 16));
      const z2 = f64x2.mul(f64x2.sub(y, v128.load(mean, 32)), v128.load(root, 32));
      const z3 = f64x2.mul(f64x2.sub(y, v128.load(mean, 48)), v128.load(root, 48));
      sum0 = f64x2.sub(sum0, f64x2.mul(z0, z0));
      sum1 = f64x2.sub(sum1, f64x2.mul(z1, z1));
      sum2 = f64x2.sub(sum2, f64x2.mul(z2, z2));
      sum3 = f64x2.sub(sum3, f64x2.mul(z3, z3));
    }
    v128.store(rowLogs + at, sum0);
    v128.store(rowLogs + at, sum1, 16);
    v128.store(rowLogs + at, sum2, 32);
    v128.store(rowLogs + at, sum3, 48);
    most0 = f64x2.pmax(most0, f64x2.pmax(sum0, sum1));
    most1 = f64x2.pmax(most1, f64x2.pmax(sum2, sum3));
  }
  const mosts = f64x2.pmax(most0, most1);
  const most = max(f64x2.extract_lane(mosts, 0), f64x2.extract_lane(mosts, 1));
  sumThose(most);
  return most;
}

/** Sums of exp(log - most) over the classes that matter. */
function sumThose(most: f64): void {
  const mostLanes = f64x2.splat(most);
  const least = f64x2.splat(LEAST);
  let found: usize = 0;
  // Written over from the front: never beyond what is read.
  for (let at: usize = 0; at < vector; at += 16) {
    const below = f64x2.sub(v128.load(rowLogs + at), mostLanes);
    v128.store(rowLogs + found, below);
    store<u32>(pairs + (found >> 2), <u32>(at >> 4));
    found += <usize>v128.any_true(f64x2.gt(below, least)) << 4;
  }
  let sums = f64x2.splat(0);
  for (let at: usize = 0; at < found; at += 16) {
    const below = v128.load(rowLogs + at);
    // A lane that does not matter may be far below what `expWithin` takes.
    const matters = f64x2.gt(below, least);
    sums = f64x2.add(sums, v128.and(expWithin(f64x2.pmax(below, least)), matters));
    v128.store(rowSums + at, sums);
  }
  mattering = found;
  evenSum = f64x2.extract_lane(sums, 0);
  oddSum = f64x2.extract_lane(sums, 1);
}

/** Sum over all classes. */
export function rowTotal(): f64 {
  return evenSum + oddSum;
}

/** Logarithm of what the model gives the row. */
export function logTotal(most: f64): f64 {
  return log(evenSum + oddSum) + most;
}

/** The class that a uniform number gives, so that each has its share of the total. */
export function classAt(share: f64): i32 {
  let target = share * (evenSum + oddSum);
  const odd = target >= evenSum;
  target = odd ? min(target - evenSum, oddSum * WITHIN) : target;
  const targets = f64x2.splat(target);
  let passed = i64x2.splat(0);
  for (let at: usize = 0; at < mattering; at += 16) {
    passed = i64x2.add(passed, f64x2.le(v128.load(rowSums + at), targets));
  }
  const steps = -<i32>(odd ? i64x2.extract_lane(passed, 1) : i64x2.extract_lane(passed, 0));
  return <i32>(load<u32>(pairs + (<usize>steps << 2)) << 1) + <i32>odd;
}
