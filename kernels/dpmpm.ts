/**
 * The blocked Gibbs sampler of shared/model/dpmpm-reference.ts, operation by operation: the same draws to the last bit.
 * See there for the mathematics; here are the memory and the two classes at a time (f64x2).
 */
import { exp, log } from './portable-math';
import { below, gamma, gammaFromOne, giveStream, logGammaVariate, takeStream, uniform } from './random';

const SAFE_SUM: f64 = 1e-250;

/** What `step` returns: nothing wrong, or why the iteration could not be finished. */
const DONE: i32 = 0;
const IMPOSSIBLE_COMBINATION: i32 = 1;
const WEIGHT_NOT_A_NUMBER: i32 = 2;
const CONCENTRATION_NOT_A_NUMBER: i32 = 3;

let rows: i32 = 0;
let variables: i32 = 0;
let classes: i32 = 0;
/** Bytes of a vector over classes, padded to an even number of them with classes of weight zero. */
let vector: usize = 0;
let categoryTotal: i32 = 0;
let labelSwitching: bool = true;
let fixedConcentration: bool = false;
/** Shape and rate of the prior of alpha, or its fixed value and 0. */
let priorShape: f64 = 0;
let priorRate: f64 = 0;

let products: usize = 0;
let sums: usize = 0;
let classCounts: usize = 0;
let categoryCounts: usize = 0;
let drawn: usize = 0;
let holder: usize = 0;
let logSticks: usize = 0;
let logRests: usize = 0;
let logWeights: usize = 0;

/** rows x variables, u32: categories in walking order (`SharingOrder`). */
export let categories: usize = 0;
/** rows, u16: leading columns shared with the row before. */
export let shared: usize = 0;
/** rows, u32: records of each combination. */
export let counts: usize = 0;
/** variables + 1, u32: first category of each variable in column order. */
export let offsets: usize = 0;
/** The stream's state, 32 bytes: see `takeStream`. */
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
  return (at + 15) & ~15;
}

/** Lays the memory out; called once. */
export function prepare(
  rowCount: i32,
  variableCount: i32,
  classCount: i32,
  categoryCount: i32,
  moves: bool,
  fixed: bool,
  shapeOrValue: f64,
  rate: f64,
): void {
  rows = rowCount;
  variables = variableCount;
  classes = classCount;
  categoryTotal = categoryCount;
  labelSwitching = moves;
  fixedConcentration = fixed;
  priorShape = shapeOrValue;
  priorRate = rate;
  vector = <usize>((classes + 1) & ~1) << 3;
  stream = aligned(__heap_base);
  categories = stream + 32;
  shared = aligned(categories + (<usize>rows * variables << 2));
  counts = aligned(shared + (<usize>rows << 1));
  offsets = aligned(counts + (<usize>rows << 2));
  weights = aligned(offsets + (<usize>(variables + 1) << 2));
  probabilities = weights + vector;
  categoryCounts = probabilities + <usize>categoryTotal * vector;
  products = categoryCounts + <usize>categoryTotal * vector;
  sums = products + <usize>variables * vector;
  classCounts = sums + vector;
  drawn = classCounts + vector;
  logSticks = drawn + vector;
  logRests = logSticks + vector;
  logWeights = logRests + vector;
  holder = logWeights + vector;
  const end = holder + (<usize>classes << 2);
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

function put(array: usize, index: i32, value: f64): void {
  store<f64>(array + (<usize>index << 3), value);
}

/** Running sums over classes for one row; returns the scale, or NaN when every class gives probability zero. */
function classSums(row: i32): f64 {
  const first = categories + (<usize>row * variables << 2);
  let j = <i32>load<u16>(shared + (<usize>row << 1));
  let from = products + <usize>j * vector;
  for (; j < variables - 1; j++) {
    const category = probabilities + <usize>load<u32>(first + (<usize>j << 2)) * vector;
    const to = from + vector;
    for (let f: usize = 0; f < vector; f += 16) {
      v128.store(to + f, f64x2.mul(v128.load(from + f), v128.load(category + f)));
    }
    from = to;
  }
  const category = probabilities + <usize>load<u32>(first + (<usize>(variables - 1) << 2)) * vector;
  let total: f64 = 0;
  for (let f: usize = 0; f < vector; f += 16) {
    const product = f64x2.mul(v128.load(from + f), v128.load(category + f));
    total += f64x2.extract_lane(product, 0);
    store<f64>(sums + f, total);
    total += f64x2.extract_lane(product, 1);
    store<f64>(sums + f, total, 8);
  }
  return total > SAFE_SUM ? 0 : logClassSums(row);
}

function logClassSums(row: i32): f64 {
  const first = categories + (<usize>row * variables << 2);
  let largest: f64 = -Infinity;
  for (let f = 0; f < classes; f++) {
    let value = log(at(weights, f));
    for (let j = 0; j < variables; j++) {
      value += log(at(probabilities + <usize>load<u32>(first + (<usize>j << 2)) * vector, f));
    }
    put(sums, f, value);
    if (value > largest) largest = value;
  }
  if (!(largest > -Infinity)) return NaN;
  let total: f64 = 0;
  for (let f = 0; f < classes; f++) {
    total += exp(at(sums, f) - largest);
    put(sums, f, total);
  }
  return largest;
}

/** First class whose running sum exceeds a uniform share of the total. */
function drawClass(): i32 {
  const target = uniform() * at(sums, classes - 1);
  let low = 0;
  let high = classes - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const above = at(sums, middle) > target;
    high = select(middle, high, above);
    low = select(low, middle + 1, above);
  }
  return low;
}

