/** Distinct rows among which the nearest are looked for. */
export interface CandidateRows {
  /** Rows x variables: codes, and values by their ranges. */
  readonly points: Float64Array;
  /** Of each variable; null for a categorical one. */
  readonly ranges: readonly (number | null)[];
  readonly counts: Uint32Array;
  /** Of each row: of equally near ones that with the least comes first. */
  readonly least: Float64Array;
}

/** The nearest row so far, and how far the second nearest record is. */
export class NearestRow {
  row = 0;
  distance = Number.POSITIVE_INFINITY;
  second = Number.POSITIVE_INFINITY;
  readonly #rows: CandidateRows;
  readonly #width: number;
  readonly #categorical: Uint8Array;
  #rank = Number.POSITIVE_INFINITY;

  constructor(rows: CandidateRows) {
    this.#rows = rows;
    this.#width = rows.ranges.length;
    this.#categorical = Uint8Array.from(rows.ranges, (range) => Number(range === null));
  }

  clear(): void {
    this.distance = Number.POSITIVE_INFINITY;
    this.second = Number.POSITIVE_INFINITY;
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
      distance += categorical[d] === 1 ? Number(apart !== 0) : apart;
      if (distance > limit) return;
    }
    if (distance < this.distance) {
      this.second = counts[row]! > 1 ? distance : this.distance;
      this.distance = distance;
      this.row = row;
      this.#rank = least[row]!;
      return;
    }
    if (distance < this.second) this.second = distance;
    if (distance === this.distance && least[row]! < this.#rank) {
      this.row = row;
      this.#rank = least[row]!;
    }
  }
}
