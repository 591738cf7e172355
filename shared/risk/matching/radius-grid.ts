import type { Radius } from '../../contracts/config/identification-scenario.ts';

/**
 * The radii at which records are matched. Points are numbered family after family; within a family no radius falls, so
 * that what matches at a level matches at all later ones.
 */
export interface RadiusGrid {
  readonly families: number;
  readonly levels: number;
  /** One radius for each continuous variable, at each point: `points[family * levels + level][variable]`. */
  readonly points: readonly (readonly Radius[])[];
}

/**
 * The grid of some continuous variables.
 *
 * @param radii of each variable; null where the sweep decides
 * @param sweep relative radii for the variables without one: the same for all of them, or, jointly, every combination,
 * the last variable changing fastest; sorted, and taken once each
 */
export function radiusGrid(
  radii: readonly (Radius | null)[],
  sweep: { readonly radii: readonly number[]; readonly jointly: boolean } | undefined,
): RadiusGrid {
  const swept = radii.filter((radius) => radius === null).length;
  const shares = [...new Set(sweep?.radii ?? [])].sort((a, b) => a - b);
  if (swept === 0 || shares.length === 0) return { families: 1, levels: 1, points: [radii as Radius[]] };
  const together = sweep!.jointly ? swept : 1;
  const combinations = Array.from({ length: together }).reduce<number[][]>(
    (partial) => partial.flatMap((chosen) => shares.map((share) => [...chosen, share])),
    [[]],
  );
  const points = combinations.map((chosen) => {
    let next = 0;
    return radii.map((radius) => radius ?? { relative: chosen[Math.min(next++, together - 1)]! });
  });
  return { families: points.length / shares.length, levels: shares.length, points };
}

/**
 * Share by which a radius is taken wider, so that a value on the border in decimals is not lost to rounding (1.21 is
 * within 10 % of 1.1).
 */
const RADIUS_TOLERANCE = 1e-9;

/** Two numbers that differ by less than this share of the larger are the same number, written with fewer digits. */
const SAME_VALUE_TOLERANCE = 1e-9;

/**
 * Half of the width of the closed interval around a true value x within which a synthetic one matches it (Hornby & Hu 2021, section
 * 2.2): r |x| for a relative radius r, and r itself for an absolute one: `scale` |x| + `offset`. A relative radius around zero leaves the exact
 * match; an infinite one matches everything.
 */
export function widthRule(radius: Radius): { readonly scale: number; readonly offset: number } {
  if ('absolute' in radius) return { scale: 0, offset: radius.absolute * (1 + RADIUS_TOLERANCE) };
  if (radius.relative === Number.POSITIVE_INFINITY) return { scale: 0, offset: radius.relative };
  return { scale: radius.relative * (1 + RADIUS_TOLERANCE), offset: 0 };
}

/** True for two values of a kept variable that are the same but for the digits that a program writes. */
export function isSameValue(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= SAME_VALUE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}
