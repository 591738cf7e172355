/** The variates of shared/random/ziggurat.ts, operation by operation. The host fills the tables in. */
import { exp, log } from '../math/portable-math';
import { isEmpty, peek, refill, skip, uniform } from './stream';

const LAYERS: f64 = 256;

/** The tables of the normal, then those of the exponential: 257 widths, ratios and heights, f64 each. */
export const tables: usize = memory.data(12336, 16);
const NORMAL: usize = tables;
const EXPONENTIAL: usize = tables + 6168;
/** Bytes from a table's widths to its ratios, and to its heights. */
const RATIOS: usize = 2056;
const HEIGHTS: usize = 4112;

/**
 * An exponential of rate 1 where the next number of the stream decides it, which must be drawn; else -1, and the number
 * is left to `exponential`. It calls nothing, so that it can stand in a loop without a call.
 */
export function quickExponential(): f64 {
  const scaled = peek() * LAYERS;
  const layer = <i32>scaled;
  const share = scaled - <f64>layer;
  const at = EXPONENTIAL + (<usize>layer << 3);
  if (share >= load<f64>(at, RATIOS)) return -1;
  skip();
  return share * load<f64>(at);
}

/** Exponential of rate 1. */
export function exponential(): f64 {
  if (isEmpty()) refill();
  const quick = quickExponential();
  if (quick >= 0) return quick;
  const scaled = uniform() * LAYERS;
  const layer = <i32>scaled;
  const at = EXPONENTIAL + (<usize>layer << 3);
  if (layer == 0) return load<f64>(at, 8) + exponential();
  const x = (scaled - <f64>layer) * load<f64>(at);
  const low = load<f64>(at, HEIGHTS);
  const high = load<f64>(at, HEIGHTS + 8);
  return low + uniform() * (high - low) < exp(-x) ? x : exponential();
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
