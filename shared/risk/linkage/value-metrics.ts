import { lowerBound, upperBound } from '../../numeric/bound-search.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { type Band, emptyBand } from './candidate-pairs.ts';

function distinctValues(values: Float64Array, order: Uint32Array): Float64Array {
  const distinct = new Float64Array(values.length);
  let count = 0;
  for (const row of order) if (count === 0 || values[row]! > distinct[count - 1]!) distinct[count++] = values[row]!;
  return distinct.subarray(0, count);
}

/**
 * The metric of Winkler (2004, section 3) for values that stand for groups of neighbours, and two wider ones. With p and s the next
 * smaller and larger value in the release: within half the distance to the nearer of them (as Winkler has it); from the middle
 * between p and y to that between y and s; and from p to s, where the mean or median of a group always leaves its
 * members. At the ends there is no bound to the outer side.
 */
export function neighbourBands(release: Float64Array): Band[] {
  const order = sortedOrder(release);
  const distinct = distinctValues(release, order);
  const [nearest, middles, neighbours] = [0, 1, 2].map(() => emptyBand(release.length));
  let place = 0;
  for (const row of order) {
    const value = release[row]!;
    if (value > distinct[place]!) place++;
    const before = place > 0 ? distinct[place - 1]! : Number.NEGATIVE_INFINITY;
    const after = place < distinct.length - 1 ? distinct[place + 1]! : Number.POSITIVE_INFINITY;
    const half = Math.min(value - before, after - value) / 2;
    const isFirst = place === 0;
    const isLast = place === distinct.length - 1;
    nearest!.low[row] = isFirst ? before : value - half;
    nearest!.high[row] = isLast ? after : value + half;
    middles!.low[row] = isFirst ? before : (before + value) / 2;
    middles!.high[row] = isLast ? after : (value + after) / 2;
    neighbours!.low[row] = before;
    neighbours!.high[row] = after;
  }
  return [nearest!, middles!, neighbours!];
}

/** Shares of the window of ranks that make intervals of rank swapping. */
const WINDOW_SHARES = [1 / 3, 2 / 3, 1];

/**
 * The metric of Winkler (2004, section 4) for swapped values: those within a third, two thirds and all of the ranks (`window`) that a
 * value may have gone. Beyond the first and last rank there is no bound.
 */
export function rankBands(release: Float64Array, window: number): Band[] {
  const sorted = release.toSorted();
  const bands = WINDOW_SHARES.map(() => emptyBand(release.length));
  for (const [row, value] of release.entries()) {
    const first = lowerBound(sorted, value);
    const last = upperBound(sorted, value) - 1;
    for (const [b, share] of WINDOW_SHARES.entries()) {
      const ranks = Math.ceil(share * window);
      bands[b]!.low[row] = first >= ranks ? sorted[first - ranks]! : Number.NEGATIVE_INFINITY;
      bands[b]!.high[row] = last + ranks < sorted.length ? sorted[last + ranks]! : Number.POSITIVE_INFINITY;
    }
  }
  return bands;
}

/** Standard deviations of the noise that make intervals. */
const NOISE_DEVIATIONS = [1, 2, 3];

/**
 * A metric for values with noise, its variance a share of the variable's, that were shrunk about their mean (Kim 1986):
 * the shrinkage is undone, and values lie within one, two and three standard deviations of the noise.
 */
export function noiseBands(release: Float64Array, noise: number): Band[] {
  let sum = 0;
  for (const value of release) sum += value;
  const mean = sum / release.length;
  const deviation = Math.sqrt(noise) * standardDeviation(release);
  const stretch = Math.sqrt(1 + noise);
  return NOISE_DEVIATIONS.map((deviations) => {
    const width = deviations * deviation;
    const centres = release.map((value) => mean + (value - mean) * stretch);
    return { low: centres.map((centre) => centre - width), high: centres.map((centre) => centre + width) };
  });
}

/** Values that are the same where they are not wrong. */
export function equalBand(release: Float64Array): Band[] {
  return [{ low: release, high: release }];
}

/** Values that are the same, but for the largest one, which stands for all that are larger as well. */
export function topCodedBand(release: Float64Array): Band[] {
  const largest = release.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return [{ low: release, high: release.map((value) => (value === largest ? Number.POSITIVE_INFINITY : value)) }];
}

/**
 * 1 for rows whose values are among the smallest or the largest of a release, half of the share at each end: they tell
 * most of a person (Winkler 2004, section 5).
 */
export function tailRows(release: Float64Array, share: number): Uint8Array {
  const rows = new Uint8Array(release.length);
  const order = sortedOrder(release);
  const each = Math.max(1, Math.round((share * release.length) / 2));
  for (let place = 0; place < Math.min(each, order.length); place++) {
    rows[order[place]!] = 1;
    rows[order[order.length - 1 - place]!] = 1;
  }
  return rows;
}
