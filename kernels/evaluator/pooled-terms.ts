/**
 * The expectations of a group of terms in a block of evaluations: the first half of the kernel of evaluations. It is a
 * product of matrices, shares x means, of which a third of the shares are zero: a resample leaves out that many chains.
 */
import { log, logLanes } from '../math/portable-math';
import {
  at,
  BLOCK,
  candidates,
  centres,
  chainCounts,
  coefficients,
  count,
  evaluations,
  geometric,
  groupSizes,
  pooled,
  priorGroup,
  priors,
  resamples,
  safeLeast,
  safeMost,
  shareChains,
  shares,
  shareStarts,
  stretches,
  stride,
  TILE,
  tile,
  unsafe,
  values,
  width,
} from './evaluator-memory';

/** Brings the deviation of a half of the chains to that of all; see `HALF_SHRINK` in expectation.ts. */
const HALF_SHRINK: f64 = 0.7071067811865476;

/** Bytes of a chain's part of a tile. */
const TILE_BYTES: usize = <usize>TILE << 3;

/** How the sums of a term come to what is in `pooled`. */
const REPLACES: i32 = 0;
const ADDS: i32 = 1;
const MULTIPLIES: i32 = 2;

/** Evaluations of a block. */
export function blockLength(block: i32): i32 {
  return min(BLOCK, evaluations - block * BLOCK);
}

/** Turns the means of a term whose chains are pooled geometrically into their logarithms. */
export function takeLogs(from: usize, chains: i32): void {
  for (let c = 0; c < chains; c++) {
    const row = from + <usize>c * width;
    for (let x = candidates; x < stride; x++) store<f64>(row + (<usize>x << 3), 1);
    for (let x: usize = 0; x < width; x += 16) v128.store(row + x, logLanes(v128.load(row + x)));
  }
}

/** Brings the sums of a term for two candidates to what is at `out`. */
function bring(out: usize, sum: v128, how: i32): v128 {
  let value = sum;
  if (how == ADDS) value = f64x2.add(v128.load(out), sum);
  else if (how == MULTIPLIES) value = f64x2.mul(v128.load(out), sum);
  v128.store(out, value);
  return value;
}

/**
 * Adds up the chains of a term, whose means are in `tile`, in every evaluation of a block, for some vectors of two candidates
 * from the offset `x`: 2, 4 or 8 of them, as many as T has bytes, so that the compiler makes a function for each.
 */
function poolVectors<T>(starts: usize, length: i32, x: usize, how: i32): void {
  // What is in variables of the function stays in registers; what is global is read again and again.
  const firstChain = tile;
  let share = shares + (<usize>count(starts, 0) << 3);
  let chain = shareChains + (<usize>count(starts, 0) << 2);
  let out = pooled + x;
  for (let b = 0; b < length; b++) {
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    let sum2 = f64x2.splat(0);
    let sum3 = f64x2.splat(0);
    let sum4 = f64x2.splat(0);
    let sum5 = f64x2.splat(0);
    let sum6 = f64x2.splat(0);
    let sum7 = f64x2.splat(0);
    const end = shares + (<usize>count(starts, b + 1) << 3);
    for (; share < end; share += 8) {
      const factor = v128.load64_splat(share);
      const mean = firstChain + <usize>load<u32>(chain) * TILE_BYTES;
      chain += 4;
      sum0 = f64x2.add(sum0, f64x2.mul(factor, v128.load(mean)));
      sum1 = f64x2.add(sum1, f64x2.mul(factor, v128.load(mean, 16)));
      if (sizeof<T>() < 4) continue;
      sum2 = f64x2.add(sum2, f64x2.mul(factor, v128.load(mean, 32)));
      sum3 = f64x2.add(sum3, f64x2.mul(factor, v128.load(mean, 48)));
      if (sizeof<T>() < 8) continue;
      sum4 = f64x2.add(sum4, f64x2.mul(factor, v128.load(mean, 64)));
      sum5 = f64x2.add(sum5, f64x2.mul(factor, v128.load(mean, 80)));
      sum6 = f64x2.add(sum6, f64x2.mul(factor, v128.load(mean, 96)));
      sum7 = f64x2.add(sum7, f64x2.mul(factor, v128.load(mean, 112)));
    }
    sum0 = bring(out, sum0, how);
    sum1 = bring(out + 16, sum1, how);
    let least = f64x2.min(sum0, sum1);
    let most = f64x2.max(sum0, sum1);
    if (sizeof<T>() >= 4) {
      sum2 = bring(out + 32, sum2, how);
      sum3 = bring(out + 48, sum3, how);
      least = f64x2.min(least, f64x2.min(sum2, sum3));
      most = f64x2.max(most, f64x2.max(sum2, sum3));
    }
    if (sizeof<T>() >= 8) {
      sum4 = bring(out + 64, sum4, how);
      sum5 = bring(out + 80, sum5, how);
      sum6 = bring(out + 96, sum6, how);
      sum7 = bring(out + 112, sum7, how);
      least = f64x2.min(least, f64x2.min(f64x2.min(sum4, sum5), f64x2.min(sum6, sum7)));
      most = f64x2.max(most, f64x2.max(f64x2.max(sum4, sum5), f64x2.max(sum6, sum7)));
    }
    const safe = v128.and(f64x2.ge(least, f64x2.splat(safeLeast)), f64x2.le(most, f64x2.splat(safeMost)));
    if (!i64x2.all_true(safe)) store<u8>(unsafe + b, 1);
    out += width;
  }
}

