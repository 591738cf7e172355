import { distinctRows } from '../../table/distinct-rows.ts';
import { chosenVariables, type Table } from '../../table/table.ts';

/** Rows of a leaf at most: looking at them takes about as long as looking at two regions. */
const LEAF_ROWS = 12;

/** Greatest less least value of each continuous variable over some tables, 1 where all are equal; null for a categorical one. */
export function valueRanges(tables: readonly Table[], variables: readonly number[]): (number | null)[] {
  return variables.map((v) => {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { columns } of tables) {
      const column = columns[v]!;
      if (column.type === 'categorical') return null;
      for (const value of column.values) {
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
    }
    return greatest > least ? greatest - least : 1;
  });
}

/** What is looked for: how far, among which variables, and who comes first of those that are equally near. */
export interface NeighbourSearch {
  readonly variables: readonly number[];
  /** As {@link valueRanges} gives them. */
  readonly ranges: readonly (number | null)[];
  /** A number for each candidate, the least first among equals; their order where none are given. */
  readonly priority?: Uint32Array;
}

/** For each record the nearest candidate, its distance, and the distance of the second nearest (infinite of one alone). */
export interface Neighbours {
  readonly nearest: Uint32Array;
  readonly distance: Float64Array;
  readonly second: Float64Array;
}

/**
 * The nearest candidates of records. The distance is Gower's (1971) as Anonymeter has it: a categorical variable adds 1 where
 * two records differ, a continuous one the difference by its range. Distinct candidates are in a balanced tree of
 * regions, of which those farther than what was found are not entered.
 *
 * @param candidates of at least one record
 */
export function nearestRecords(
  candidates: Table,
  records: Table,
  { variables, ranges, priority }: NeighbourSearch,
): Neighbours {
  const own = distinctRows(chosenVariables(candidates, variables));
  const first = new Uint32Array(own.counts.length).fill(0xffff_ffff);
  const least = new Float64Array(own.counts.length).fill(Number.POSITIVE_INFINITY);
  for (let record = 0; record < candidates.records; record++) {
    const row = own.rowOfRecord[record]!;
    const rank = priority ? priority[record]! : record;
    if (rank >= least[row]!) continue;
    least[row] = rank;
    first[row] = record;
  }
  const points = pointsOf(candidates, variables, ranges, first);
  const tree = new NeighbourTree(points, ranges, own.counts, least, first);

  const asked = distinctRows(chosenVariables(records, variables));
  const asking = new Uint32Array(asked.counts.length);
  for (let record = records.records - 1; record >= 0; record--) asking[asked.rowOfRecord[record]!] = record;
  const targets = pointsOf(records, variables, ranges, asking);
  const found = { nearest: new Uint32Array(asking.length), distance: new Float64Array(asking.length) };
  const second = new Float64Array(asking.length);
  for (let row = 0; row < asking.length; row++) {
    tree.find(targets, row * variables.length);
    found.nearest[row] = tree.record;
    found.distance[row] = tree.distance;
    second[row] = tree.second;
  }
  return {
    nearest: asked.rowOfRecord.map((row) => found.nearest[row]!),
    distance: Float64Array.from(asked.rowOfRecord, (row) => found.distance[row]!),
    second: Float64Array.from(asked.rowOfRecord, (row) => second[row]!),
  };
}

/** Records at some places x variables: codes, and values by their ranges. */
function pointsOf(
  { columns }: Table,
  variables: readonly number[],
  ranges: readonly (number | null)[],
  places: Uint32Array,
): Float64Array {
  const width = variables.length;
  const points = new Float64Array(places.length * width);
  for (const [d, v] of variables.entries()) {
    const column = columns[v]!;
    for (let i = 0; i < places.length; i++) {
      points[i * width + d] =
        column.type === 'categorical' ? column.codes[places[i]!]! : column.values[places[i]!]! / ranges[d]!;
    }
  }
  return points;
}

