import type { AttributeRiskTable } from './tables/attribute-risk-table.ts';

/** Rows that a page holds at most: beyond, it would take too long to open. The others are in the tables of results. */
export const ROWS_HELD = 50_000;

/** A candidate of a row that is likely after the release. */
export interface CandidateOfRow {
  /** What it changes of the row's own values, by the names of variables; nothing where it is the truth. */
  readonly changes: readonly { readonly variable: string; readonly value: string }[];
  /** Its probability before the release, null where the run does not keep it, and after it. */
  readonly before: number | null;
  readonly after: number;
}

/** What a report tells of another intruder, by the columns of `attribute-risk.csv`. */
export const SCENARIO_COLUMNS = [
  'candidates',
  'prior_probability',
  'probability',
  'probability_se',
  'rank',
  'rank_low',
  'rank_high',
] as const;

/** What another intruder than that of the first scenario gets, by the columns of `attribute-risk.csv`. */
export interface ScenarioRows {
  readonly scenario: string;
  /** Of its rows, which are those of the records that the intruder does not have: combinations, or records, from 1. */
  readonly numbers: Int32Array;
  readonly columns: Pick<AttributeRiskTable['columns'], (typeof SCENARIO_COLUMNS)[number]>;
}

/** Matches of every record under a scenario of identification, records x datasets. */
export interface ScenarioMatches {
  readonly scenario: string;
  readonly datasets: number;
  readonly matches: Int32Array;
  /** 1 where the record's own row is among the matches. */
  readonly own: Int32Array;
}

/** What an intruder believes of a continuous variable, over its masses and cells. */
export interface VariableDensities {
  readonly variable: string;
  /** How near counts as near. */
  readonly near: string;
  readonly masses: readonly number[];
  /** Where its cells begin, ascending, and where the last one ends; in the variable's unit, equally wide on its scale. */
  readonly bounds: readonly number[];
  /** Probabilities of the masses, then of the cells, for a record (from 0); null where it has no value, or is not at risk. */
  readonly of: (record: number) => { readonly before: Float32Array; readonly after: Float32Array } | null;
}

/** What a report says of single rows beside the tables of its first scenario. */
export interface RecordDetails {
  /** Rows, and the table's variables, where there is no attribute risk to name them; they are records. */
  readonly rows: Pick<AttributeRiskTable, 'rows' | 'variables'> | null;
  /** The likeliest candidates of a row (from 0), the likeliest first; null where the run keeps none. */
  readonly candidates: ((row: number) => readonly CandidateOfRow[]) | null;
  /** Of each continuous variable that has a density and is guessed at; empty where the run keeps none. */
  readonly densities: readonly VariableDensities[];
  /** Of several scenarios all but the first. */
  readonly scenarios: readonly ScenarioRows[];
  /** Those scenarios of identification that apply. */
  readonly matches: readonly ScenarioMatches[];
}

/** Numbers of a row of `confidential/attribute-risk.csv` as the report lists it; `number` is of the combination or record, from 1. */
type RiskiestRow = Readonly<
  Record<'number' | 'count' | 'candidates' | 'rank' | 'rankLow' | 'rankHigh', number> &
    Record<'priorProbability' | 'probability' | 'probabilitySe', number> &
    // Null where no other candidate has a positive prior.
    Record<'bayesFactor' | 'bayesFactorSe', number | null>
>;

/** The rows most at risk under one scenario, the riskiest first. */
export interface RiskiestRows {
  readonly scenario: string;
  /** Whether rows are records, not combinations. */
  readonly ofRecords: boolean;
  readonly rows: readonly RiskiestRow[];
}
