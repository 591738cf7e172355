/**
 * The density of a further value of a class on the unit scale, of shared/risk/mixed/predictive.ts; see there. Its power of
 * 1 / (1 + d^2 / spread), d the distance from the location, is found by squaring: 2 a + 1 is a whole number but for what the
 * prior's 2 a0 is not.
 */
import { lgamma } from '../math/gamma-function';
import { isWhole, logLowerGamma } from '../math/incomplete-gamma';
import { exp, expLanes, log, logLanes } from '../math/portable-math';
import { kappa, normalRate, normalShape } from './shape';

const PI: f64 = 3.141592653589793;

/** Location of the density that is open. */
export let location: f64 = 0;
/** Its scale. */
export let scale: f64 = 0;
let spread: f64 = 0;
/** The density at the location. */
let height: f64 = 0;
/** a + 1/2 = half whole + rest. */
let whole: i32 = 0;
let rest: f64 = 0;
/** Whether the smallest standard deviation cuts sigma off; then by what. */
let isCut: bool = false;
let shape: f64 = 0;
/** lgamma(shape + 1/2). */
let logGamma: f64 = 0;
/** Square of the smallest standard deviation. */
let smallest: f64 = 0;
let rate: f64 = 0;
let logCut: f64 = 0;
/** Eight numbers: what the cut makes of the densities at hand. */
const cutShares: usize = memory.data(64, 16);

/**
 * Writes what the density of a class of so many values does not owe to what they are.
 *
 * @param floor square of the smallest standard deviation
 */
export function prepareStudent(to: usize, number: f64, floor: f64): void {
  const total = kappa + number;
  const share = number / total;
  const a = normalShape + 0.5 * number;
  store<f64>(to, share);
  store<f64>(to, kappa * share, 8);
  const spreads = (2 * (total + 1)) / total;
  store<f64>(to, spreads, 16);
  const logGammas = lgamma(a);
  const logGammasAfter = lgamma(a + 0.5);
  store<f64>(to, exp(logGammasAfter - logGammas) / sqrt<f64>(PI), 24);
  store<f64>(to, sqrt<f64>(1 / (2 * a)), 32);
  store<f64>(to, a, 40);
  store<f64>(to, floor, 48);
  // Above this rate the complement of P(a + 1/2, rate / floor) is below exp(-28), and that of P(a, rate / floor) too: with
  // u = x / a - 1 it is no more than exp(-a (u - log(1 + u))), and u - log(1 + u) no less than u^2 / (2 + 4 u / 3).
  const most = a + 0.5;
  store<f64>(to, floor * (most + 56 / 3.0 + sqrt<f64>((56 / 3.0) * (56 / 3.0) + 56 * most)), 56);
  store<f64>(to, logGammas, 64);
  store<f64>(to, logGammasAfter, 72);
}

/** Opens the density of a class whose constants are at `from`, with the mean and centred squares of its values. */
export function openStudent(from: usize, average: f64, squares: f64): void {
  const distance = average - 0.5;
  location = 0.5 + load<f64>(from) * distance;
  rate = normalRate + 0.5 * (squares + load<f64>(from, 8) * distance * distance);
  spread = rate * load<f64>(from, 16);
  const root = sqrt<f64>(spread);
  height = load<f64>(from, 24) / root;
  scale = root * load<f64>(from, 32);
  shape = load<f64>(from, 40);
  const power = 2 * shape + 1;
  whole = <i32>power;
  rest = (power - <f64>whole) * 0.5;
  isCut = false;
  if (rate > load<f64>(from, 56)) return;
  smallest = load<f64>(from, 48);
  const x = rate / smallest;
  isCut = !(isWhole(shape, x) && isWhole(shape + 0.5, x));
  if (!isCut) return;
  logCut = logLowerGamma(shape, x, load<f64>(from, 64));
  logGamma = load<f64>(from, 72);
  // sigma is no less than the smallest.
  scale = max(scale, sqrt<f64>(smallest));
}

