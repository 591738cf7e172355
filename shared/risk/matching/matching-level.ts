/** How the distances of several continuous variables are judged together (004 sections 2.3 and 3). */
export type MatchingShape = 'box' | 'ellipse';

/**
 * The first of some levels at which distances match; `levels` when none is.
 *
 * @param distances |x* - x|, one for each variable; not negative, may be infinite
 * @param widths half-widths (variables x levels), not falling from one level to the next
 * @param from a level before which there is no match
 */
export type LevelOf = (distances: Float64Array, widths: Float64Array, levels: number, from: number) => number;

/** Every distance within its half-width. */
const boxLevel: LevelOf = (distances, widths, levels, from) => {
  let level = from;
  for (let v = 0; v < distances.length; v++) {
    while (level < levels && distances[v]! > widths[v * levels + level]!) level++;
  }
  return level;
};

/** The squares of distance by half-width sum to at most 1; a half-width of zero leaves the exact match. */
const ellipseLevel: LevelOf = (distances, widths, levels, from) => {
  let level = from;
  for (; level < levels; level++) {
    let sum = 0;
    for (let v = 0; v < distances.length; v++) {
      const distance = distances[v]!;
      const width = widths[v * levels + level]!;
      if (distance === 0 || width === Number.POSITIVE_INFINITY) continue;
      const ratio = distance / width;
      sum += ratio * ratio;
    }
    if (sum <= 1) break;
  }
  return level;
};

/**
 * The level of a shape. Both never fall when a distance grows, in floating point too, so that the nearest corner of a
 * region bounds all its points. One variable has no shape: an interval.
 */
export function levelOfShape(shape: MatchingShape, variables: number): LevelOf {
  return shape === 'ellipse' && variables > 1 ? ellipseLevel : boxLevel;
}
