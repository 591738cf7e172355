/** Distinct rows among which the nearest are looked for. */
export interface CandidateRows {
  /** Rows x variables: codes, and values by their ranges. */
  readonly points: Float64Array;
  /** Of each variable; null for a categorical one. */
  readonly ranges: readonly (number | null)[];
  /** Of each variable, above 0: what a difference between categories adds. Values have theirs in `points`. */
  readonly weights: readonly number[];
  /** Rows at this distance or beyond are not looked for. */
  readonly within: number;
  readonly counts: Uint32Array;
  /** Of each row: of equally near ones that with the least comes first. */
  readonly least: Float64Array;
}

/** What a difference between categories adds to a distance, of each variable; 0 of a continuous one. */
export const categoryWeights = ({ ranges, weights }: CandidateRows): Float64Array =>
  Float64Array.from(ranges, (range, d) => (range === null ? weights[d]! : 0));

/** The nearest row so far, how many records are as near, and how far the second nearest record is. */
export class NearestRow {
  row = 0;
  equals = 0;
  distance = Number.POSITIVE_INFINITY;
  second = Number.POSITIVE_INFINITY;
  readonly #rows: CandidateRows;
  readonly #width: number;
  readonly #categorical: Float64Array;
  #rank = Number.POSITIVE_INFINITY;

  constructor(rows: CandidateRows) {
    this.#rows = rows;
    this.#width = rows.ranges.length;
    this.#categorical = categoryWeights(rows);
  }

  clear(): void {
    this.distance = this.#rows.within;
    this.second = this.#rows.within;
    this.equals = 0;
    this.#rank = Number.POSITIVE_INFINITY;
  }

  /** Whether rows at some distance or beyond it change anything: an equally near one may still come first among equals. */
  isOpenTo(distance: number): boolean {
    return distance <= this.distance || distance < this.second;
  }

  /** Looks at a row, from the point at `targets[offset ...]`. */
  look(targets: Float64Array, offset: number, row: number): void {
    const { points, counts, least } = this.#rows;
    const categorical = this.#categorical;
    const start = row * this.#width;
    const limit = this.second;
    let distance = 0;
    for (let d = 0; d < this.#width; d++) {
      const apart = Math.abs(points[start + d]! - targets[offset + d]!);
      distance += categorical[d]! > 0 ? (apart === 0 ? 0 : categorical[d]!) : apart;
      if (distance > limit) return;
    }
    if (distance < this.distance) {
      this.second = counts[row]! > 1 ? distance : this.distance;
      this.distance = distance;
      this.row = row;
      this.equals = counts[row]!;
      this.#rank = least[row]!;
      return;
    }
    if (distance < this.second) this.second = distance;
    if (distance !== this.distance) return;
    this.equals += counts[row]!;
    if (least[row]! < this.#rank) {
      this.row = row;
      this.#rank = least[row]!;
    }
  }
}
