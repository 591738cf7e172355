import type { Radius } from '../../contracts/config/identification-scenario.ts';

/**
 * The radii at which records are matched. Points are numbered family after family; from one level of a family to the
 * next no radius falls, so that what matches at a level matches at all later ones.
 */
export interface RadiusGrid {
  readonly families: number;
  /** Points of a family. */
  readonly levels: number;
  /** One radius for each continuous variable, at each point: `points[family * levels + level][variable]`. */
  readonly points: readonly (readonly Radius[])[];
}

/**
 * The grid of some continuous variables.
 *
 * @param radii of each variable; null where the sweep decides
 * @param sweep relative radii that are tried for the variables without one: the same for all of them, or, jointly,
 * every combination, the last variable changing fastest. Sorted, and taken once each.
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
