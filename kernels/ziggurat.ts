/** The variates of shared/random/ziggurat.ts, operation by operation. The host fills the tables in. */
import { exp, log } from './portable-math';
import { uniform } from './stream';

const LAYERS: f64 = 256;

/** The tables of the normal, then those of the exponential: 257 widths, ratios and heights, f64 each. */
export const tables: usize = memory.data(12336, 16);
const NORMAL: usize = tables;
const EXPONENTIAL: usize = tables + 6168;
/** Bytes from a table's widths to its ratios, and to its heights. */
const RATIOS: usize = 2056;
const HEIGHTS: usize = 4112;

/** Exponential of rate 1. */
// @ts-ignore: a decorator of AssemblyScript on a function
@inline
export function exponential(): f64 {
  const scaled = uniform() * LAYERS;
  const layer = <i32>scaled;
  const share = scaled - <f64>layer;
  const at = EXPONENTIAL + (<usize>layer << 3);
  const x = share * load<f64>(at);
  return share < load<f64>(at, RATIOS) ? x : exponentialAbove(layer, x);
}

/** What `exponential` gives where a place in a layer is not below the density as a whole: about once in a hundred. */
function exponentialAbove(layer: i32, x: f64): f64 {
  const at = EXPONENTIAL + (<usize>layer << 3);
  if (layer == 0) return load<f64>(at, 8) + exponentialAgain();
  const low = load<f64>(at, HEIGHTS);
  const high = load<f64>(at, HEIGHTS + 8);
  return low + uniform() * (high - low) < exp(-x) ? x : exponentialAgain();
}

function exponentialAgain(): f64 {
  return exponential();
}

/** Standard normal. */
export function normal(): f64 {
  while (true) {
    const scaled = uniform() * LAYERS;
    const layer = <i32>scaled;
    const share = 2 * (scaled - <f64>layer) - 1;
    const at = NORMAL + (<usize>layer << 3);
    const x = share * load<f64>(at);
    if (abs<f64>(share) < load<f64>(at, RATIOS)) return x;
    if (layer == 0) return share < 0 ? -normalTail() : normalTail();
    const low = load<f64>(at, HEIGHTS);
    const high = load<f64>(at, HEIGHTS + 8);
    if (low + uniform() * (high - low) < exp(-0.5 * x * x)) return x;
  }
  return NaN;
}

function normalTail(): f64 {
  const edge = load<f64>(NORMAL, 8);
  while (true) {
    const beyond = exponential() / edge;
    if (2 * exponential() >= beyond * beyond) return edge + beyond;
  }
  return NaN;
}
