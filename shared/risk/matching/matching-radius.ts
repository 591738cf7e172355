import type { Radius } from '../../contracts/config/identification-scenario.ts';

/**
 * How much wider a radius is taken than it is written, as a share of itself: a value that lies on the border in decimals
 * is then not lost to the rounding of binary numbers (1.21 is within 10 % of 1.1).
 */
const RADIUS_TOLERANCE = 1e-9;

/** Two numbers that differ by less than this share of the larger are the same number, written with fewer digits. */
const SAME_VALUE_TOLERANCE = 1e-9;

/** How a half-width follows from a true value x: `scale` |x| + `offset`, of which one is zero. */
export interface WidthRule {
  readonly scale: number;
  readonly offset: number;
}

/**
 * Half of the width of the closed interval around a true value within which a synthetic one matches it (004 section
 * 2.2): r |x| for a relative radius r, and r itself for an absolute one, in the units of x. A relative radius around
 * zero leaves the exact match; an infinite radius of either kind matches everything.
 */
export function widthRule(radius: Radius): WidthRule {
  if ('absolute' in radius) return { scale: 0, offset: radius.absolute * (1 + RADIUS_TOLERANCE) };
  if (radius.relative === Number.POSITIVE_INFINITY) return { scale: 0, offset: radius.relative };
  return { scale: radius.relative * (1 + RADIUS_TOLERANCE), offset: 0 };
}

/** True for two values of a kept variable that are the same but for the digits that a program writes. */
export function isSameValue(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= SAME_VALUE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}
