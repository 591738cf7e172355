/**
 * The functions of shared/numeric/portable-math.ts, operation by operation: the same bits. See there for the
 * method and its source. `logLanes` and `expLanes` are the same operations on two numbers at a time.
 */

const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const INVERSE_LN2: f64 = 1.4426950408889634;

/** 2^exponent for a whole exponent in [-1022, 1023]. */
function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(exponent + 1023)) << 52);
}

/** Where `splitPower` leaves the mantissa. */
let mantissa: f64 = 0;

/** The exponent k of a positive finite x = 2^k m with m in [sqrt(1/2), sqrt(2)); m is left in `mantissa`. */
function splitPower(x: f64): i32 {
  let exponent: i32 = 0;
  let bits = reinterpret<u64>(x);
  if (<u32>(bits >> 32) < 0x00100000) {
    bits = reinterpret<u64>(x * 18014398509481984);
    exponent = -54;
  }
  const high = <u32>(bits >> 32);
  const carry = ((high & 0x000fffff) + 0x95f64) & 0x00100000;
  const word = (high & 0x000fffff) | (carry ^ 0x3ff00000);
  mantissa = reinterpret<f64>(((<u64>word) << 32) | (bits & 0xffffffff));
  return exponent + <i32>(high >> 20) - 1023 + <i32>(carry >> 20);
}

/** k ln 2 + log(1 + f) + rest, with rest small. */
function logSum(k: f64, f: f64, rest: f64): f64 {
  const halfSquare = 0.5 * f * f;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  return k * LN2_HIGH - (halfSquare - (s * (halfSquare + even + odd) + (k * LN2_LOW + rest)) - f);
}

/** Natural logarithm. */
export function log(x: f64): f64 {
  if (!(x > 0)) return x == 0 ? -Infinity : NaN;
  if (x == Infinity) return Infinity;
  const k = splitPower(x);
  return logSum(<f64>k, mantissa - 1, 0);
}

/** log(1 + x), accurate for small x. */
export function log1p(x: f64): f64 {
  if (x == 0) return x;
  if (x > -0.29 && x < 0.41) return logSum(0, x, 0);
  const u = 1 + x;
  if (!(u > 0 && u < Infinity)) return log(u);
  const k = splitPower(u);
  return logSum(<f64>k, mantissa - 1, (x - (u - 1)) / u);
}

/** c(r) in exp(r) = 1 + 2 r / (2 - c) = 1 + r + r c / (2 - c), for |r| <= ln(2)/2. */
function expSlope(r: f64): f64 {
  const t = r * r;
  return (
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))))
  );
}

/** Exponential function. */
export function exp(x: f64): f64 {
  if (x != x) return NaN;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.1332191019412) return 0;
  const whole = floor<f64>(x * INVERSE_LN2 + 0.5);
  const high = x - whole * LN2_HIGH;
  const low = whole * LN2_LOW;
  const r = high - low;
  const c = expSlope(r);
  const y = 1 - (low - (r * c) / (2 - c) - high);
  const k = <i32>whole;
  if (k > 1023) return y * 2 * powerOfTwo(k - 1);
  if (k < -1022) return y * powerOfTwo(k + 54) * 5.551115123125783e-17;
  return y * powerOfTwo(k);
}

/** exp(x) - 1, accurate for small x. */
export function expm1(x: f64): f64 {
  if (!(x < 0 || x > 0)) return x;
  if (x > 40) return exp(x);
  if (x < -40) return -1;
  const k = floor<f64>(x * INVERSE_LN2 + 0.5);
  if (k == 0) {
    const c = expSlope(x);
    return x + (x * c) / (2 - c);
  }
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const c = expSlope(r);
  const lost = high - r - low;
  const scale = powerOfTwo(<i32>k);
  const whole = scale - 1;
  const linear = scale * r;
  const sum = whole + linear;
  return sum + (linear - (sum - whole) + scale * ((r * c) / (2 - c) + lost * (1 + r)));
}

/** Smallest normal double and largest finite one: between them `logLanes` needs no special case. */
const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308;
const LARGEST: f64 = 1.7976931348623157e308;

