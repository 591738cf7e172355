/** The estimator in every evaluation, for 8 cells at a time. */
import {
  CHUNK,
  TILE,
  choices,
  constants,
  evaluations,
  lists,
  parts,
  commonPower,
  setChains,
  setCoefficients,
  setFirst,
  setRoles,
  setSubsets,
  sets,
  slope,
} from './cell-memory';
import { logLanes } from '../math/portable-math';

/** How a set of chains enters an evaluation; the host's `CELL_ROLES` has the same order. */
const NUMERATOR: u32 = 0;
const DENOMINATOR: u32 = 1;
const RAISED: u32 = 2;

/** Replaces the means of neighbouring chains of a tile by their logarithms. */
function takeLogs(chain: usize, count: u32): void {
  const end = chain + (<usize>count * TILE << 3);
  for (; chain < end; chain += 16) v128.store(chain, logLanes(v128.load(chain)));
}

/** part = the sum over the chains of a tile that a list names, times factors; returns the end of the list. */
function addSubset(tile: usize, list: usize, part: usize, factor0: v128, factor1: v128, factor2: v128, factor3: v128): usize {
  const end = list + (<usize>load<u32>(list) + 1 << 2);
  let chain = tile + <usize>load<u32>(list, 4);
  let sum0 = v128.load(chain);
  let sum1 = v128.load(chain, 16);
  let sum2 = v128.load(chain, 32);
  let sum3 = v128.load(chain, 48);
  for (list += 8; list < end; list += 4) {
    chain = tile + <usize>load<u32>(list);
    sum0 = f64x2.add(sum0, v128.load(chain));
    sum1 = f64x2.add(sum1, v128.load(chain, 16));
    sum2 = f64x2.add(sum2, v128.load(chain, 32));
    sum3 = f64x2.add(sum3, v128.load(chain, 48));
  }
  v128.store(part, f64x2.mul(sum0, factor0));
  v128.store(part, f64x2.mul(sum1, factor1), 16);
  v128.store(part, f64x2.mul(sum2, factor2), 32);
  v128.store(part, f64x2.mul(sum3, factor3), 48);
  return end;
}

/**
 * Log-likelihoods of 8 cells in every evaluation, from the means of all chains in `tile`, of which those of
 * geometric sets become logarithms.
 *
 * @param out where the cells stand in `logs`
 */
