/**
 * The streams and distributions of shared/random, operation by operation: the same numbers in the same order.
 * The host hands a stream's state over before a call, and takes it back after.
 */
import { exp, log } from './portable-math';

let s0: u32 = 0;
let s1: u32 = 0;
let s2: u32 = 0;
let s3: u32 = 0;
let spareNormal: f64 = 0;
let hasSpareNormal: bool = false;

/** Takes a stream over from `at`: four words of state, a flag, and the spare normal (24 bytes after it). */
export function takeStream(at: usize): void {
  s0 = load<u32>(at);
  s1 = load<u32>(at, 4);
  s2 = load<u32>(at, 8);
  s3 = load<u32>(at, 12);
  hasSpareNormal = load<u32>(at, 16) != 0;
  spareNormal = load<f64>(at, 24);
}

/** Gives the stream back. */
export function giveStream(at: usize): void {
  store<u32>(at, s0);
  store<u32>(at, s1, 4);
  store<u32>(at, s2, 8);
  store<u32>(at, s3, 12);
  store<u32>(at, hasSpareNormal ? 1 : 0, 16);
  store<f64>(at, spareNormal, 24);
}

function next(): u32 {
  const result = rotl<u32>(s1 * 5, 7) * 9;
  const shifted = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  s0 ^= s3;
  s2 ^= shifted;
  s3 = rotl<u32>(s3, 11);
  return result;
}

/** Uniform on the open interval (0, 1). */
export function uniform(): f64 {
  const high = next();
  const low = next();
  return (<f64>(high >>> 6) * 67108864 + <f64>(low >>> 6) + 0.5) * 2.220446049250313e-16;
}

/** Uniform whole number in [0, bound). */
export function below(bound: i32): i32 {
  return <i32>floor<f64>(uniform() * <f64>bound);
}

function normal(): f64 {
  if (hasSpareNormal) {
    hasSpareNormal = false;
    return spareNormal;
  }
  while (true) {
    const x = 2 * uniform() - 1;
    const y = 2 * uniform() - 1;
    const square = x * x + y * y;
    if (square < 1 && square > 0) {
      const scale = sqrt<f64>((-2 * log(square)) / square);
      spareNormal = y * scale;
      hasSpareNormal = true;
      return x * scale;
    }
  }
  return NaN;
}

/** Gamma(shape, 1) for shape >= 1. */
export function gammaFromOne(shape: f64): f64 {
  if (shape == 1) return -log(uniform());
  const d = shape - 1.0 / 3.0;
  const c = 1 / sqrt<f64>(9 * d);
  while (true) {
    const x = normal();
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = uniform();
    const square = x * x;
    if (u < 1 - 0.0331 * square * square) return d * v;
    if (log(u) < 0.5 * square + d * (1 - v + log(v))) return d * v;
  }
  return NaN;
}

/** Logarithm of a Gamma(shape, 1) variate. */
export function logGammaVariate(shape: f64): f64 {
  if (shape >= 1) return log(gammaFromOne(shape));
  return log(gammaFromOne(shape + 1)) + log(uniform()) / shape;
}

/** Gamma variate of the given shape and rate 1. */
export function gamma(shape: f64): f64 {
  return shape >= 1 ? gammaFromOne(shape) : exp(logGammaVariate(shape));
}
