/** Stands for a missing value of a discrete part. */
export const MISSING = 0xffff;

/** A continuous variable as the model has it. Its declared range is [0, 1]. */
export interface ContinuousPart {
  /** Smallest standard deviation of a class, on the unit scale. */
  readonly smallest: number;
  /**
   * The discrete part that says which mass holds the value (category 0: none, c: mass c - 1); null without masses.
   */
  readonly indicator: number | null;
}

/** Rows as the model `mixed` sees them. */
export interface MixedRows {
  readonly rows: number;
  /** Categories of each discrete part: categorical variables in table order, then the indicators in order of their variables. */
  readonly sizes: readonly number[];
  /** parts x rows, or columns of codes x rows; {@link MISSING} where a value is missing. */
  readonly codes: Uint16Array;
  /** The part of each column of codes, where rows have several values of one; the columns are the parts where it is left out. */
  readonly partOfColumn?: readonly number[];
  readonly continuous: readonly ContinuousPart[];
  /** continuous x rows, or columns of values x rows, unit scale; NaN where a mass holds the value or it is missing. */
  readonly values: Float64Array;
  /** The continuous variable of each column of values, likewise. */
  readonly variableOfColumn?: readonly number[];
}
