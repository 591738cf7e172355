/**
 * What a report holds of every row, a combination or a record, for its script: columns of numbers as the page shows them,
 * rounded to what their errors support. A column in which all rows are alike is that one value.
 */
export type Column<Value> = readonly Value[] | Value;

/** Numbers of rows by their names in the tables of results; null where a row has none. */
export type NumberColumns = Readonly<Record<string, Column<number | null>>>;

/** A variable of the table: its categories as text, null for a missing value, and which of them each row has. */
export interface VariableOfRows {
  readonly name: string;
  readonly categories: readonly (string | null)[];
  readonly codes: Column<number>;
}

/** What is known of a variable, or of several together, by itself. */
export interface ValueOfRows {
  readonly variable: string;
  /** Values that are guessed. */
  readonly texts: readonly string[];
  /** By the names of `variable-risk.csv`; `first_guess_before` and `first_guess_after` are places in `texts`. */
  readonly columns: NumberColumns;
}

/** A continuous variable: its figures, and what an intruder believes of it before the release and after it. */
export interface DensityOfRows {
  readonly variable: string;
  /** How near counts as near. */
  readonly near: string;
  /** Where its cells begin, ascending, and where the last one ends; equally wide on its scale. */
  readonly bounds: readonly number[];
  readonly masses: readonly { readonly value: number; readonly before: Column<number | null>; readonly after: Column<number | null> }[];
  /** By the names of `continuous-risk.csv`; `largest` is the largest probability of a cell, of which the shapes are shares. */
  readonly columns: NumberColumns;
  /** Of each row a character for each cell, as {@link SHAPE_LEVELS} has them; nothing for a value that is missing. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** From nothing to the largest: what a picture can tell apart, in characters that need no escape. */
export const SHAPE_LEVELS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

/** Candidates that are likely after the release. */
export interface CandidatesOfRows {
  /** Changes of the record's own values, each a place in `variables` and a text; none is the truth. */
  readonly changes: readonly (readonly (readonly [variable: number, value: string])[])[];
  /** Of each row its candidates, the likeliest first, as places in `changes`. */
  readonly candidates: readonly (readonly number[])[];
  /** Their probabilities, in the same order. */
  readonly after: readonly (readonly number[])[];
  /** Their probabilities before the release, null where they are not kept; one value where all have it. */
  readonly before: readonly Column<number | null>[];
}

/** Another intruder. */
export interface ScenarioOfRows {
  readonly scenario: string;
  readonly columns: NumberColumns;
}

/** An intruder who matches. */
export interface MatchesOfRows {
  readonly scenario: string;
  /** Of each row the matches in each dataset; whether its own row is among them. */
  readonly matches: readonly (readonly number[])[];
  readonly own: readonly (readonly number[])[];
}

/** A scale of a chart: where a value is drawn, from `range[0]` at `domain[0]` to `range[1]` at `domain[1]`. */
export interface ChartScale {
  readonly type: 'linear' | 'log' | 'point';
  readonly domain: readonly (number | string)[];
  /** Pixels; of a scale of points one for each element of its domain. */
  readonly range: readonly number[];
}

/** What a chart marks of a row. */
export type MarkKind = 'ratio' | 'rank' | 'information' | 'R' | 'RR';

/** A chart that is drawn beforehand, in a template of the page, in which a row can be marked. */
export interface MarkedChart {
  readonly template: string;
  readonly title: string;
  readonly kind: MarkKind;
  readonly x: ChartScale;
  readonly y: ChartScale;
}

/** All that the script reads. */
export interface RecordData {
  readonly noun: 'combination' | 'record';
  /** The scenario of the columns; null where there is no attribute risk. */
  readonly scenario: string | null;
  /** Rows that are here, in each column from that most at risk to that least. */
  readonly rows: number;
  /** Rows that the run has. */
  readonly rowsOfRun: number;
  /** Numbers of rows from 1, in the order of the columns. */
  readonly numbers: Column<number>;
  readonly variables: readonly VariableOfRows[];
  /**
   * By the names of `attribute-risk.csv`; `shared`, where rows are records, are the records of its combination, and
   * `match_risk` the largest of the scenarios' mean risks of a match; `near_rise` is the largest rise of the probability near
   * the true value of a continuous variable.
   */
  readonly columns: NumberColumns;
  /** What the first guess changes, where it is not the truth: places in `guesses`, -1 for the truth. */
  readonly guesses: readonly string[];
  readonly guess: Column<number>;
  /** How many rows have the details below: the first ones. */
  readonly detailed: number;
  readonly values: readonly ValueOfRows[];
  readonly candidates: CandidatesOfRows | null;
  readonly densities: readonly DensityOfRows[];
  readonly scenarios: readonly ScenarioOfRows[];
  readonly matches: readonly MatchesOfRows[];
  readonly charts: readonly MarkedChart[];
}
