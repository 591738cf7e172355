import type { LevelOf } from './kd-tree.ts';
import { KdTree } from './kd-tree.ts';
import type { RadiusGrid } from './radius-grid.ts';
import { WaveletMatrix } from './wavelet-matrix.ts';

/** How the distances of several continuous variables are judged together (Hornby & Hu 2021, sections 2.3 and 3). */
export type MatchingShape = 'box' | 'ellipse';

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

/** With fewer points than this, looking at each of them is faster than building what saves that. */
const FEW_POINTS = 64;

/**
 * Sets `counts` to the number of points of a group that match a target, at every point of a grid.
 *
 * @param target true values, one a variable
 * @param widths for each family, half-widths (variables x levels)
 */
export type MatchCounter = (target: Float64Array, widths: readonly Float64Array[], counts: Uint32Array) => void;

/** One variable: sorted values, between two binary searches for each radius. */
function intervalCounter(values: Float64Array, { levels }: RadiusGrid): MatchCounter {
  const sorted = values.sort();
  return (target, [widths], counts) => {
    // Intervals lie in each other, so that the search for one ends within the next wider.
    let [start, end] = [0, sorted.length];
    for (let level = levels - 1; level >= 0; level--) {
      start = rangeStart(sorted, target[0]!, widths![level]!, start, end);
      end = rangeEnd(sorted, target[0]!, widths![level]!, start, end);
      counts[level] = end - start;
    }
  };
}

/** Two variables in a box: rows sorted by the first, and the places of their second values in a wavelet matrix. */
function rectangleCounter(points: Float64Array, { levels, families }: RadiusGrid): MatchCounter {
  const size = points.length / 2;
  const order = Uint32Array.from({ length: size }, (_, i) => i).sort((a, b) => points[2 * a]! - points[2 * b]!);
  const first = Float64Array.from(order, (i) => points[2 * i]!);
  const second = Float64Array.from({ length: size }, (_, i) => points[2 * i + 1]!).sort();
  // Equal values take the first of their places.
  const places = Uint32Array.from(order, (i) => rangeStart(second, points[2 * i + 1]!, 0, 0, size));
  const matrix = new WaveletMatrix(places, size);
  return (target, widths, counts) => {
    for (let family = 0; family < families; family++) {
      let [start, end] = [0, size];
      let [below, above] = [0, size];
      for (let level = levels - 1; level >= 0; level--) {
        const ofFirst = widths[family]![level]!;
        const ofSecond = widths[family]![levels + level]!;
        start = rangeStart(first, target[0]!, ofFirst, start, end);
        end = rangeEnd(first, target[0]!, ofFirst, start, end);
        below = rangeStart(second, target[1]!, ofSecond, below, above);
        above = rangeEnd(second, target[1]!, ofSecond, below, above);
        counts[family * levels + level] =
          start === end || below === above ? 0 : matrix.countBelow(above, start, end) - matrix.countBelow(below, start, end);
      }
    }
  };
}

/** Any number of variables and either shape: a tree of regions. */
function regionCounter(points: Float64Array, variables: number, { levels, families }: RadiusGrid, levelOf: LevelOf): MatchCounter {
  const tree = new KdTree(points, variables);
  const histogram = new Uint32Array(levels);
  return (target, widths, counts) => {
    for (let family = 0; family < families; family++) {
      histogram.fill(0);
      tree.addLevels(target, widths[family]!, levels, levelOf, histogram);
      let matches = 0;
      for (let level = 0; level < levels; level++) {
        matches += histogram[level]!;
        counts[family * levels + level] = matches;
      }
    }
  };
}

/**
 * The fastest counter of matches among some points that their variables and the shape allow. For n points: time to build
 * n log n, memory n; to count one target at one radius log n for one variable and for two in a box, n^(1 - 1 / variables)
 * otherwise.
 *
 * @param points (points x variables), which the counter keeps and reorders; at least one variable
 */
export function matchCounter(points: Float64Array, variables: number, shape: MatchingShape, grid: RadiusGrid): MatchCounter {
  if (variables === 1) return intervalCounter(points, grid);
  if (variables === 2 && shape === 'box' && points.length >= 2 * FEW_POINTS) {
    return rectangleCounter(points, grid);
  }
  return regionCounter(points, variables, grid, levelOfShape(shape, variables));
}

/** Of ascending values, position of the first in [from, to) that is at most `width` below `centre`; `to` if none is. */
function rangeStart(sorted: Float64Array, centre: number, width: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (centre - sorted[middle]! > width) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of ascending values, position of the first in [from, to) that is more than `width` above `centre`; `to` if none is. */
function rangeEnd(sorted: Float64Array, centre: number, width: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! - centre > width) high = middle;
    else low = middle + 1;
  }
  return low;
}
