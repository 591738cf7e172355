/** A row of `confidential/attribute-risk.csv` as the report lists it for a scenario. */
interface RiskiestRow {
  /** Of the combination, or of the record, from 1. */
  readonly number: number;
  readonly count: number;
  readonly candidates: number;
  readonly rank: number;
  readonly rankLow: number;
  readonly rankHigh: number;
  readonly priorProbability: number;
  readonly probability: number;
  readonly probabilitySe: number;
  /** Null where no other candidate has a positive prior. */
  readonly bayesFactor: number | null;
  readonly bayesFactorSe: number | null;
}

/** The rows most at risk under one scenario, the riskiest first. */
export interface RiskiestRows {
  readonly scenario: string;
  /** Whether rows are records, not combinations. */
  readonly ofRecords: boolean;
  readonly rows: readonly RiskiestRow[];
}
