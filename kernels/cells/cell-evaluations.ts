/**
 * The estimator in every evaluation, for 8 cells at a time: the estimate itself in double precision, and half-samples
 * in single precision, as what they add to it.
 */
import {
  CHUNK,
  TILE,
  commonPower,
  evaluations,
  groupSums,
  groups,
  groupSizes,
  halfLogs,
  lists,
  logs,
  priorHalfLogs,
  priorLogs,
  priorSet,
  priorWholes,
  setChains,
  setCoefficients,
  setFirst,
  setFolds,
  setGroups,
  setRoles,
  sets,
  slope,
  wholes,
} from './cell-memory';
import { logLanes } from '../math/portable-math';
import { logSingles } from '../math/single-math';

/** How a set of chains enters an evaluation; the host's `CELL_ROLES` has the same order. */
const NUMERATOR: u32 = 0;
const DENOMINATOR: u32 = 1;
const RAISED: u32 = 2;

/** Least share of its set's sum that a chain has in a half-sample: what single precision tells from nothing beside 1. */
const LEAST_SHARE: f32 = 1.1920928955078125e-7;

/** A tile's numbers of one chain or subset, in single precision, in bytes. */
const SINGLES: usize = TILE << 2;

/** The numbers of two vectors in single precision. */
function singles(first: v128, second: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(first), f32x4.demote_f64x2_zero(second), 0, 1, 4, 5);
}

/**
 * The estimate's log-likelihoods of 4 cells of a tile, `x` of their chunk and after; and what each chain contributes to
 * half-samples: its share of the set's sum, or by how much its logarithm is above their mean.
 */
function evaluateWhole(tile: usize, quad: usize, x: usize): void {
  let whole0 = f64x2.splat(0);
  let whole1 = f64x2.splat(0);
  for (let t: usize = 0; t < <usize>sets; t++) {
    const count = load<u32>(setChains + (t << 2));
    const first = tile + (<usize>load<u32>(setFirst + (t << 2)) * TILE + quad << 3);
    const end = first + (<usize>count * TILE << 3);
    const geometric = load<u32>(setRoles + (t << 2)) > RAISED;
    let sum0 = f64x2.splat(0);
    let sum1 = f64x2.splat(0);
    for (let chain = first; chain < end; chain += TILE << 3) {
      if (geometric) {
        v128.store(chain, logLanes(v128.load(chain)));
        v128.store(chain, logLanes(v128.load(chain, 16)), 16);
      }
      sum0 = f64x2.add(sum0, v128.load(chain));
      sum1 = f64x2.add(sum1, v128.load(chain, 16));
    }
    const number = f64x2.splat(<f64>count);
    let mean0 = f64x2.div(sum0, number);
    let mean1 = f64x2.div(sum1, number);
    let own = groupSums + (<usize>load<u32>(setGroups + (t << 2)) << 4) * SINGLES + (quad << 2);
    let place: usize = 0;
    if (geometric) {
      for (let chain = first; chain < end; chain += TILE << 3) {
        const above0 = f64x2.sub(v128.load(chain), mean0);
        const above1 = f64x2.sub(v128.load(chain, 16), mean1);
        v128.store(own + ((<usize>1 << (place & 3)) + (place >> 2 << 4)) * SINGLES, singles(above0, above1));
        place++;
      }
    } else {
      mean0 = logLanes(mean0);
      mean1 = logLanes(mean1);
      const factor0 = f64x2.div(f64x2.splat(1), sum0);
      const factor1 = f64x2.div(f64x2.splat(1), sum1);
      for (let chain = first; chain < end; chain += TILE << 3) {
        const share0 = f64x2.mul(v128.load(chain), factor0);
        const share1 = f64x2.mul(v128.load(chain, 16), factor1);
        const share = f32x4.pmax(f32x4.splat(LEAST_SHARE), singles(share0, share1));
        v128.store(own + ((<usize>1 << (place & 3)) + (place >> 2 << 4)) * SINGLES, share);
        place++;
      }
    }
    if (<i32>t == priorSet) {
      v128.store(priorLogs + (x << 3), mean0);
      v128.store(priorLogs + (x << 3), mean1, 16);
      v128.store(priorWholes + (quad << 2), singles(mean0, mean1));
    }
    const coefficient = f64x2.splat(f64.load(setCoefficients + (t << 3)));
    whole0 = f64x2.add(whole0, f64x2.mul(coefficient, mean0));
    whole1 = f64x2.add(whole1, f64x2.mul(coefficient, mean1));
  }
  const raised = f64x2.splat(slope);
  whole0 = f64x2.mul(raised, whole0);
  whole1 = f64x2.mul(raised, whole1);
  v128.store(logs + (x << 3), whole0);
  v128.store(logs + (x << 3), whole1, 16);
  v128.store(wholes + (quad << 2), singles(whole0, whole1));
}

