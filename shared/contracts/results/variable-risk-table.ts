/**
 * Columns of `confidential/variable-risk.csv` in their order, with their types in Parquet; the first is `record` where
 * datasets are partially synthetic. See `docs/explanation/estimators.md` for each.
 */
export const VARIABLE_RISK_COLUMNS = {
  count: 'int32',
  variable: 'string',
  categories: 'int32',
  probability_before: 'double',
  probability_after: 'double',
  probability_se: 'double',
  rank_before: 'double',
  rank_after: 'double',
  gain_bits: 'double',
  uncertainty_resolved: 'double',
  uncertainty_resolved_se: 'double',
  first_guess_before: 'string',
  first_guess_after: 'string',
  scenario: 'string',
} as const;

/** The last columns where the model is of trees. */
export const TREE_VARIABLE_COLUMNS = { probability_fixed: 'double', proven: 'boolean' } as const;

/** Null where the intruder lacked nothing, and the error where one dataset does not tell how releases differ. */
type MaybeNull = 'uncertainty_resolved' | 'uncertainty_resolved_se';

interface ValueOf {
  boolean: boolean;
  int32: number;
  double: number;
  string: string;
}

/** A row of `confidential/variable-risk.csv`: what is known of a combination's, or a record's, value of a variable. */
export type VariableRiskRow = {
  readonly [Name in keyof typeof VARIABLE_RISK_COLUMNS]:
    | ValueOf[(typeof VARIABLE_RISK_COLUMNS)[Name]]
    | (Name extends MaybeNull ? null : never);
} & {
  /** The combination, or the record, from 1. */
  readonly number: number;
  /** The true value. */
  readonly value: string;
  /** Null where the model is of others than trees. */
  readonly ofTrees:
    | {
        readonly [Name in keyof typeof TREE_VARIABLE_COLUMNS]: ValueOf[(typeof TREE_VARIABLE_COLUMNS)[Name]];
      }
    | null;
};

/**
 * What is known of the value of each variable, by the columns of `confidential/variable-risk.csv`: a row is a variable
 * of a combination, or of a record where datasets are partially synthetic.
 */
export interface VariableRiskTable {
  readonly rows: number;
  /** Whether rows are of records. */
  readonly ofRecords: boolean;
  readonly ofTrees: boolean;
  /** A row (from 0), which is found when it is asked for: there may be many. */
  readonly row: (row: number) => VariableRiskRow;
  /** The rows whose values the release gives away, from the largest gain to the smallest. */
  readonly givenAway: Uint32Array;
}
