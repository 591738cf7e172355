/**
 * Logarithm and exponential of four single-precision numbers at a time, in about half a dozen terms and without a
 * division, for figures that need no more than six digits. Errors are below 1e-7 times 1 or the result, whichever is larger
 * (of the logarithm, against its whole part in powers of two). bench/plain/single-math.ts has the same operations on one
 * number. The coefficients are minimax fits of (log(1 + f) - f + f^2 / 2) / f^3 on [sqrt(1/2) - 1, sqrt(2) - 1] and of
 * (exp(r) - 1 - r) / r^2 on [-ln(2)/2, ln(2)/2].
 */

const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -0.00021219444;
const INVERSE_LN2: f32 = 1.4426950408889634;

/** 1.5 x 2^23: added to a number and taken off again, it leaves the nearest whole number. */
const ROUNDING: f32 = 12582912;

/** At and below, `expSingles` is 0. */
const EXP_LEAST: f32 = -87;

/** low + high x. */
function linear(low: v128, high: v128, x: v128): v128 {
  return f32x4.add(low, f32x4.mul(high, x));
}

/** The same of two numbers that are known. */
function terms(low: f32, high: f32, x: v128): v128 {
  return linear(f32x4.splat(low), f32x4.splat(high), x);
}

/** Natural logarithm of four positive numbers that are normal and finite. */
export function logSingles(x: v128): v128 {
  // A mantissa above sqrt(2) is carried into the exponent of `carried`.
  const carried = i32x4.add(x, i32x4.splat(0x004afb0d));
  const scale = v128.and(carried, i32x4.splat(0xff800000));
  const f = f32x4.sub(i32x4.add(i32x4.sub(x, scale), i32x4.splat(0x3f800000)), f32x4.splat(1));
  const k = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(carried, 23), i32x4.splat(127)));
  const square = f32x4.mul(f, f);
  const first = linear(terms(-0.5, 0.33333858847618103, f), terms(-0.2500174641609192, 0.1996539831161499, f), square);
  const last = linear(terms(-0.16565634310245514, 0.14876961708068848, f), terms(-0.14350201189517975, 0.08917869627475739, f), square);
  const series = linear(first, last, f32x4.mul(square, square));
  const low = f32x4.add(f32x4.mul(k, f32x4.splat(LN2_LOW)), f32x4.mul(square, series));
  return f32x4.add(f32x4.mul(k, f32x4.splat(LN2_HIGH)), f32x4.add(f, low));
}

/** Exponential function of four numbers that are at most 0; of those at or below -87 it is 0. */
export function expSingles(x: v128): v128 {
  const rounding = f32x4.splat(ROUNDING);
  const k = f32x4.sub(f32x4.add(f32x4.mul(x, f32x4.splat(INVERSE_LN2)), rounding), rounding);
  const high = f32x4.sub(x, f32x4.mul(k, f32x4.splat(LN2_HIGH)));
  const r = f32x4.sub(high, f32x4.mul(k, f32x4.splat(LN2_LOW)));
  const square = f32x4.mul(r, r);
  const middle = linear(terms(0.5, 0.1666651964187622, r), terms(0.04166620597243309, 0.008368882350623608, r), square);
  const series = linear(middle, f32x4.splat(0.0013950478751212358), f32x4.mul(square, square));
  const y = f32x4.add(f32x4.splat(1), linear(r, series, square));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23);
  return v128.and(f32x4.mul(y, power), f32x4.gt(x, f32x4.splat(EXP_LEAST)));
}