/** The sums over every subset of each group of four chains, from the numbers of its chains. */
function sumGroups(): void {
  let base = groupSums;
  for (let group: usize = 0; group < <usize>groups; group++) {
    const size = load<u32>(groupSizes + (group << 2));
    for (let high: usize = 2; high < <usize>1 << size; high <<= 1) {
      const chain = base + high * SINGLES;
      const chain0 = v128.load(chain);
      const chain1 = v128.load(chain, 16);
      for (let low: usize = 1; low < high; low++) {
        const at = base + low * SINGLES;
        v128.store(chain + low * SINGLES, f32x4.add(v128.load(at), chain0));
        v128.store(chain + low * SINGLES, f32x4.add(v128.load(at, 16), chain1), 16);
      }
    }
    base += SINGLES << 4;
  }
}

/** The logarithm of what sets multiply up to. */
function logProduct(numerator: v128, denominator: v128, power: v128): v128 {
  const log = logSingles(f32x4.div(numerator, denominator));
  if (commonPower == 0) return log;
  return f32x4.add(log, f32x4.mul(f32x4.splat(<f32>commonPower), logSingles(power)));
}

/** Log-likelihoods of the tile's cells in every half-sample. */
function evaluateHalves(x: usize): void {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const raised = f32x4.splat(<f32>slope);
  const whole0 = v128.load(wholes);
  const whole1 = v128.load(wholes, 16);
  let out = halfLogs + (x << 2);
  let priorOut = priorHalfLogs + (x << 2);
  let list = lists;
  for (let b = 1; b < evaluations; b++) {
    let numerator0 = one;
    let numerator1 = one;
    let denominator0 = one;
    let denominator1 = one;
    let power0 = one;
    let power1 = one;
    let sum0 = zero;
    let sum1 = zero;
    let prior0 = one;
    let prior1 = one;
    for (let t: usize = 0; t < <usize>sets; t++) {
      if (load<u32>(setFolds + (t << 2))) {
        sum0 = f32x4.add(sum0, logProduct(numerator0, denominator0, power0));
        sum1 = f32x4.add(sum1, logProduct(numerator1, denominator1, power1));
        numerator0 = one;
        numerator1 = one;
        denominator0 = one;
        denominator1 = one;
        power0 = one;
        power1 = one;
      }
      const end = list + (<usize>load<u32>(list) << 2) + 4;
      list += 4;
      if (list == end) continue;
      const factor = v128.load32_splat(list);
      let at = groupSums + <usize>load<u32>(list, 4);
      let part0 = v128.load(at);
      let part1 = v128.load(at, 16);
      for (list += 8; list < end; list += 4) {
        at = groupSums + <usize>load<u32>(list);
        part0 = f32x4.add(part0, v128.load(at));
        part1 = f32x4.add(part1, v128.load(at, 16));
      }
      part0 = f32x4.mul(part0, factor);
      part1 = f32x4.mul(part1, factor);
      const role = load<u32>(setRoles + (t << 2));
      if (role == NUMERATOR) {
        numerator0 = f32x4.mul(numerator0, part0);
        numerator1 = f32x4.mul(numerator1, part1);
      } else if (role == DENOMINATOR) {
        denominator0 = f32x4.mul(denominator0, part0);
        denominator1 = f32x4.mul(denominator1, part1);
      } else if (role == RAISED) {
        power0 = f32x4.mul(power0, part0);
        power1 = f32x4.mul(power1, part1);
      } else {
        sum0 = f32x4.add(sum0, part0);
        sum1 = f32x4.add(sum1, part1);
      }
      if (<i32>t == priorSet) {
        prior0 = part0;
        prior1 = part1;
      }
    }
    sum0 = f32x4.add(sum0, logProduct(numerator0, denominator0, power0));
    sum1 = f32x4.add(sum1, logProduct(numerator1, denominator1, power1));
    v128.store(out, f32x4.add(whole0, f32x4.mul(raised, sum0)));
    v128.store(out, f32x4.add(whole1, f32x4.mul(raised, sum1)), 16);
    out += CHUNK << 2;
    if (priorSet < 0) continue;
    v128.store(priorOut, f32x4.add(v128.load(priorWholes), logSingles(prior0)));
    v128.store(priorOut, f32x4.add(v128.load(priorWholes, 16), logSingles(prior1)), 16);
    priorOut += CHUNK << 2;
  }
}

/**
 * Log-likelihoods of 8 cells in every evaluation, from the means of all chains in `tile`, of which those of geometric sets
 * become logarithms.
 *
 * @param x where the cells stand in `logs`, and in `halfLogs` of each half-sample
 */
export function evaluateTile(tile: usize, x: usize): void {
  for (let quad: usize = 0; quad < <usize>TILE; quad += 4) evaluateWhole(tile, quad, x + quad);
  sumGroups();
  evaluateHalves(x);
}
