/**
 * Columns of `confidential/attribute-risk.csv` before and after the table's own variables, in their order, with
 * their types in Parquet. Names are the contract's, and reserved: no variable of a table can have one. See
 * `docs/explanation/estimators.md` for each.
 */
export const ATTRIBUTE_RISK_COLUMNS = {
  /** The first column where datasets are partially synthetic, and every record has a row. */
  ofRecords: { record: 'int32' },
  beforeVariables: { combination: 'int32', count: 'int32' },
  afterVariables: {
    candidates: 'int64',
    rank: 'double',
    rank_low: 'double',
    rank_high: 'double',
    prior_probability: 'double',
    probability: 'double',
    probability_se: 'double',
    ratio_to_uniform: 'double',
    information_bits: 'double',
    uncertainty_resolved: 'double',
    uncertainty_resolved_se: 'double',
    prior_odds_to_first: 'double',
    bayes_factor: 'double',
    bayes_factor_se: 'double',
    privacy_loss: 'double',
    privacy_loss_se: 'double',
    first_guess_variable: 'string',
    first_guess_value: 'string',
    first_guess_probability: 'double',
    distinguishable: 'boolean',
    effective_draws: 'double',
    pareto_k: 'double',
    heavy_tail: 'boolean',
    scenario: 'string',
  },
  /** The last columns where the model is of trees. */
  ofTrees: { probability_fixed: 'double', proven: 'boolean' },
} as const;

/**
 * Columns of a combination's candidate table before the table's own variables. Their names are reserved as those of
 * {@link ATTRIBUTE_RISK_COLUMNS} are.
 */
export const CANDIDATE_COLUMNS = ['rank', 'probability', 'is_truth'] as const;

/** A column by its type. Texts and truth values of a row (from 0) are found when they are asked for: rows may be many. */
interface ColumnOf {
  /** rows */
  int32: Int32Array;
  /** rows; whole numbers */
  int64: Float64Array;
  /** rows */
  double: Float64Array;
  boolean: (row: number) => boolean;
  string: (row: number) => string | null;
}

type ColumnsOf<Types extends Record<string, keyof ColumnOf>> = {
  readonly [Name in keyof Types]: ColumnOf[Types[Name]];
};

type MaybeNull =
  | 'uncertainty_resolved'
  | 'uncertainty_resolved_se'
  | 'effective_draws'
  | 'pareto_k'
  | 'bayes_factor'
  | 'bayes_factor_se'
  | 'privacy_loss'
  | 'privacy_loss_se';

/**
 * The attribute risk of a run by the columns of `confidential/attribute-risk.csv`: a row is a combination, in order of
 * first appearance; or a record, in the order of the table, where datasets are partially synthetic.
 */
export interface AttributeRiskTable {
  readonly rows: number;
  /** Whether rows are records. */
  readonly ofRecords: boolean;
  /** Records and combinations are numbered from 1; the guess is null where the truth comes first. */
  readonly columns: Omit<
    ColumnsOf<
      typeof ATTRIBUTE_RISK_COLUMNS.ofRecords &
        typeof ATTRIBUTE_RISK_COLUMNS.beforeVariables &
        typeof ATTRIBUTE_RISK_COLUMNS.afterVariables
    >,
    MaybeNull
  > & {
    /**
     * Null where the intruder lacked nothing or one dataset does not tell how releases differ, no tail can be fitted, no other candidate has a positive prior, candidates are not listed, or nothing is
     * simulated.
     */
    readonly [Name in MaybeNull]: (row: number) => number | null;
  };
  /** Null where the model is of others than trees. */
  readonly ofTrees: ColumnsOf<typeof ATTRIBUTE_RISK_COLUMNS.ofTrees> | null;
  /** The table's own variables, in column order, with the categories of a row as text (null: missing). */
  readonly variables: readonly { readonly name: string; readonly text: ColumnOf['string'] }[];
}
