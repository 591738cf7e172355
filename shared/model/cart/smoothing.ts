import { exp, log } from '../../numeric/portable-math.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { normal } from '../../random/ziggurat.ts';
import type { CartNode } from './tree.ts';

/** A standard deviation in interquartile ranges of a normal distribution. */
const RANGE_OF_NORMAL = 1.34;

/** Decimals beyond which numbers are not rounded: a double has no more. */
export const MAX_DECIMALS = 15;

interface Side {
  readonly low: number;
  readonly high: number;
}

/**
 * Smooths the values that the leaves of a regression tree donate: a draw from a leaf becomes one from the Gaussian kernel
 * density of its donors (Reiter 2005).
 *
 * Zero is kept, and positive and negative values are smoothed apart, so that none changes its sign. The bandwidth is 0.9
 * min(s, IQR / 1.34) n^(-1/5) of the n donors of that sign in the leaf (Silverman 1986, eq. 3.31), with s alone if the
 * interquartile range is zero; it is zero if all donors agree. A value beyond the observed range of its sign is reflected
 * at its end (section 2.10). The result has as many decimals as the observed values.
 */
export class LeafSmoothing {
  readonly #positive: Side;
  readonly #negative: Side;
  readonly #scale: number | null;
  readonly #bandwidths = new Map<CartNode, readonly [number, number]>();
  readonly #donors: Float64Array;

  /** @param donors of the tree, as it holds them */
  constructor(donors: Float64Array) {
    this.#donors = donors;
    this.#positive = rangeOf(donors.filter((value) => value > 0));
    this.#negative = rangeOf(donors.filter((value) => value < 0));
    let decimals = 0;
    for (const value of donors) decimals = Math.max(decimals, decimalsOf(value));
    this.#scale = decimals > MAX_DECIMALS ? null : Number(`1e${decimals}`);
  }

  smooth(value: number, node: CartNode, random: RandomSource): number {
    if (value === 0) return value;
    const [positive, negative] = this.#bandwidthsOf(node);
    const bandwidth = value > 0 ? positive : negative;
    if (bandwidth === 0) return value;
    const side = value > 0 ? this.#positive : this.#negative;
    return this.#round(reflect(value + bandwidth * normal(random), side), side);
  }

  #bandwidthsOf(node: CartNode): readonly [number, number] {
    let bandwidth = this.#bandwidths.get(node);
    if (bandwidth === undefined) {
      const values = this.#donors.slice(node.from, node.to).sort();
      bandwidth = [bandwidthOf(values.filter((value) => value > 0)), bandwidthOf(values.filter((value) => value < 0))];
      this.#bandwidths.set(node, bandwidth);
    }
    return bandwidth;
  }

  #round(value: number, { low, high }: Side): number {
    const rounded = this.#scale === null ? value : Math.round(value * this.#scale) / this.#scale;
    return Math.min(high, Math.max(low, rounded));
  }
}

function rangeOf(values: Float64Array): Side {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

/** Bandwidth for ascending values of one sign; 0 for fewer than two. */
export function bandwidthOf(sorted: Float64Array): number {
  const count = sorted.length;
  if (count < 2) return 0;
  const first = sorted[0]!;
  let sum = 0;
  for (const value of sorted) sum += value - first;
  const mean = first + sum / count;
  let squares = 0;
  for (const value of sorted) squares += (value - mean) * (value - mean);
  const deviation = Math.sqrt(squares / (count - 1));
  const range = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const spread = range === 0 ? deviation : Math.min(deviation, range / RANGE_OF_NORMAL);
  return 0.9 * spread * exp(-log(count) / 5);
}

/** Quantile of type 7 (Hyndman & Fan 1996). */
function quantile(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!);
}

/** Folds a number into a range, as if its ends were mirrors. */
function reflect(value: number, { low, high }: Side): number {
  const span = high - low;
  if (span === 0) return low;
  // The remainder of a division is exact on every machine.
  const offset = Math.abs(value - low) % (2 * span);
  return offset <= span ? low + offset : high - (offset - span);
}

/** Digits after the point in the shortest text of a number. */
export function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1] ?? '';
  return Math.max(0, fraction.length - Number(exponent));
}
