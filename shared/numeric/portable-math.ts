/**
 * Transcendental functions built from `+ - * /` and bit patterns alone, so that every processor and every
 * version of Node gives the same bits (`Math.log` and its like do not; see `docs/explanation/architecture.md`).
 * Polynomial coefficients and splits of ln 2 are those of the classic 53-bit minimax approximations (fdlibm,
 * e_exp.c and e_log.c): every result is the nearest double or a neighbour of it.
 */

const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const INVERSE_LN2 = Math.LOG2E;

/** log 2, for turning nats into bits. */
export const LN2 = Math.LN2;

/** 2^exponent for a whole exponent in [-1022, 1023]. */
function powerOfTwo(exponent: number): number {
  words[LOW] = 0;
  words[HIGH] = (exponent + 1023) << 20;
  return scratch[0]!;
}

/** The exponent k of a positive finite x = 2^k m with m in [sqrt(1/2), sqrt(2)); m is left in `scratch`. */
function splitPower(x: number): number {
  let exponent = 0;
  scratch[0] = x;
  if (words[HIGH]! < 0x00100000) {
    // Subnormal: bring it into the normal range first.
    scratch[0] = x * 18014398509481984;
    exponent = -54;
  }
  const high = words[HIGH]!;
  // 0x95f64 carries a mantissa above sqrt(2) into the next power of two.
  const carry = ((high & 0x000fffff) + 0x95f64) & 0x00100000;
  words[HIGH] = (high & 0x000fffff) | (carry ^ 0x3ff00000);
  return exponent + (high >>> 20) - 1023 + (carry >>> 20);
}

/** k ln 2 + log(1 + f) + rest, with rest small: the series of log((1+s)/(1-s)) in s = f / (2 + f). */
function logSum(k: number, f: number, rest: number): number {
  const halfSquare = 0.5 * f * f;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  return k * LN2_HIGH - (halfSquare - (s * (halfSquare + even + odd) + (k * LN2_LOW + rest)) - f);
}

/** Natural logarithm. NaN for negative arguments and NaN, -Infinity at 0. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  const k = splitPower(x);
  return logSum(k, scratch[0]! - 1, 0);
}

/** c(r) in exp(r) = 1 + 2 r / (2 - c) = 1 + r + r c / (2 - c), for |r| <= ln(2)/2. */
function expSlope(r: number): number {
  const t = r * r;
  return (
    r -
    t *
      (0.16666666666666602 +
        t * (-0.0027777777777015593 + t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))))
  );
}

/**
 * Exponential function. 0 below about -745.1, Infinity above about 709.8, NaN for NaN.
 * Argument reduction x = k ln 2 + r with |r| <= ln(2)/2, then a rational approximation of exp(r).
 */
export function exp(x: number): number {
  if (x > 709.782712893384) return Infinity;
  if (x < -745.1332191019412) return 0;
  const k = Math.floor(x * INVERSE_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const c = expSlope(r);
  const y = 1 - (low - (r * c) / (2 - c) - high);
  if (k > 1023) return y * 2 * powerOfTwo(k - 1);
  if (k < -1022) return y * powerOfTwo(k + 54) * 5.551115123125783e-17;
  return y * powerOfTwo(k);
}

/** log(1 + x), accurate for small x. NaN below -1, -Infinity at -1; keeps the sign of zero. */
export function log1p(x: number): number {
  if (x === 0) return x;
  // Where 1 + x needs no power of two, nothing need be rounded.
  if (x > -0.29 && x < 0.41) return logSum(0, x, 0);
  const u = 1 + x;
  if (!(u > 0 && u < Infinity)) return log(u);
  const k = splitPower(u);
  // The last term restores what rounding 1 + x took away.
  return logSum(k, scratch[0]! - 1, (x - (u - 1)) / u);
}

/**
 * exp(x) - 1, accurate for small x. -1 far below zero, Infinity above about 709.8, NaN for NaN; keeps the sign of zero.
 * With x = k ln 2 + r as in {@link exp}, (2^k - 1) + 2^k r + 2^k (exp(r) - 1 - r), the first sum without rounding.
 */
export function expm1(x: number): number {
  if (!(x < 0 || x > 0)) return x;
  if (x > 40) return exp(x);
  if (x < -40) return -1;
  const k = Math.floor(x * INVERSE_LN2 + 0.5);
  if (k === 0) {
    const c = expSlope(x);
    return x + (x * c) / (2 - c);
  }
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const c = expSlope(r);
  const lost = high - r - low;
  const scale = powerOfTwo(k);
  const whole = scale - 1;
  const linear = scale * r;
  const sum = whole + linear;
  return sum + (linear - (sum - whole) + scale * ((r * c) / (2 - c) + lost * (1 + r)));
}
