import { gathered, sortedOrder } from '../../numeric/sorted-order.ts';

/**
 * What an intruder compares of one variable: a number of every record of their file, and for every row of the release
 * closed intervals around its own value, each inside the next. The level of agreement is the number of intervals that
 * hold the record's number.
 */
export interface Comparison {
  readonly name: string;
  /** One a record of the intruder's file. */
  readonly values: Float64Array;
  readonly bands: readonly Band[];
  /** For each row of the release 1 where the variable tells something of it; null where it does for all. */
  readonly tells: Uint8Array | null;
}

/** An interval for every row of the release, its ends included; they may be infinite. */
export interface Band {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** An interval that is to be found row by row. */
export function emptyBand(rows: number): Band {
  return { low: new Float64Array(rows), high: new Float64Array(rows) };
}

/** How many of a row's comparisons may disagree: a number, or one of three where it is null. */
export type Tolerance = number | null;

/** Numbers that may be held in the orders of all comparisons: 256 MB. */
const MOST_LAID_OUT = 33_554_432;

/** What a comparison says of a row of which it tells nothing: no level. */
export const NO_LEVEL = 255;

/**
 * Finds the records of the intruder's file that agree with a row of the release on all but so many comparisons, in the
 * columns of the file sorted: a record that disagrees on t comparisons at most agrees on one of any t + 1, and those with
 * the narrowest intervals are taken. Candidates of one row are in memory at a time.
 */
export class CandidatePairs {
  readonly records: number;
  /** After {@link find}: the candidates, by their numbers in the file from 0. */
  candidates = new Uint32Array(64);
  /** Their levels of agreement: candidates x comparisons. */
  levels: Uint8Array;
  readonly #comparisons: readonly Comparison[];
  readonly #count: number;
  readonly #orders: readonly Uint32Array[];
  /** For each comparison and row, where the records in its widest interval begin and end in that order. */
  readonly #starts: readonly Uint32Array[];
  readonly #ends: readonly Uint32Array[];
  /**
   * Records x comparisons, so that what is compared of a record lies together: for each comparison in its order, where
   * candidates follow each other, or once for all in the order of the file where that would take too much memory.
   */
  readonly #values: readonly Float64Array[];
  readonly #isLaidOut: boolean;
  /** Of the row under way: the comparisons that tell something of it, those with the fewest agreements first. */
  readonly #telling: Uint32Array;
  #tellingCount = 0;
  /** The ends of its intervals, comparisons x bands, the widest first. */
  readonly #bands: number;
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  constructor(comparisons: readonly Comparison[]) {
    this.#comparisons = comparisons;
    this.#count = comparisons.length;
    this.records = comparisons[0]!.values.length;
    this.levels = new Uint8Array(64 * this.#count);
    this.#orders = comparisons.map(({ values }) => sortedOrder(values));
    const widest = comparisons.map(({ values, bands }, v) => ({
      sorted: gathered(values, this.#orders[v]!),
      band: bands[bands.length - 1]!,
    }));
    const byLow = widest.map(({ band }) => sortedOrder(band.low));
    this.#starts = widest.map(({ sorted, band }, v) => placesBelow(sorted, band.low, byLow[v]!, false));
    this.#ends = widest.map(({ sorted, band: { high } }, v) =>
      placesBelow(sorted, high, ascends(high, byLow[v]!) ? byLow[v]! : sortedOrder(high), true),
    );
    this.#isLaidOut = this.records * this.#count * this.#count <= MOST_LAID_OUT;
    const laidOut = (orders: readonly (Uint32Array | null)[]) => orders.map((order) => valuesTogether(comparisons, this.records, order));
    this.#values = laidOut(this.#isLaidOut ? this.#orders : [null]);
    this.#telling = new Uint32Array(this.#count);
    this.#bands = Math.max(...comparisons.map(({ bands }) => bands.length));
    this.#low = new Float64Array(this.#count * this.#bands);
    this.#high = new Float64Array(this.#count * this.#bands);
  }

  /** Records that agree with a row on a comparison, over all comparisons: what looking for all of them costs. */
  agreements(row: number): number {
    this.#open(row);
    return this.#telling.subarray(0, this.#tellingCount).reduce((sum, v) => sum + this.#width(v, row), 0);
  }

  /** Finds the candidates of a row, and gives their number. Those of a row of which nothing is told are none. */
  find(row: number, tolerance: Tolerance): number {
    this.#open(row);
    if (this.#tellingCount === 0) return 0;
    const most = Math.min(tolerance ?? Math.floor(this.#tellingCount / 3), this.#tellingCount - 1);
    let candidateCount = 0;
    for (let pass = 0; pass <= most; pass++) {
      const v = this.#telling[pass]!;
      const order = this.#orders[v]!;
      const end = this.#ends[v]![row]!;
      const values = this.#values[this.#isLaidOut ? v : 0]!;
      for (let place = this.#starts[v]![row]!; place < end; place++) {
        const at = (this.#isLaidOut ? place : order[place]!) * this.#count;
        if (this.#foundBefore(pass, values, at)) continue;
        if (candidateCount === this.candidates.length) this.#grow();
        if (this.#compare(values, at, candidateCount) > most) continue;
        this.candidates[candidateCount++] = order[place]!;
      }
    }
    return candidateCount;
  }

  /** Takes up a row: its intervals, and the order in which comparisons are looked at. */
  #open(row: number): void {
    this.#tellingCount = 0;
    for (let v = 0; v < this.#count; v++) {
      const { bands, tells } = this.#comparisons[v]!;
      if (tells !== null && tells[row] === 0) continue;
      for (let b = 0; b < bands.length; b++) {
        const { low, high } = bands[bands.length - 1 - b]!;
        this.#low[v * this.#bands + b] = low[row]!;
        this.#high[v * this.#bands + b] = high[row]!;
      }
      let at = this.#tellingCount++;
      for (; at > 0 && this.#width(this.#telling[at - 1]!, row) > this.#width(v, row); at--) this.#telling[at] = this.#telling[at - 1]!;
      this.#telling[at] = v;
    }
  }

  #width(v: number, row: number): number {
    return this.#ends[v]![row]! - this.#starts[v]![row]!;
  }

  /** Whether an earlier pass has come by a record: it agrees on the comparison of that. */
  #foundBefore(pass: number, values: Float64Array, at: number): boolean {
    for (let earlier = 0; earlier < pass; earlier++) {
      const v = this.#telling[earlier]!;
      const value = values[at + v]!;
      if (value >= this.#low[v * this.#bands]! && value <= this.#high[v * this.#bands]!) return true;
    }
    return false;
  }

  /** Writes the levels of a pair, and gives the number of comparisons that disagree. */
  #compare(values: Float64Array, from: number, place: number): number {
    const at = place * this.#count;
    if (this.#tellingCount < this.#count) this.levels.fill(NO_LEVEL, at, at + this.#count);
    let disagreements = 0;
    for (let t = 0; t < this.#tellingCount; t++) {
      const v = this.#telling[t]!;
      const value = values[from + v]!;
      const bands = this.#comparisons[v]!.bands.length;
      const band = v * this.#bands;
      let level = 0;
      while (level < bands && value >= this.#low[band + level]! && value <= this.#high[band + level]!) level++;
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

/** What is compared of each record, records x comparisons; in an order of them where there is one. */
function valuesTogether(comparisons: readonly Comparison[], records: number, order: Uint32Array | null): Float64Array {
  const width = comparisons.length;
  const together = new Float64Array(records * width);
  for (const [v, { values }] of comparisons.entries()) {
    const ordered = order === null ? values : gathered(values, order);
    for (let place = 0; place < records; place++) together[place * width + v] = ordered[place]!;
  }
  return together;
}

/**
 * For each bound how many of ascending values lie below it, or at it as well. Both are gone through once, in their order:
 * to look for a million bounds one by one in a million values takes far longer.
 */
function placesBelow(sorted: Float64Array, bounds: Float64Array, order: Uint32Array, orAt: boolean): Uint32Array {
  const places = new Uint32Array(bounds.length);
  let place = 0;
  for (const row of order) {
    const bound = bounds[row]!;
    while (place < sorted.length && (sorted[place]! < bound || (orAt && sorted[place] === bound))) place++;
    places[row] = place;
  }
  return places;
}

/** Whether values ascend in an order: the ends of most intervals do in that of their beginnings. */
function ascends(values: Float64Array, order: Uint32Array): boolean {
  for (let i = 1; i < order.length; i++) if (values[order[i]!]! < values[order[i - 1]!]!) return false;
  return true;
}