/** The sum over the chains of a term for one evaluation and candidate. */
function expectation(start: usize, mean: usize, x: i32): f64 {
  let sum: f64 = 0;
  const end = count(start, 1);
  for (let entry = count(start, 0); entry < end; entry++) {
    sum += at(shares, entry) * at(mean + <usize>count(shareChains, entry) * width, x);
  }
  return sum;
}

/** Sum of the logarithms of the expectations of some terms in one evaluation, into a row of `pooled`. */
function addLogs(firstTerm: i32, terms: i32, firstMean: usize, evaluation: i32, out: usize): void {
  for (let x = 0; x < candidates; x++) {
    let total: f64 = 0;
    let mean = firstMean;
    for (let t = firstTerm; t < firstTerm + terms; t++) {
      total += log(expectation(startsOf(t, evaluation), mean, x));
      mean += <usize>count(chainCounts, t) * width;
    }
    store<f64>(out + (<usize>x << 3), total);
  }
}

/** Where the list of the chains that count in a term begins, in an evaluation. */
function startsOf(term: i32, evaluation: i32): usize {
  return shareStarts + (<usize>(term * evaluations + evaluation) << 2);
}

/** Pools the terms of a group for the candidates from the offset `x`, `bytes` wide. */
function poolColumns(group: i32, firstTerm: i32, mean: usize, block: i32, x: usize, bytes: usize): void {
  const adds = count(geometric, group) != 0;
  const length = blockLength(block);
  const end = firstTerm + count(groupSizes, group);
  for (let t = firstTerm; t < end; t++) {
    const chains = count(chainCounts, t);
    for (let c = 0; c < chains; c++) {
      const from = mean + <usize>c * width + x;
      const to = tile + <usize>c * TILE_BYTES;
      for (let at: usize = 0; at < bytes; at += 32) {
        v128.store(to + at, v128.load(from + at));
        v128.store(to + at, v128.load(from + at, 16), 16);
      }
    }
    const how = t == firstTerm ? REPLACES : adds ? ADDS : MULTIPLIES;
    const starts = startsOf(t, block * BLOCK);
    if (bytes == TILE_BYTES) poolVectors<u64>(starts, length, x, how);
    else if (bytes == TILE_BYTES / 2) poolVectors<u32>(starts, length, x, how);
    else poolVectors<u16>(starts, length, x, how);
    mean += <usize>chains * width;
  }
}

/**
 * Pools a group of terms in the evaluations of a block: the logarithm of what is pooled, into `pooled`. It is that of the
 * product where this is safe at every candidate, otherwise the sum of logarithms.
 */
export function poolGroup(group: i32, firstTerm: i32, mean: usize, block: i32): void {
  memory.fill(unsafe, 0, BLOCK);
  let x: usize = 0;
  for (let bytes = TILE_BYTES; bytes >= 32; bytes >>= 1) {
    for (; x + bytes <= width; x += bytes) poolColumns(group, firstTerm, mean, block, x, bytes);
  }
  if (count(geometric, group) != 0) return;
  const length = blockLength(block);
  for (let b = 0; b < length; b++) {
    const row = pooled + <usize>b * width;
    if (load<u8>(unsafe + b) != 0) {
      addLogs(firstTerm, count(groupSizes, group), mean, block * BLOCK + b, row);
      continue;
    }
    for (let at: usize = 0; at < width; at += 16) v128.store(row + at, logLanes(v128.load(row + at)));
  }
}

/** Adds a group's share to the log-likelihoods of a block; deviations from the estimate are stretched or shrunk. */
export function addGroup(group: i32, block: i32): void {
  const coefficient = f64x2.splat(at(coefficients, group));
  const centre = centres + <usize>group * width;
  const length = blockLength(block);
  if (block == 0) memory.copy(centre, pooled, width);
  for (let b = 0; b < length; b++) {
    const evaluation = block * BLOCK + b;
    const stretch = f64x2.splat(evaluation <= resamples ? at(stretches, group) : HALF_SHRINK);
    const from = pooled + <usize>b * width;
    const to = values + <usize>b * width;
    for (let x: usize = 0; x < width; x += 16) {
      let value = v128.load(from + x);
      if (evaluation > 0) {
        const middle = v128.load(centre + x);
        value = f64x2.add(middle, f64x2.mul(stretch, f64x2.sub(value, middle)));
      }
      if (group == priorGroup) v128.store(priors + <usize>b * width + x, value);
      v128.store(to + x, f64x2.add(v128.load(to + x), f64x2.mul(coefficient, value)));
    }
  }
}