function tally(row: i32, f: i32, records: f64): void {
  const column = <usize>f << 3;
  store<f64>(classCounts + column, load<f64>(classCounts + column) + records);
  let category = categories + (<usize>row * variables << 2);
  const end = category + (<usize>variables << 2);
  for (; category < end; category += 4) {
    const cell = categoryCounts + <usize>load<u32>(category) * vector + column;
    store<f64>(cell, load<f64>(cell) + records);
  }
}

function clearAllocation(): void {
  memory.fill(classCounts, 0, vector);
  memory.fill(categoryCounts, 0, <usize>categoryTotal * vector);
  memory.fill(drawn, 0, vector);
}

function allocate(): i32 {
  clearAllocation();
  memory.copy(products, weights, vector);
  for (let row = 0; row < rows; row++) {
    const scale = classSums(row);
    if (scale != scale) return IMPOSSIBLE_COMBINATION;
    if (!(at(sums, classes - 1) < Infinity)) return WEIGHT_NOT_A_NUMBER;
    const records = load<u32>(counts + (<usize>row << 2));
    if (records == 1) {
      tally(row, drawClass(), 1);
      continue;
    }
    for (let i: u32 = 0; i < records; i++) {
      const f = drawClass();
      put(drawn, f, at(drawn, f) + 1);
    }
    for (let f = 0; f < classes; f++) {
      const share = at(drawn, f);
      if (share == 0) continue;
      tally(row, f, share);
      put(drawn, f, 0);
    }
  }
  return DONE;
}

function swapNumbers(array: usize, j: i32, l: i32): void {
  const kept = at(array, j);
  put(array, j, at(array, l));
  put(array, l, kept);
}

function swapRecords(j: i32, l: i32): void {
  swapNumbers(classCounts, j, l);
  const first = holder + (<usize>j << 2);
  const second = holder + (<usize>l << 2);
  const kept = load<u32>(first);
  store<u32>(first, load<u32>(second));
  store<u32>(second, kept);
}

function accepts(logRatio: f64): bool {
  return logRatio >= 0 || log(uniform()) < logRatio;
}

function logLastClassRatio(other: f64, last: f64, alpha: f64): f64 {
  let logProduct: f64 = 0;
  let product: f64 = 1;
  const end = max(other, last);
  for (let i = min(other, last); i < end; i += 1) {
    product *= (1 + i) / (alpha + i);
    if (!(product > 1e-200 && product < 1e200)) {
      logProduct += log(product);
      product = 1;
    }
  }
  logProduct += log(product);
  return last > other ? logProduct : -logProduct;
}

