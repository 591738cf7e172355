/** The functions of kernels/math/single-math.ts on one number, operation by operation. */
const single = Math.fround;

const LN2_HIGH = single(0.693359375);
const LN2_LOW = single(-0.00021219444);
const INVERSE_LN2 = single(Math.LOG2E);
const ROUNDING = 12582912;
const bits = new DataView(new ArrayBuffer(4));

function bitsOf(x: number): number {
  bits.setFloat32(0, x);
  return bits.getInt32(0);
}

function ofBits(word: number): number {
  bits.setInt32(0, word);
  return bits.getFloat32(0);
}

const linear = (low: number, high: number, x: number) => single(single(low) + single(single(high) * x));

/** Natural logarithm of a single-precision number that is positive, normal and finite. */
export function logSingle(x: number): number {
  const carried = (bitsOf(x) + 0x004afb0d) | 0;
  const f = single(ofBits((bitsOf(x) - (carried & 0xff800000) + 0x3f800000) | 0) - 1);
  const k = (carried >>> 23) - 127;
  const square = single(f * f);
  const first = linear(linear(-0.5, 0.33333858847618103, f), linear(-0.2500174641609192, 0.1996539831161499, f), square);
  const last = linear(linear(-0.16565634310245514, 0.14876961708068848, f), linear(-0.14350201189517975, 0.08917869627475739, f), square);
  const series = linear(first, last, single(square * square));
  const low = single(single(k * LN2_LOW) + single(square * series));
  return single(single(k * LN2_HIGH) + single(f + low));
}

/** Exponential function of a single-precision number that is at most 0; at or below -87 it is 0. */
export function expSingle(x: number): number {
  if (x <= -87) return 0;
  const k = single(single(single(x * INVERSE_LN2) + ROUNDING) - ROUNDING);
  const r = single(single(x - single(k * LN2_HIGH)) - single(k * LN2_LOW));
  const square = single(r * r);
  const middle = linear(linear(0.5, 0.1666651964187622, r), linear(0.04166620597243309, 0.008368882350623608, r), square);
  const series = linear(middle, 0.0013950478751212358, single(square * square));
  const y = single(1 + linear(r, series, square));
  return single(y * ofBits((k + 127) << 23));
}
