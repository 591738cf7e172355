/**
 * What an intruder compares of one variable: a number of every record of their file, and for every row of the release
 * closed intervals around its own value, each inside the next. The level of agreement is the number of intervals that
 * hold the record's number.
 */
export interface Comparison {
  readonly name: string;
  /** One a record of the intruder's file. */
  readonly values: Float64Array;
  /** The intervals, the narrowest first. */
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

/** A comparison with its narrowest intervals alone. */
export function narrowed(comparison: Comparison, bands: number): Comparison {
  return { ...comparison, bands: comparison.bands.slice(0, bands) };
}
