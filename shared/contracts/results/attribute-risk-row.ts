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
  },
} as const;

/**
 * Columns of a combination's candidate table before the table's own variables. Their names are reserved as those of
 * {@link ATTRIBUTE_RISK_COLUMNS} are.
 */
export const CANDIDATE_COLUMNS = ['rank', 'probability', 'is_truth'] as const;

type ColumnValue = { int32: number; double: number; string: string; boolean: boolean };
type Fields<Columns extends Record<string, keyof ColumnValue>> = {
  -readonly [Name in keyof Columns]: ColumnValue[Columns[Name]];
};

/**
 * One row of `confidential/attribute-risk.csv`: one combination, in order of first appearance; or one record, in the
 * order of the table, where datasets are partially synthetic.
 */
export type AttributeRiskRow = Fields<typeof ATTRIBUTE_RISK_COLUMNS.beforeVariables> &
  Fields<typeof ATTRIBUTE_RISK_COLUMNS.afterVariables> & {
    /** Number of the record, from 1; null for a combination. */
    record: number | null;
    /** The combination's categories as text, in column order (null: missing). */
    values: (string | null)[];
  };