/** The distance from its location at which the open density is no more than some number. */
export function reachOf(least: f64): f64 {
  // What the cut makes of it is no more than 1 / P(a, rate / floor).
  const logs = log(height / least) - (isCut ? logCut : 0);
  return logs > 0 ? sqrt<f64>(spread * (exp(logs / (shape + 0.5)) - 1)) : 0;
}

/** What the cut makes of the density at a distance from the location. */
function cutShare(distance: f64): f64 {
  // Rows without a value have no distance.
  if (distance != distance) return NaN;
  const further = rate + (distance * distance * rate) / spread;
  return exp(logLowerGamma(shape + 0.5, further / smallest, logGamma) - logCut);
}

/** The open density at a distance from its location. */
export function student(distance: f64): f64 {
  let x = 1 / (1 + (distance * distance) / spread);
  let density = whole & 1 ? height * sqrt<f64>(x) : height;
  if (rest > 0) density *= exp(rest * log(x));
  for (let power = whole >> 1; power > 0; power >>= 1) {
    if (power & 1) density *= x;
    x *= x;
  }
  return isCut ? density * cutShare(distance) : density;
}

/** 1 / (1 + d^2 / spread) of two distances. */
function inverse(distance: v128, reciprocal: v128): v128 {
  const one = f64x2.splat(1);
  return f64x2.div(one, f64x2.add(one, f64x2.mul(f64x2.mul(distance, distance), reciprocal)));
}

/** Puts the open density at eight distances from its location in their place. */
export function eightStudents(at: usize): void {
  if (isCut) for (let i: usize = 0; i < 64; i += 8) store<f64>(cutShares + i, cutShare(load<f64>(at + i)));
  const reciprocal = f64x2.splat(1 / spread);
  let x0 = inverse(v128.load(at), reciprocal);
  let x1 = inverse(v128.load(at, 16), reciprocal);
  let x2 = inverse(v128.load(at, 32), reciprocal);
  let x3 = inverse(v128.load(at, 48), reciprocal);
  let density0 = f64x2.splat(height);
  let density1 = density0;
  let density2 = density0;
  let density3 = density0;
  if (whole & 1) {
    density0 = f64x2.mul(density0, f64x2.sqrt(x0));
    density1 = f64x2.mul(density1, f64x2.sqrt(x1));
    density2 = f64x2.mul(density2, f64x2.sqrt(x2));
    density3 = f64x2.mul(density3, f64x2.sqrt(x3));
  }
  if (rest > 0) {
    const power = f64x2.splat(rest);
    density0 = f64x2.mul(density0, expLanes(f64x2.mul(power, logLanes(x0))));
    density1 = f64x2.mul(density1, expLanes(f64x2.mul(power, logLanes(x1))));
    density2 = f64x2.mul(density2, expLanes(f64x2.mul(power, logLanes(x2))));
    density3 = f64x2.mul(density3, expLanes(f64x2.mul(power, logLanes(x3))));
  }
  for (let power = whole >> 1; power > 0; power >>= 1) {
    if (power & 1) {
      density0 = f64x2.mul(density0, x0);
      density1 = f64x2.mul(density1, x1);
      density2 = f64x2.mul(density2, x2);
      density3 = f64x2.mul(density3, x3);
    }
    x0 = f64x2.mul(x0, x0);
    x1 = f64x2.mul(x1, x1);
    x2 = f64x2.mul(x2, x2);
    x3 = f64x2.mul(x3, x3);
  }
  if (isCut) {
    density0 = f64x2.mul(density0, v128.load(cutShares));
    density1 = f64x2.mul(density1, v128.load(cutShares, 16));
    density2 = f64x2.mul(density2, v128.load(cutShares, 32));
    density3 = f64x2.mul(density3, v128.load(cutShares, 48));
  }
  v128.store(at, density0);
  v128.store(at, density1, 16);
  v128.store(at, density2, 32);
  v128.store(at, density3, 48);
}
