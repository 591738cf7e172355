/**
 * The blocked Gibbs sampler of shared/model/dpmpm-reference.ts, operation by operation: the same draws to the last bit.
 * See there for the mathematics; here are the memory and the two classes at a time (f64x2).
 */
import { binomial } from './binomial';
import {
  drawClass,
  drawInLane,
  multiply,
  placeSums,
  shareInLane,
  shareOfLane,
  sumInPlace,
  sumProducts,
  total,
} from './class-sums';
import { gamma, gammaFromOne, logGammaVariate } from './gamma';
import { swapWithoutSticks, switchLabels } from './label-moves';
import { exp, log } from './portable-math';
import { giveStream, takeStream } from './stream';
import { exponential } from './ziggurat';

export { tables as ziggurat } from './ziggurat';

const SAFE_SUM: f64 = 1e-250;
const MANY: u32 = 32;
const MANY_IN_LANE: f64 = 8;

/** What `step` returns: nothing wrong, or why the iteration could not be finished. */
const DONE: i32 = 0;
const IMPOSSIBLE_COMBINATION: i32 = 1;
const WEIGHT_NOT_A_NUMBER: i32 = 2;
const CONCENTRATION_NOT_A_NUMBER: i32 = 3;

let rows: i32 = 0;
let runs: i32 = 0;
let variables: i32 = 0;
let classes: i32 = 0;
/** Bytes of a vector over classes, padded to a multiple of eight with classes of weight zero. */
let vector: usize = 0;
/** Bytes of `probabilities`, and of the vectors of joint categories that follow them. */
let categoryBytes: usize = 0;
let jointBytes: usize = 0;
let labelSwitching: bool = true;
let fixedConcentration: bool = false;
/** Shape and rate of the prior of alpha, or its fixed value and 0. */
let priorShape: f64 = 0;
let priorRate: f64 = 0;

let products: usize = 0;
let sums: usize = 0;
let classCounts: usize = 0;
/** u32, laid out as `probabilities` and the joint categories in half the space. */
let categoryCounts: usize = 0;
/** Room for a vector over classes. */
let room: usize = 0;
let holder: usize = 0;
let logSticks: usize = 0;
let logRests: usize = 0;
let logWeights: usize = 0;

/** rows x runs, u32: for each part of a combination (`SharingOrder`), the bytes before it in `probabilities`. */
export let parts: usize = 0;
/** joint categories x 2, u32: the same for what each is put together from. */
export let joints: usize = 0;
/** rows, u16: leading parts shared with the row before. */
export let shared: usize = 0;
/** rows, u32: records of each combination. */
export let counts: usize = 0;
/** variables + 1, u32: first category of each variable in column order. */
export let offsets: usize = 0;
/** The stream's state, 68 bytes: see `takeStream`. */
export let stream: usize = 0;
/** padded classes, f64: pi of the state, which `step` replaces. */
export let weights: usize = 0;
/** categories of all variables end to end x padded classes, f64: phi of the state. */
export let probabilities: usize = 0;
/** alpha of the state. */
export let concentration: f64 = 0;
/** Occupied classes of the state. */
export let occupiedClasses: i32 = 0;

function aligned(at: usize): usize {
  return (at + 63) & ~63;
}