/** Natural logarithm of both lanes; zero, negative, subnormal and not finite lanes take the slow way. */
export function logLanes(x: v128): v128 {
  const ordinary = v128.and(
    f64x2.ge(x, f64x2.splat(SMALLEST_NORMAL)),
    f64x2.le(x, f64x2.splat(LARGEST)),
  );
  if (!i64x2.all_true(ordinary)) {
    const first = f64x2.splat(log(f64x2.extract_lane(x, 0)));
    return f64x2.replace_lane(first, 1, log(f64x2.extract_lane(x, 1)));
  }
  // A mantissa above sqrt(2) is carried into the exponent of `carried`.
  const carried = i64x2.add(x, i64x2.splat(0x00095f6400000000));
  const scale = v128.and(carried, i64x2.splat(0xfff0000000000000));
  const f = f64x2.sub(i64x2.add(i64x2.sub(x, scale), i64x2.splat(0x3ff0000000000000)), f64x2.splat(1));
  // Exponents become doubles as the last bits of 2^52 + exponent.
  const exponent = v128.or(i64x2.shr_u(carried, 52), i64x2.splat(0x4330000000000000));
  const k = f64x2.sub(exponent, f64x2.splat(4503599627370496.0 + 1023));
  const halfSquare = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f);
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f));
  const z = f64x2.mul(s, s);
  const w = f64x2.mul(z, z);
  let even = f64x2.add(f64x2.splat(0.22222198432149784), f64x2.mul(w, f64x2.splat(0.15313837699209373)));
  even = f64x2.mul(w, f64x2.add(f64x2.splat(0.3999999999940942), f64x2.mul(w, even)));
  let odd = f64x2.add(f64x2.splat(0.1818357216161805), f64x2.mul(w, f64x2.splat(0.14798198605116586)));
  odd = f64x2.add(f64x2.splat(0.2857142874366239), f64x2.mul(w, odd));
  odd = f64x2.mul(z, f64x2.add(f64x2.splat(0.6666666666666735), f64x2.mul(w, odd)));
  const series = f64x2.mul(s, f64x2.add(f64x2.add(halfSquare, even), odd));
  const low = f64x2.add(series, f64x2.mul(k, f64x2.splat(LN2_LOW)));
  return f64x2.sub(f64x2.mul(k, f64x2.splat(LN2_HIGH)), f64x2.sub(f64x2.sub(halfSquare, low), f));
}

/** Between these, results of `exp` are normal and their exponents need no second step. */
const EXP_LEAST: f64 = -708;
const EXP_MOST: f64 = 709;

/** Exponential function of both lanes; a lane beyond [-708, 709], or NaN, takes the slow way. */
export function expLanes(x: v128): v128 {
  const ordinary = v128.and(f64x2.ge(x, f64x2.splat(EXP_LEAST)), f64x2.le(x, f64x2.splat(EXP_MOST)));
  if (!i64x2.all_true(ordinary)) {
    const first = f64x2.splat(exp(f64x2.extract_lane(x, 0)));
    return f64x2.replace_lane(first, 1, exp(f64x2.extract_lane(x, 1)));
  }
  return expWithin(x);
}

/** `expLanes` of two numbers that are both within [-708, 709]. */
export function expWithin(x: v128): v128 {
  const whole = f64x2.floor(f64x2.add(f64x2.mul(x, f64x2.splat(INVERSE_LN2)), f64x2.splat(0.5)));
  const high = f64x2.sub(x, f64x2.mul(whole, f64x2.splat(LN2_HIGH)));
  const low = f64x2.mul(whole, f64x2.splat(LN2_LOW));
  const r = f64x2.sub(high, low);
  const t = f64x2.mul(r, r);
  let series = f64x2.mul(t, f64x2.splat(4.1381367970572385e-8));
  series = f64x2.add(f64x2.splat(-0.0000016533902205465252), series);
  series = f64x2.add(f64x2.splat(0.00006613756321437934), f64x2.mul(t, series));
  series = f64x2.add(f64x2.splat(-0.0027777777777015593), f64x2.mul(t, series));
  series = f64x2.add(f64x2.splat(0.16666666666666602), f64x2.mul(t, series));
  const c = f64x2.sub(r, f64x2.mul(t, series));
  const quotient = f64x2.div(f64x2.mul(r, c), f64x2.sub(f64x2.splat(2), c));
  const y = f64x2.sub(f64x2.splat(1), f64x2.sub(f64x2.sub(low, quotient), high));
  // 2^whole: the exponent stands in the last bits of 2^52 + 1023 + whole, from where it is moved to its place.
  const power = i64x2.shl(f64x2.add(whole, f64x2.splat(4503599627370496.0 + 1023)), 52);
  return f64x2.mul(y, power);
}
