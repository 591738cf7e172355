/**
 * The functions of shared/numeric/portable-math.ts, operation by operation: the same bits. See there for the
 * method and its source.
 */

const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const INVERSE_LN2: f64 = 1.4426950408889634;

/** 2^exponent for a whole exponent in [-1022, 1023]. */
function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(exponent + 1023)) << 52);
}

/** Natural logarithm. */
export function log(argument: f64): f64 {
  let x = argument;
  if (!(x > 0)) return x == 0 ? -Infinity : NaN;
  if (x == Infinity) return Infinity;
  let exponent: i32 = 0;
  let bits = reinterpret<u64>(x);
  if (<u32>(bits >> 32) < 0x00100000) {
    x *= 18014398509481984;
    exponent = -54;
    bits = reinterpret<u64>(x);
  }
  const high = <u32>(bits >> 32);
  const carry = ((high & 0x000fffff) + 0x95f64) & 0x00100000;
  exponent += <i32>(high >> 20) - 1023 + <i32>(carry >> 20);
  const mantissa = (high & 0x000fffff) | (carry ^ 0x3ff00000);
  const f = reinterpret<f64>(((<u64>mantissa) << 32) | (bits & 0xffffffff)) - 1;
  const halfSquare = 0.5 * f * f;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const k = <f64>exponent;
  return k * LN2_HIGH - (halfSquare - (s * (halfSquare + even + odd) + k * LN2_LOW) - f);
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
  const t = r * r;
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))));
  const y = 1 - (low - (r * c) / (2 - c) - high);
  const k = <i32>whole;
  if (k > 1023) return y * 2 * powerOfTwo(k - 1);
  if (k < -1022) return y * powerOfTwo(k + 54) * 5.551115123125783e-17;
  return y * powerOfTwo(k);
}
