/** How far from the true value a continuous value may be: a share of it, or a distance in its units. */
export type Radius = { relative: number } | { absolute: number };

/** Widens every radius a little, so that a decimal radius means what it says in binary arithmetic. */
const TOLERANCE = 1 + 1e-9;

/**
 * Whether a value lies within the radius of a true value, ends included (004 section 2.2). Around a true 0 a relative
 * radius has no width: only 0 matches, whatever the radius.
 */
export function isWithinRadius(truth: number, value: number, radius: Radius): boolean {
  const width = 'relative' in radius ? radius.relative * Math.abs(truth) : radius.absolute;
  return Math.abs(value - truth) <= width * TOLERANCE;
}