/** Lays the memory out; called once. */
export function prepare(
  rowCount: i32,
  runCount: i32,
  variableCount: i32,
  classCount: i32,
  categoryCount: i32,
  jointCount: i32,
  moves: bool,
  fixed: bool,
  shapeOrValue: f64,
  rate: f64,
): void {
  rows = rowCount;
  runs = runCount;
  variables = variableCount;
  classes = classCount;
  labelSwitching = moves;
  fixedConcentration = fixed;
  priorShape = shapeOrValue;
  priorRate = rate;
  vector = <usize>((classes + 7) & ~7) << 3;
  categoryBytes = <usize>categoryCount * vector;
  jointBytes = <usize>jointCount * vector;
  stream = aligned(__heap_base);
  parts = stream + 128;
  joints = aligned(parts + (<usize>rows * runs << 2));
  shared = aligned(joints + (<usize>jointCount << 3));
  counts = aligned(shared + (<usize>rows << 1));
  offsets = aligned(counts + (<usize>rows << 2));
  weights = aligned(offsets + (<usize>(variables + 1) << 2));
  probabilities = weights + vector;
  categoryCounts = probabilities + categoryBytes + jointBytes;
  products = aligned(categoryCounts + ((categoryBytes + jointBytes) >> 1));
  sums = products + <usize>runs * vector;
  classCounts = sums + vector + 64;
  room = classCounts + vector;
  logSticks = room + vector;
  logRests = logSticks + vector;
  logWeights = logRests + vector;
  holder = logWeights + vector;
  const end = holder + (<usize>classes << 2);
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
  placeSums(sums, vector);
}

function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

function put(array: usize, index: i32, value: f64): void {
  store<f64>(array + (<usize>index << 3), value);
}

/** Forms the products of the joint categories, each from parts that stand before it. */
function formJoints(): void {
  let joint = joints;
  const end = probabilities + categoryBytes + jointBytes;
  for (let to = probabilities + categoryBytes; to < end; to += vector) {
    multiply(probabilities + load<u32>(joint), probabilities + load<u32>(joint, 4), to, vector);
    joint += 8;
  }
}

/** Running sums over classes for one row; returns the scale, or NaN when every class gives probability zero. */
function classSums(row: i32): f64 {
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
  put(classCounts, f, at(classCounts, f) + <f64>records);
  const column = categoryCounts + (<usize>f << 2);
  let part = parts + (<usize>(row * runs) << 2);
  const end = part + (<usize>runs << 2);
  for (; part < end; part += 4) {
    const cell = column + (load<u32>(part) >> 1);
    store<u32>(cell, load<u32>(cell) + records);
  }
}

/** Hands the records of joint categories on to their parts, the last first. */
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
}

function addCounts(from: usize, to: usize, bytes: usize): void {
  const end = from + bytes;
  while (from < end) {
    v128.store(to, i32x4.add(v128.load(to), v128.load(from)));
    from += 16;
    to += 16;
  }
}

/** Draws the classes of a combination's records from the sums. */
function drawClasses(row: i32, records: u32): void {
  if (records < MANY) {
    for (let i: u32 = 0; i < records; i++) tally(row, drawClass(), 1);
    return;
  }
  let rest = <f64>records;
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
  memory.fill(classCounts, 0, vector);
  memory.fill(categoryCounts, 0, (categoryBytes + jointBytes) >> 1);
}

