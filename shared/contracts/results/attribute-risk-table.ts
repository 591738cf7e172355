/**
 * Columns of `confidential/attribute-risk.csv` before and after the table's own variables, in their order, with
 * their types in Parquet. Names are the contract's, and reserved: no variable of a table can have one. See
 * `docs/estimators.md` for each.
 */
export const ATTRIBUTE_RISK_COLUMNS = {
  /** The first column where datasets are partially synthetic, and every record has a row. */
  ofRecords: { record: 'int32' },
  beforeVariables: { combination: 'int32', count: 'int32' },
  afterVariables: {
    candidates: 'double',
    rank: 'double',
    rank_low: 'double',
    rank_high: 'double',
    probability: 'double',
    probability_se: 'double',
    ratio_to_uniform: 'double',
    information_bits: 'double',
    prior_odds_to_first: 'double',
    first_guess_variable: 'string',
    first_guess_value: 'string',
    first_guess_probability: 'double',
    distinguishable: 'boolean',
    effective_draws: 'double',
    pareto_k: 'double',
    heavy_tail: 'boolean',
  },
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
  /** rows */
  double: Float64Array;
  boolean: (row: number) => boolean;
  string: (row: number) => string | null;
}

type ColumnsOf<Types extends Record<string, keyof ColumnOf>> = {
  readonly [Name in keyof Types]: ColumnOf[Types[Name]];
};

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
    'pareto_k' | 'effective_draws'
  > & {
    /** Null of a row that was left out of the fit, for which nothing is estimated from draws. */
    readonly effective_draws: (row: number) => number | null;
    /** Null where no tail can be fitted. */
    readonly pareto_k: (row: number) => number | null;
  };
  /** The table's own variables, in column order, with the categories of a row as text (null: missing). */
  readonly variables: readonly { readonly name: string; readonly text: ColumnOf['string'] }[];
}
