import type { RandomSource } from './random-source.ts';
import { exponential } from './ziggurat.ts';

/** Logarithm of a density on the line, up to a constant. */
export type LogDensity = (x: number) => number;

/** Logarithm of a height below the density at the current point, drawn uniformly under it. */
function drawLevel(random: RandomSource, logDensity: LogDensity, current: number): number {
  const level = logDensity(current) - exponential(random);
  if (!(Math.abs(level) < Infinity)) throw new RangeError('a log-density is not a number');
  return level;
}

/** A point of the slice between two that enclose it, by shrinkage towards the current point. */
function shrink(random: RandomSource, isInSlice: (x: number) => boolean, current: number, low: number, high: number): number {
  for (let from = low, to = high; ; ) {
    const proposal = from + random.uniform() * (to - from);
    if (isInSlice(proposal) || proposal === current) return proposal;
    if (proposal < current) from = proposal;
    else to = proposal;
  }
}

/**
 * One update by slice sampling of a density that is nothing outside (low, high), which leaves it invariant (Neal 2003,
 * section 4.2). Throws RangeError when the log-density at the current point is not finite.
 */
export function sliceWithin(random: RandomSource, logDensity: LogDensity, current: number, low: number, high: number): number {
  const level = drawLevel(random, logDensity, current);
  return shrink(random, (x) => logDensity(x) > level, current, low, high);
}

/**
 * One update by slice sampling of a density on the line, which leaves it invariant: stepping out and shrinkage (Neal
 * 2003, figures 3 and 5). Throws RangeError when the log-density at the current point is not finite.
 *
 * @param width about that of the density; it decides the work alone
 */
export function sliceOnLine(random: RandomSource, logDensity: LogDensity, current: number, width: number): number {
  const level = drawLevel(random, logDensity, current);
  let low = current - width * random.uniform();
  let high = low + width;
  const isInSlice = (x: number) => logDensity(x) > level;
  while (isInSlice(low)) low -= width;
  while (isInSlice(high)) high += width;
  return shrink(random, isInSlice, current, low, high);
}