function allocate(): i32 {
  clearAllocation();
  formJoints();
  memory.copy(products, weights, vector);
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

/** Draws the sticks given the counts; returns log pi_F, or NaN when alpha is no concentration. */
function drawSticks(alpha: f64): f64 {
  let after: f64 = 0;
  for (let f = 0; f < classes; f++) after += at(classCounts, f);
  let logRest: f64 = 0;
  for (let f = 0; f < classes - 1; f++) {
    after -= at(classCounts, f);
    const tail = alpha + after;
    if (!(tail > 0 && tail < Infinity)) return NaN;
    const shape = 1 + at(classCounts, f);
    let logStick: f64 = 0;
    let logOneMinus: f64 = 0;
    if (tail >= 1) {
      const first = gammaFromOne(shape);
      const second = gammaFromOne(tail);
      const logTotal = log(first + second);
      logStick = log(first) - logTotal;
      logOneMinus = log(second) - logTotal;
    } else {
      const first = logGammaVariate(shape);
      const second = logGammaVariate(tail);
      const largest = max(first, second);
      const logTotal = largest + log(exp(first - largest) + exp(second - largest));
      logStick = first - logTotal;
      logOneMinus = second - logTotal;
    }
    put(logSticks, f, logStick);
    put(logRests, f, logOneMinus);
    put(logWeights, f, logRest + logStick);
    logRest += logOneMinus;
  }
  put(logWeights, classes - 1, logRest);
  return logRest;
}

function drawProbabilities(): void {
  for (let k = 0; k < variables; k++) {
    const from = <usize>load<u32>(offsets + (<usize>k << 2)) * vector;
    const to = <usize>load<u32>(offsets + (<usize>(k + 1) << 2)) * vector;
    memory.fill(room, 0, vector);
    for (let c = from; c < to; c += vector) {
      const own = categoryCounts + (c >> 1);
      const out = probabilities + c;
      for (let f = 0; f < classes; f++) {
        const count = load<u32>(own + (load<u32>(holder + (<usize>f << 2)) << 2));
        const variate = count == 0 ? exponential() : gammaFromOne(1 + <f64>count);
        put(out, f, variate);
        put(room, f, at(room, f) + variate);
      }
    }
    for (let f = 0; f < classes; f++) put(room, f, 1 / at(room, f));
    for (let c = from; c < to; c += vector) {
      for (let f: usize = 0; f < vector; f += 16) {
        const out = probabilities + c + f;
        v128.store(out, f64x2.mul(v128.load(out), v128.load(room + f)));
      }
    }
  }
}

function drawWeights(): void {
  let largest: f64 = -Infinity;
  for (let f = 0; f < classes; f++) if (at(logWeights, f) > largest) largest = at(logWeights, f);
  let sum: f64 = 0;
  for (let f = 0; f < classes; f++) {
    const weight = exp(at(logWeights, f) - largest);
    put(weights, f, weight);
    sum += weight;
  }
  for (let f = 0; f < classes; f++) put(weights, f, at(weights, f) / sum);
}

/** Draws a state given the allocation in `classCounts` and `categoryCounts`. */
function drawState(): i32 {
  for (let f = 0; f < classes; f++) store<u32>(holder + (<usize>f << 2), f);
  if (labelSwitching) swapWithoutSticks(classCounts, holder, room, classes, concentration);
  const logRest = drawSticks(concentration);
  if (logRest != logRest) return CONCENTRATION_NOT_A_NUMBER;
  if (labelSwitching) switchLabels(classCounts, holder, logSticks, logRests, logWeights, classes);
  drawProbabilities();
  if (fixedConcentration) concentration = priorShape;
  else concentration = gamma(priorShape + <f64>classes - 1) / (priorRate - logRest);
  drawWeights();
  occupiedClasses = 0;
  for (let f = 0; f < classes; f++) if (at(classCounts, f) > 0) occupiedClasses++;
  return concentration < Infinity ? DONE : CONCENTRATION_NOT_A_NUMBER;
}

/** A state drawn given an allocation of the records over all classes at random. */
export function init(): i32 {
  takeStream(stream);
  clearAllocation();
  memory.fill(sums, 0, vector);
  for (let f = 0; f < classes; f++) put(sums, f, 1);
  sumInPlace();
  for (let row = 0; row < rows; row++) drawClasses(row, load<u32>(counts + (<usize>row << 2)));
  spreadJoints();
  concentration = fixedConcentration ? priorShape : 1;
  const outcome = drawState();
  giveStream(stream);
  return outcome;
}

/** One iteration from the state in memory, which the next state replaces. */
export function step(): i32 {
  takeStream(stream);
  let outcome = allocate();
  if (outcome == DONE) outcome = drawState();
  giveStream(stream);
  return outcome;
}

/** Log-likelihood of the records under the state in memory (nats); NaN when some combination is impossible. */
export function logLikelihood(): f64 {
  let sum: f64 = 0;
  formJoints();
  memory.copy(products, weights, vector);
  for (let row = 0; row < rows; row++) {
    const scale = classSums(row);
    const records = load<u32>(counts + (<usize>row << 2));
    if (records > 0) sum += <f64>records * (log(total()) + scale);
  }
  return sum;
}