/** Distinct rows in regions (Bentley 1975), halved where they are widest. */
class NeighbourTree {
  /** What {@link find} found. */
  record = 0;
  distance = 0;
  second = 0;
  readonly #width: number;
  readonly #points: Float64Array;
  readonly #categorical: Uint8Array;
  readonly #rows: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #least: Float64Array;
  readonly #first: Uint32Array;
  /** Regions x variables x (least, greatest); region i has the halves 2i + 1 and 2i + 2. */
  readonly #bounds: Float64Array;
  #rank = 0;

  constructor(
    points: Float64Array,
    ranges: readonly (number | null)[],
    counts: Uint32Array,
    least: Float64Array,
    first: Uint32Array,
  ) {
    this.#width = ranges.length;
    this.#points = points;
    this.#categorical = Uint8Array.from(ranges, (range) => Number(range === null));
    this.#counts = counts;
    this.#least = least;
    this.#first = first;
    this.#rows = Uint32Array.from({ length: counts.length }, (_, row) => row);
    let regions = 1;
    for (let size = counts.length; size > LEAF_ROWS; size = (size + 1) >>> 1) regions = 2 * regions + 1;
    this.#bounds = new Float64Array(regions * this.#width * 2);
    this.#build(0, 0, counts.length);
  }

  /** Looks for the nearest rows of the point at `targets[offset ...]`. */
  find(targets: Float64Array, offset: number): void {
    this.distance = Number.POSITIVE_INFINITY;
    this.second = Number.POSITIVE_INFINITY;
    this.#rank = Number.POSITIVE_INFINITY;
    this.#visit(targets, offset, 0, 0, this.#rows.length, 0);
  }

  #visit(
    targets: Float64Array,
    offset: number,
    region: number,
    from: number,
    to: number,
    nearest: number,
  ): void {
    // An equally near row may still come first among equals.
    if (nearest > this.distance && nearest >= this.second) return;
    if (to - from <= LEAF_ROWS) {
      for (let place = from; place < to; place++) this.#look(targets, offset, this.#rows[place]!);
      return;
    }
    const middle = (from + to) >>> 1;
    const left = this.#leastDistance(targets, offset, 2 * region + 1);
    const right = this.#leastDistance(targets, offset, 2 * region + 2);
    if (left <= right) {
      this.#visit(targets, offset, 2 * region + 1, from, middle, left);
      this.#visit(targets, offset, 2 * region + 2, middle, to, right);
    } else {
      this.#visit(targets, offset, 2 * region + 2, middle, to, right);
      this.#visit(targets, offset, 2 * region + 1, from, middle, left);
    }
  }

  #look(targets: Float64Array, offset: number, row: number): void {
    const points = this.#points;
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
      this.second = this.#counts[row]! > 1 ? distance : this.distance;
      this.distance = distance;
      this.record = this.#first[row]!;
      this.#rank = this.#least[row]!;
      return;
    }
    if (distance < this.second) this.second = distance;
    if (distance === this.distance && this.#least[row]! < this.#rank) {
      this.record = this.#first[row]!;
      this.#rank = this.#least[row]!;
    }
  }

  /** The least distance that a row of a region can have. */
  #leastDistance(targets: Float64Array, offset: number, region: number): number {
    const bounds = this.#bounds;
    let distance = 0;
    for (let d = 0, at = region * this.#width * 2; d < this.#width; d++, at += 2) {
      const value = targets[offset + d]!;
      const apart = Math.max(bounds[at]! - value, value - bounds[at + 1]!, 0);
      distance += this.#categorical[d] === 1 ? Number(apart > 0) : apart;
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
      const own = this.#categorical[d] === 1 ? Math.min(1, greatest - least) : greatest - least;
      if (own > spread) [widest, spread] = [d, own];
    }
    if (to - from <= LEAF_ROWS) return;
    const middle = (from + to) >>> 1;
    this.#rows
      .subarray(from, to)
      .sort((a, b) => this.#points[a * width + widest]! - this.#points[b * width + widest]! || a - b);
    this.#build(2 * region + 1, from, middle);
    this.#build(2 * region + 2, middle, to);
  }
}
