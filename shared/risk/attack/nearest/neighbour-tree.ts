import { type CandidateRows, categoryWeights, NearestRow } from './nearest-row.ts';

/** Rows of a leaf at most: looking at them takes about as long as looking at two regions. */
const LEAF_ROWS = 12;

/** Distinct rows in regions (Bentley 1975), halved where they are widest. */
export class NeighbourTree {
  readonly #width: number;
  readonly #points: Float64Array;
  readonly #categorical: Float64Array;
  readonly #rows: Uint32Array;
  readonly #nearest: NearestRow;
  /** Regions x variables x (least, greatest); region i has the halves 2i + 1 and 2i + 2. */
  readonly #bounds: Float64Array;
  #targets: Float64Array = new Float64Array(0);
  #offset = 0;

  constructor(rows: CandidateRows) {
    const { points, ranges, counts } = rows;
    this.#width = ranges.length;
    this.#points = points;
    this.#categorical = categoryWeights(rows);
    this.#nearest = new NearestRow(rows);
    this.#rows = Uint32Array.from({ length: counts.length }, (_, row) => row);
    let regions = 1;
    for (let size = counts.length; size > LEAF_ROWS; size = (size + 1) >>> 1) regions = 2 * regions + 1;
    this.#bounds = new Float64Array(regions * this.#width * 2);
    this.#build(0, 0, counts.length);
  }

  /** The nearest row of the point at `targets[offset ...]`; overwritten by the next call. */
  find(targets: Float64Array, offset: number): NearestRow {
    this.#nearest.clear();
    this.#targets = targets;
    this.#offset = offset;
    this.#visit(0, 0, this.#rows.length, 0);
    return this.#nearest;
  }

  #visit(region: number, from: number, to: number, nearest: number): void {
    if (!this.#nearest.isOpenTo(nearest)) return;
    if (to - from <= LEAF_ROWS) {
      for (let place = from; place < to; place++) {
        this.#nearest.look(this.#targets, this.#offset, this.#rows[place]!);
      }
      return;
    }
    const middle = (from + to) >>> 1;
    const left = this.#leastDistance(2 * region + 1);
    const right = this.#leastDistance(2 * region + 2);
    if (left <= right) {
      this.#visit(2 * region + 1, from, middle, left);
      this.#visit(2 * region + 2, middle, to, right);
    } else {
      this.#visit(2 * region + 2, middle, to, right);
      this.#visit(2 * region + 1, from, middle, left);
    }
  }

  #leastDistance(region: number): number {
    const bounds = this.#bounds;
    const targets = this.#targets;
    const offset = this.#offset;
    let distance = 0;
    for (let d = 0, at = region * this.#width * 2; d < this.#width; d++, at += 2) {
      const value = targets[offset + d]!;
      const apart = Math.max(bounds[at]! - value, value - bounds[at + 1]!, 0);
      distance += this.#categorical[d]! > 0 ? (apart > 0 ? this.#categorical[d]! : 0) : apart;
    }
    return distance;
  }

  #build(region: number, from: number, to: number): void {
    const width = this.#width;
    const bounds = this.#bounds;
    let [widest, spread] = [0, -1];
    for (let d = 0; d < width; d++) {
      let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let place = from; place < to; place++) {
        const value = this.#points[this.#rows[place]! * width + d]!;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
      const at = (region * width + d) * 2;
      bounds[at] = least;
      bounds[at + 1] = greatest;
      const range = this.#categorical[d]! > 0 ? Math.min(1, greatest - least) * this.#categorical[d]! : greatest - least;
      if (range > spread) [widest, spread] = [d, range];
    }
    if (to - from <= LEAF_ROWS) return;
    const middle = (from + to) >>> 1;
    this.#rows.subarray(from, to).sort((a, b) => this.#points[a * width + widest]! - this.#points[b * width + widest]! || a - b);
    this.#build(2 * region + 1, from, middle);
    this.#build(2 * region + 2, middle, to);
  }
}
