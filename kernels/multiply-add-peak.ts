/**
 * How fast this machine multiplies and adds pairs of doubles when nothing comes from memory: what the scoring is measured
 * against (bench/kernels/scoring.ts). Twelve values are under way at once, since a product and a sum take several
 * steps.
 */

/** Pairs multiplied and added in a round. */
export const PAIRS: i32 = 12;

/** Does `rounds` rounds, and returns a number that depends on all of them. */
export function multiplyAdd(rounds: i32, factorOf: f64, termOf: f64): f64 {
  const factor = f64x2.splat(factorOf);
  const term = f64x2.splat(termOf);
  let value0 = f64x2.splat(1);
  let value1 = f64x2.splat(2);
  let value2 = f64x2.splat(3);
  let value3 = f64x2.splat(4);
  let value4 = f64x2.splat(5);
  let value5 = f64x2.splat(6);
  let value6 = f64x2.splat(7);
  let value7 = f64x2.splat(8);
  let value8 = f64x2.splat(9);
  let value9 = f64x2.splat(10);
  let value10 = f64x2.splat(11);
  let value11 = f64x2.splat(12);
  for (let i = 0; i < rounds; i++) {
    value0 = f64x2.add(f64x2.mul(value0, factor), term);
    value1 = f64x2.add(f64x2.mul(value1, factor), term);
    value2 = f64x2.add(f64x2.mul(value2, factor), term);
    value3 = f64x2.add(f64x2.mul(value3, factor), term);
    value4 = f64x2.add(f64x2.mul(value4, factor), term);
    value5 = f64x2.add(f64x2.mul(value5, factor), term);
    value6 = f64x2.add(f64x2.mul(value6, factor), term);
    value7 = f64x2.add(f64x2.mul(value7, factor), term);
    value8 = f64x2.add(f64x2.mul(value8, factor), term);
    value9 = f64x2.add(f64x2.mul(value9, factor), term);
    value10 = f64x2.add(f64x2.mul(value10, factor), term);
    value11 = f64x2.add(f64x2.mul(value11, factor), term);
  }
  value0 = f64x2.add(value0, value1);
  value0 = f64x2.add(value0, value2);
  value0 = f64x2.add(value0, value3);
  value0 = f64x2.add(value0, value4);
  value0 = f64x2.add(value0, value5);
  value0 = f64x2.add(value0, value6);
  value0 = f64x2.add(value0, value7);
  value0 = f64x2.add(value0, value8);
  value0 = f64x2.add(value0, value9);
  value0 = f64x2.add(value0, value10);
  value0 = f64x2.add(value0, value11);
  return f64x2.extract_lane(value0, 0) + f64x2.extract_lane(value0, 1);
}