function swapWithoutSticks(alpha: f64): void {
  if (classes < 2) return;
  for (let move = 0; move < classes; move++) {
    const first = below(classes);
    const second = (first + 1 + below(classes - 1)) % classes;
    const j = min(first, second);
    const l = max(first, second);
    const change = at(classCounts, j) - at(classCounts, l);
    let logRatio: f64 = 0;
    if (change != 0) {
      let after: f64 = 0;
      for (let f = l; f < classes; f++) after += at(classCounts, f);
      for (let f = l; f > j; f--) {
        if (f < classes - 1) logRatio += log((alpha + after) / (alpha + after + change));
        after += at(classCounts, f - 1);
      }
      if (l == classes - 1) logRatio += logLastClassRatio(at(classCounts, j), at(classCounts, l), alpha);
    }
    if (accepts(logRatio)) swapRecords(j, l);
  }
}

function switchLabels(): void {
  for (let move = 0; move < classes && classes > 1; move++) {
    const j = below(classes);
    const l = (j + 1 + below(classes - 1)) % classes;
    const difference = at(classCounts, l) - at(classCounts, j);
    const logRatio = difference == 0 ? 0 : difference * (at(logWeights, j) - at(logWeights, l));
    if (accepts(logRatio)) swapRecords(j, l);
  }
  for (let move = 0; move < classes && classes > 2; move++) {
    const j = below(classes - 2);
    const logRatio = at(classCounts, j) * at(logRests, j + 1) - at(classCounts, j + 1) * at(logRests, j);
    if (!accepts(logRatio)) continue;
    swapRecords(j, j + 1);
    const before = at(logWeights, j) - at(logSticks, j);
    swapNumbers(logSticks, j, j + 1);
    swapNumbers(logRests, j, j + 1);
    put(logWeights, j, before + at(logSticks, j));
    put(logWeights, j + 1, before + at(logRests, j) + at(logSticks, j + 1));
  }
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
    const first = logGammaVariate(1 + at(classCounts, f));
    const second = logGammaVariate(tail);
    const largest = max(first, second);
    const logTotal = largest + log(exp(first - largest) + exp(second - largest));
    put(logSticks, f, first - logTotal);
    put(logRests, f, second - logTotal);
    put(logWeights, f, logRest + (first - logTotal));
    logRest += second - logTotal;
  }
  put(logWeights, classes - 1, logRest);
  return logRest;
}

function drawProbabilities(): void {
  for (let k = 0; k < variables; k++) {
    const from = <usize>load<u32>(offsets + (<usize>k << 2)) * vector;
    const to = <usize>load<u32>(offsets + (<usize>(k + 1) << 2)) * vector;
    for (let f = 0; f < classes; f++) {
      const own = <usize>load<u32>(holder + (<usize>f << 2)) << 3;
      const out = probabilities + (<usize>f << 3);
      let total: f64 = 0;
      for (let c = from; c < to; c += vector) {
        const variate = gammaFromOne(1 + load<f64>(categoryCounts + c + own));
        store<f64>(out + c, variate);
        total += variate;
      }
      for (let c = from; c < to; c += vector) store<f64>(out + c, load<f64>(out + c) / total);
    }
  }
}

function drawWeights(): void {
  let largest: f64 = -Infinity;
  for (let f = 0; f < classes; f++) if (at(logWeights, f) > largest) largest = at(logWeights, f);
  let sum: f64 = 0;
  for (let f = 0; f < classes; f++) sum += exp(at(logWeights, f) - largest);
  const logTotal = largest + log(sum);
  for (let f = 0; f < classes; f++) put(weights, f, exp(at(logWeights, f) - logTotal));
}

/** Draws a state given the allocation in `classCounts` and `categoryCounts`. */
function drawState(): i32 {
  for (let f = 0; f < classes; f++) store<u32>(holder + (<usize>f << 2), f);
  if (labelSwitching) swapWithoutSticks(concentration);
  const logRest = drawSticks(concentration);
  if (logRest != logRest) return CONCENTRATION_NOT_A_NUMBER;
  if (labelSwitching) switchLabels();
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
  for (let row = 0; row < rows; row++) {
    const records = load<u32>(counts + (<usize>row << 2));
    for (let i: u32 = 0; i < records; i++) tally(row, below(classes), 1);
  }
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
  let total: f64 = 0;
  memory.copy(products, weights, vector);
  for (let row = 0; row < rows; row++) {
    const scale = classSums(row);
    total += <f64>load<u32>(counts + (<usize>row << 2)) * (log(at(sums, classes - 1)) + scale);
  }
  return total;
}
