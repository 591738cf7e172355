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
  /** columns of parts x rows; {@link MISSING} where a value is missing. */
  readonly codes: Uint16Array;
  readonly continuous: readonly ContinuousPart[];
  /** columns of continuous variables x rows, unit scale; NaN where a mass holds the value or it is missing. */
  readonly values: Float64Array;
  /**
   * Where the values of a release begin, which were drawn within the range, and again where they were not: all of the rows from one on,
   * or of the columns of `values`. None if not said.
   */
  readonly released?: { readonly row: number } | { readonly column: number };
  /**
   * What each column of `codes` and of `values` has values of; a column each if not said otherwise. A row has all of them
   * from its class, and columns of one variable have the same parameters, as a record's values and its synthetic ones do.
   */
  readonly columns?: { readonly parts: readonly number[]; readonly continuous: readonly number[] };
}

/** The first row, and the first column of values, of a release; those after the last where there is none. */
export function releasedPlaces({ rows, released = { row: rows } }: Pick<MixedRows, 'rows' | 'released'>, valueColumns: number) {
  return 'row' in released
    ? { releasedRow: released.row, releasedColumn: valueColumns }
    : { releasedRow: rows, releasedColumn: released.column };
}
