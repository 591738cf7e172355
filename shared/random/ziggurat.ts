import { exp, log } from '../numeric/portable-math.ts';
import type { RandomSource } from './random-source.ts';

/** Layers of equal area under a density that falls from height 1 at 0 (Marsaglia & Tsang 2000b). */
const LAYERS = 256;

/** For each of a density's layers, from the lowest up, and for the top after them. */
interface Layers {
  /** Right edges; of layer 0, which is closed by the tail, the width of a rectangle of the same area. */
  readonly widths: Float64Array;
  /** Share of each layer that lies below the density as a whole. */
  readonly ratios: Float64Array;
  /** Density at the right edges. */
  readonly heights: Float64Array;
}

/**
 * @param edge where the tail of layer 0 begins
 * @param area of each layer
 * @param inverse of the density
 */
function layersUnder(density: (x: number) => number, inverse: (y: number) => number, edge: number, area: number): Layers {
  const widths = new Float64Array(LAYERS + 1);
  const ratios = new Float64Array(LAYERS + 1);
  const heights = new Float64Array(LAYERS + 1);
  widths[0] = area / density(edge);
  widths[1] = edge;
  for (let i = 1; i < LAYERS; i++) {
    heights[i] = density(widths[i]!);
    if (i < LAYERS - 1) widths[i + 1] = inverse(heights[i]! + area / widths[i]!);
  }
  heights[LAYERS] = 1;
  for (let i = 0; i < LAYERS; i++) ratios[i] = widths[i + 1]! / widths[i]!;
  return { widths, ratios, heights };
}

// Edges and areas for 256 layers, to the digits of a double.
const NORMAL = layersUnder(
  (x) => exp(-0.5 * x * x),
  (y) => Math.sqrt(-2 * log(y)),
  3.654152885361009,
  0.004928673233974655,
);
const EXPONENTIAL = layersUnder(
  (x) => exp(-x),
  (y) => -log(y),
  7.69711747013105,
  0.003949659822581557,
);

/** The tables for a kernel: widths, ratios and heights of the normal's layers, then of the exponential's. */
export const zigguratTables = Float64Array.from(
  [NORMAL, EXPONENTIAL].flatMap(({ widths, ratios, heights }) => [...widths, ...ratios, ...heights]),
);

/** Exponential variate of rate 1, above 0. One uniform gives a layer and a place in it, of 44 bits. */
export function exponential(random: RandomSource): number {
  const { widths, ratios, heights } = EXPONENTIAL;
  const scaled = random.uniform() * LAYERS;
  const layer = Math.floor(scaled);
  const share = scaled - layer;
  const x = share * widths[layer]!;
  if (share < ratios[layer]!) return x;
  // Beyond the edge, what is left is exponential again.
  if (layer === 0) return widths[1]! + exponential(random);
  const low = heights[layer]!;
  const high = heights[layer + 1]!;
  return low + random.uniform() * (high - low) < exp(-x) ? x : exponential(random);
}

/** Standard normal variate. */
export function normal(random: RandomSource): number {
  const { widths, ratios, heights } = NORMAL;
  for (;;) {
    const scaled = random.uniform() * LAYERS;
    const layer = Math.floor(scaled);
    const share = 2 * (scaled - layer) - 1;
    const x = share * widths[layer]!;
    if (Math.abs(share) < ratios[layer]!) return x;
    if (layer === 0) return share < 0 ? -normalTail(random) : normalTail(random);
    const low = heights[layer]!;
    const high = heights[layer + 1]!;
    if (low + random.uniform() * (high - low) < exp(-0.5 * x * x)) return x;
  }
}

/** Normal variate given that it lies beyond the edge, by rejection from an exponential (Marsaglia 1964). */
function normalTail(random: RandomSource): number {
  const edge = NORMAL.widths[1]!;
  for (;;) {
    const beyond = exponential(random) / edge;
    if (2 * exponential(random) >= beyond * beyond) return edge + beyond;
  }
}
