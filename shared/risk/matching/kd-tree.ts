/**
 * The first of some levels at which distances match; `levels` when none is.
 *
 * @param distances |x* - x|, one for each variable; not negative, may be infinite
 * @param widths half-widths (variables x levels), not falling from one level to the next
 * @param from a level before which there is no match
 */
export type LevelOf = (distances: Float64Array, widths: Float64Array, levels: number, from: number) => number;

/** Points of a leaf at most: looking at them takes about as long as looking at two regions. */
const LEAF_POINTS = 8;

/**
 * Points in a balanced tree of regions (Bentley 1975), to count those near a target: a region all of whose points are of
 * one level is counted without being entered. Counting takes time of order points^(1 - 1 / dimensions), building points x
 * log2 points.
 */
export class KdTree {
  readonly #count: number;
  /** Points x dimensions, in the order of the leaves. */
  readonly #points: Float64Array;
  /** Regions x dimensions x (least, greatest); region i has the halves 2i + 1 and 2i + 2. */
  readonly #bounds: Float64Array;
  readonly #distances: Float64Array;
  readonly #dimensions: number;

  /** @param points (points x dimensions), which the tree keeps and reorders */
  constructor(points: Float64Array, dimensions: number) {
    this.#dimensions = dimensions;
    this.#points = points;
    this.#count = points.length / dimensions;
    this.#distances = new Float64Array(dimensions);
    let regions = 1;
    for (let size = this.#count; size > LEAF_POINTS; size = (size + 1) >>> 1) regions = 2 * regions + 1;
    this.#bounds = new Float64Array(regions * dimensions * 2);
    if (this.#count > 0) this.#build(0, 0, this.#count, 0);
  }

  /**
   * Adds to `histogram[level]` the number of points whose first level is `level`.
   *
   * @param target one number a dimension
   * @param widths half-widths (dimensions x levels), not falling from one level to the next
   */
  addLevels(target: Float64Array, widths: Float64Array, levels: number, levelOf: LevelOf, histogram: Uint32Array): void {
    const dimensions = this.#dimensions;
    const points = this.#points;
    const bounds = this.#bounds;
    const distances = this.#distances;
    const visit = (region: number, from: number, to: number, least: number) => {
      const first = region * dimensions * 2;
      for (let d = 0; d < dimensions; d++) {
        const below = bounds[first + 2 * d]! - target[d]!;
        const above = target[d]! - bounds[first + 2 * d + 1]!;
        distances[d] = below > 0 ? below : above > 0 ? above : 0;
      }
      const nearest = levelOf(distances, widths, levels, least);
      if (nearest === levels) return;
      for (let d = 0; d < dimensions; d++) {
        const toLeast = Math.abs(target[d]! - bounds[first + 2 * d]!);
        const toGreatest = Math.abs(bounds[first + 2 * d + 1]! - target[d]!);
        distances[d] = toLeast > toGreatest ? toLeast : toGreatest;
      }
      if (levelOf(distances, widths, levels, nearest) === nearest) {
        histogram[nearest]! += to - from;
        return;
      }
      if (to - from > LEAF_POINTS) {
        const middle = (from + to) >>> 1;
        visit(2 * region + 1, from, middle, nearest);
        visit(2 * region + 2, middle, to, nearest);
        return;
      }
      for (let point = from; point < to; point++) {
        for (let d = 0; d < dimensions; d++) {
          distances[d] = Math.abs(points[point * dimensions + d]! - target[d]!);
        }
        const level = levelOf(distances, widths, levels, nearest);
        if (level < levels) histogram[level]! += 1;
      }
    };
    if (this.#count > 0) visit(0, 0, this.#count, 0);
  }

  #build(region: number, from: number, to: number, depth: number): void {
    const dimensions = this.#dimensions;
    const points = this.#points;
    const bounds = this.#bounds;
    for (let d = 0; d < dimensions; d++) {
      let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let point = from; point < to; point++) {
        const value = points[point * dimensions + d]!;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
      bounds[(region * dimensions + d) * 2] = least;
      bounds[(region * dimensions + d) * 2 + 1] = greatest;
    }
    if (to - from <= LEAF_POINTS) return;
    const middle = (from + to) >>> 1;
    this.#split(from, to - 1, middle, depth % dimensions);
    this.#build(2 * region + 1, from, middle, depth + 1);
    this.#build(2 * region + 2, middle, to, depth + 1);
  }

  /** Puts the points that are least in one dimension before `middle`, and the greatest from there on (Hoare 1961). */
  #split(from: number, to: number, middle: number, dimension: number): void {
    const dimensions = this.#dimensions;
    const points = this.#points;
    let [low, high] = [from, to];
    while (low < high) {
      const pivot = points[((low + high) >>> 1) * dimensions + dimension]!;
      let [i, j] = [low, high];
      while (i <= j) {
        while (points[i * dimensions + dimension]! < pivot) i++;
        while (points[j * dimensions + dimension]! > pivot) j--;
        if (i <= j) {
          this.#swap(i, j);
          i++;
          j--;
        }
      }
      if (middle <= j) high = j;
      else if (middle >= i) low = i;
      else return;
    }
  }

  #swap(a: number, b: number): void {
    const dimensions = this.#dimensions;
    const points = this.#points;
    for (let d = 0; d < dimensions; d++) {
      const kept = points[a * dimensions + d]!;
      points[a * dimensions + d] = points[b * dimensions + d]!;
      points[b * dimensions + d] = kept;
    }
  }
}