export function evaluateTile(tile: usize, out: usize): void {
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const raised = f64x2.splat(slope);
  const power = f64x2.splat(commonPower);
  // The sum over arithmetic sets, each as a whole.
  let whole0 = zero;
  let whole1 = zero;
  let whole2 = zero;
  let whole3 = zero;
  let list = lists;
  let part = parts;
  for (let t: usize = 0; t < <usize>sets; t++) {
    const first = <usize>load<u32>(setFirst + (t << 2));
    const count = load<u32>(setChains + (t << 2));
    const geometric = load<u32>(setRoles + (t << 2)) > RAISED;
    const coefficient = f64.load(setCoefficients + (t << 3));
    if (geometric) takeLogs(tile + (first * TILE << 3), count);
    let factor0 = one;
    let factor1 = one;
    let factor2 = one;
    let factor3 = one;
    for (let subset: u32 = 0; subset < load<u32>(setSubsets + (t << 2)); subset++) {
      if (geometric) {
        factor0 = f64x2.splat(coefficient / <f64>load<u32>(list));
        factor1 = factor0;
        factor2 = factor0;
        factor3 = factor0;
      }
      list = addSubset(tile, list, part, factor0, factor1, factor2, factor3);
      // The first subset is the whole set: the others become shares of its sum.
      if (subset == 0 && !geometric) {
        const number = f64x2.splat(<f64>count);
        const times = f64x2.splat(coefficient);
        const sum0 = v128.load(part);
        const sum1 = v128.load(part, 16);
        const sum2 = v128.load(part, 32);
        const sum3 = v128.load(part, 48);
        whole0 = f64x2.add(whole0, f64x2.mul(times, logLanes(f64x2.div(sum0, number))));
        whole1 = f64x2.add(whole1, f64x2.mul(times, logLanes(f64x2.div(sum1, number))));
        whole2 = f64x2.add(whole2, f64x2.mul(times, logLanes(f64x2.div(sum2, number))));
        whole3 = f64x2.add(whole3, f64x2.mul(times, logLanes(f64x2.div(sum3, number))));
        factor0 = f64x2.div(one, sum0);
        factor1 = f64x2.div(one, sum1);
        factor2 = f64x2.div(one, sum2);
        factor3 = f64x2.div(one, sum3);
        v128.store(part, one);
        v128.store(part, one, 16);
        v128.store(part, one, 32);
        v128.store(part, one, 48);
      }
      part += <usize>TILE << 3;
    }
  }
  let choice = choices;
  for (let b: usize = 0; b < <usize>evaluations; b++) {
    let product0 = one;
    let product1 = one;
    let product2 = one;
    let product3 = one;
    let power0 = one;
    let power1 = one;
    let power2 = one;
    let power3 = one;
    let pooled0 = zero;
    let pooled1 = zero;
    let pooled2 = zero;
    let pooled3 = zero;
    for (let t: usize = 0; t < <usize>sets; t++) {
      part = parts + <usize>load<u32>(choice);
      choice += 4;
      const role = load<u32>(setRoles + (t << 2));
      if (role == NUMERATOR) {
        product0 = f64x2.mul(product0, v128.load(part));
        product1 = f64x2.mul(product1, v128.load(part, 16));
        product2 = f64x2.mul(product2, v128.load(part, 32));
        product3 = f64x2.mul(product3, v128.load(part, 48));
      } else if (role == DENOMINATOR) {
        product0 = f64x2.div(product0, v128.load(part));
        product1 = f64x2.div(product1, v128.load(part, 16));
        product2 = f64x2.div(product2, v128.load(part, 32));
        product3 = f64x2.div(product3, v128.load(part, 48));
      } else if (role == RAISED) {
        power0 = f64x2.mul(power0, v128.load(part));
        power1 = f64x2.mul(power1, v128.load(part, 16));
        power2 = f64x2.mul(power2, v128.load(part, 32));
        power3 = f64x2.mul(power3, v128.load(part, 48));
      } else {
        pooled0 = f64x2.add(pooled0, v128.load(part));
        pooled1 = f64x2.add(pooled1, v128.load(part, 16));
        pooled2 = f64x2.add(pooled2, v128.load(part, 32));
        pooled3 = f64x2.add(pooled3, v128.load(part, 48));
      }
    }
    const constant = f64x2.splat(f64.load(constants + (b << 3)));
    storeLogs(out, raised, f64x2.add(whole0, pooled0), constant, product0, power, power0);
    storeLogs(out + 16, raised, f64x2.add(whole1, pooled1), constant, product1, power, power1);
    storeLogs(out + 32, raised, f64x2.add(whole2, pooled2), constant, product2, power, power2);
    storeLogs(out + 48, raised, f64x2.add(whole3, pooled3), constant, product3, power, power3);
    out += CHUNK << 3;
  }
}

/** Puts the logarithm of a product together from its parts, for two cells in one evaluation. */
function storeLogs(
  out: usize,
  raised: v128,
  sets: v128,
  constant: v128,
  product: v128,
  power: v128,
  powered: v128,
): void {
  // The logarithm of 1 is 0, and many products are 1: without sets of a power, or with such sets as a whole.
  if (v128.any_true(v128.xor(product, f64x2.splat(1)))) constant = f64x2.add(constant, logLanes(product));
  if (v128.any_true(v128.xor(powered, f64x2.splat(1)))) {
    constant = f64x2.add(constant, f64x2.mul(power, logLanes(powered)));
  }
  v128.store(out, f64x2.mul(raised, f64x2.add(sets, constant)));
}
