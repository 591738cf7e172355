import { sortedOrder } from '../../numeric/sorted-order.ts';
import { type Comparison, lowerBound, upperBound } from './comparison.ts';

/** How many of a row's comparisons may disagree: a number, or one of three where it is null. */
export type Tolerance = number | null;

/** What a comparison says of a row of which it tells nothing: no level. */
export const NO_LEVEL = 255;

/**
 * Finds the records of the intruder's file that agree with a row of the release on all but so many comparisons. Records are
 * looked up by the intervals themselves, in the columns of the file sorted: a record that disagrees on t comparisons at
 * most agrees on one of any t + 1, and those with the narrowest intervals are taken. Candidates of one row are in memory at
 * a time.
 */
export class CandidatePairs {
  /** Records of the file. */
  readonly records: number;
  /** After {@link find}: the candidates, by their numbers in the file from 0. */
  candidates = new Uint32Array(64);
  /** Their levels of agreement: candidates x comparisons. */
  levels: Uint8Array;
  readonly #comparisons: readonly Comparison[];
  readonly #orders: readonly Uint32Array[];
  readonly #sorted: readonly Float64Array[];
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(comparisons: readonly Comparison[]) {
    this.#comparisons = comparisons;
    this.records = comparisons[0]!.values.length;
    this.levels = new Uint8Array(64 * comparisons.length);
    this.#orders = comparisons.map(({ values }) => sortedOrder(values));
    this.#sorted = comparisons.map(({ values }, v) =>
      Float64Array.from(this.#orders[v]!, (record) => values[record]!),
    );
    this.#starts = new Uint32Array(comparisons.length);
    this.#ends = new Uint32Array(comparisons.length);
  }

  /** Records that agree with a row on a comparison, over all comparisons: what looking for all of them costs. */
  agreements(row: number): number {
    return this.#locate(row).reduce((sum, v) => sum + this.#width(v), 0);
  }

  /** Finds the candidates of a row, and gives their number. Those of a row of which nothing is told are none. */
  find(row: number, tolerance: Tolerance): number {
    const telling = this.#locate(row).sort((a, b) => this.#width(a) - this.#width(b));
    if (telling.length === 0) return 0;
    const most = Math.min(tolerance ?? Math.floor(telling.length / 3), telling.length - 1);
    let found = 0;
    for (let pass = 0; pass <= most; pass++) {
      const order = this.#orders[telling[pass]!]!;
      for (let place = this.#starts[telling[pass]!]!; place < this.#ends[telling[pass]!]!; place++) {
        const record = order[place]!;
        if (this.#foundBefore(telling, pass, row, record)) continue;
        if (found === this.candidates.length) this.#grow();
        if (this.#compare(telling, row, record, found) > most) continue;
        this.candidates[found++] = record;
      }
    }
    return found;
  }

  /** Levels of agreement of a row with one record. */
  levelsOf(row: number, record: number): Uint8Array {
    return Uint8Array.from(this.#comparisons, (comparison) =>
      comparison.tells !== null && comparison.tells[row] === 0
        ? NO_LEVEL
        : levelOf(comparison, row, comparison.values[record]!),
    );
  }

  /** The comparisons that tell something of a row, with their ranges in the sorted columns. */
  #locate(row: number): number[] {
    const telling: number[] = [];
    for (const [v, { bands, tells }] of this.#comparisons.entries()) {
      if (tells !== null && tells[row] === 0) continue;
      const widest = bands[bands.length - 1]!;
      this.#starts[v] = lowerBound(this.#sorted[v]!, widest.low[row]!);
      this.#ends[v] = Math.max(this.#starts[v]!, upperBound(this.#sorted[v]!, widest.high[row]!));
      telling.push(v);
    }
    return telling;
  }

  #width(v: number): number {
    return this.#ends[v]! - this.#starts[v]!;
  }

  /** Whether an earlier pass has come by a record: it agrees on the comparison of that. */
  #foundBefore(telling: readonly number[], pass: number, row: number, record: number): boolean {
    for (let earlier = 0; earlier < pass; earlier++) {
      const { values, bands } = this.#comparisons[telling[earlier]!]!;
      const { low, high } = bands[bands.length - 1]!;
      const value = values[record]!;
      if (value >= low[row]! && value <= high[row]!) return true;
    }
    return false;
  }

  /** Writes the levels of a pair, and gives the number of comparisons that disagree. */
  #compare(telling: readonly number[], row: number, record: number, place: number): number {
    const at = place * this.#comparisons.length;
    if (telling.length < this.#comparisons.length)
      this.levels.fill(NO_LEVEL, at, at + this.#comparisons.length);
    let disagreements = 0;
    for (const v of telling) {
      const comparison = this.#comparisons[v]!;
      const level = levelOf(comparison, row, comparison.values[record]!);
      this.levels[at + v] = level;
      if (level === 0) disagreements++;
    }
    return disagreements;
  }

  #grow(): void {
    const candidates = new Uint32Array(2 * this.candidates.length);
    candidates.set(this.candidates);
    this.candidates = candidates;
    const levels = new Uint8Array(2 * this.levels.length);
    levels.set(this.levels);
    this.levels = levels;
  }
}

/** How many of the nested intervals of a row hold a value. */
function levelOf({ bands }: Comparison, row: number, value: number): number {
  let level = 0;
  for (let b = bands.length - 1; b >= 0; b--) {
    const { low, high } = bands[b]!;
    if (!(value >= low[row]! && value <= high[row]!)) break;
    level++;
  }
  return level;
}
