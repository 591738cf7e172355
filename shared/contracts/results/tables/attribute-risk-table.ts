import {
  type Column,
  type ColumnsRead,
  double,
  flag,
  int32,
  int64,
  maybeDouble,
  type ResultTable,
  readColumns,
  text,
  VARIABLES,
} from '../../column.ts';

/** Figures of a row, as parts store them in this order. */
export const RISK_FIGURES = [
  /** Rank of the truth, 1 = the intruder's first guess, ties at their mean. */
  'rank',
  /** 90 % interval of the rank over resamples of the chains. */
  'rankLow',
  'rankHigh',
  /** Prior probability of the truth, and how probable it is that a first guess by the prior alone is right. */
  'priorProbability',
  'priorFirst',
  /** Posterior probability of the truth, and its standard error over resamples of the chains. */
  'probability',
  'probabilitySe',
  /** Posterior against prior, in bits. */
  'informationBits',
  /** Prior odds of the truth against the first guess that would make the truth the first (Hu et al. 2014, eq. 18). */
  'priorOddsToFirst',
  /**
   * Of the truth against the others, weighed by the prior on them (McClure & Reiter 2012, section 4); NaN where no other has a
   * positive prior, Infinity where, of trees, no other could have led to the release.
   */
  'bayesFactor',
  'bayesFactorSe',
  /** The largest |log L_x - log L_t| in nats, less its bias, with its error; NaN where candidates are not listed. */
  'privacyLoss',
  'privacyLossSe',
  /** Candidate that the intruder ranks first (the truth, if it ties), and its probability. */
  'firstGuess',
  'firstGuessProbability',
  /** Rank, probability and information from paired chains of half their length; NaN where none are paired. */
  'halfLengthRank',
  'halfLengthProbability',
  'halfLengthInformationBits',
  /** Share of what the intruder lacked that the release resolves, with its error; NaN where nothing was lacked, or asked. */
  'uncertaintyResolved',
  'uncertaintyResolvedSe',
  /** Likelihood ratio of the record's being in the table against being absent, with its error of simulation; NaN where not found. */
  'membershipBits',
  'membershipBitsSe',
  /** Of its being in the table, for who gives it one half beforehand. */
  'membershipProbability',
  'effectiveDraws',
  /** Pareto k of the heaviest tail of 1 / f(x_i | Theta) among the expectations; NaN where none can be fitted. */
  'paretoK',
] as const;

/** Figures of every row: rows each. */
export type RiskFigures = Readonly<Record<(typeof RISK_FIGURES)[number], Float64Array>>;

/** Figures to be filled. */
export const emptyFigures = (rows: number): RiskFigures =>
  Object.fromEntries(RISK_FIGURES.map((name) => [name, new Float64Array(rows)])) as unknown as RiskFigures;

/**
 * The rows of a scenario in `confidential/attribute-risk.csv`, numbered from 0: combinations, in order of first appearance; or
 * records, in the order of the table, where datasets are partially synthetic.
 */
export interface RiskRows {
  readonly rows: number;
  /** Whether rows are records. */
  readonly ofRecords: boolean;
  readonly scenario: string;
  readonly figures: RiskFigures;
  /** Number of the record, from 1, where rows are records. */
  readonly recordOf: (row: number) => number;
  /** Number of the combination, from 1. */
  readonly combinationOf: (row: number) => number;
  /** Records of a row. */
  readonly countOf: (row: number) => number;
  readonly candidatesOf: (row: number) => number;
  /** Whether there are candidates to rank: where there are none, columns of ranks and probabilities are empty. */
  readonly isRanked: boolean;
  /** What the first guess changes, in words; null where the truth comes first. */
  readonly guessOf: (row: number, what: 'variable' | 'value') => string | null;
  /** Whether the interval of the rank tells anything. */
  readonly isDistinguishable: (row: number) => boolean;
  /** Above which a tail is too heavy. */
  readonly paretoKThreshold: number;
  /** Where the model is of trees, what is known beside: rows each. */
  readonly beside: { readonly probabilityFixed: Float64Array; readonly proven: Float64Array } | null;
  /** The table's own variables, in column order, with the categories of a row as text (null: missing). */
  readonly variables: readonly { readonly name: string; readonly text: (row: number) => string | null }[];
}

const figure =
  (name: keyof RiskFigures) =>
  ({ figures }: RiskRows, row: number) =>
    figures[name][row]!;
const finite =
  (name: keyof RiskFigures) =>
  ({ figures }: RiskRows, row: number) =>
    Number.isFinite(figures[name][row]) ? figures[name][row]! : null;
const ofTrees = ({ beside }: RiskRows) => beside !== null;
/** A column that is empty where numbers alone are guessed at. */
const ofRanked = <Own extends Column<RiskRows>>(column: Own): Own => ({ ...column, isEmpty: ({ isRanked }: RiskRows) => !isRanked });

/** `confidential/attribute-risk.csv`. Names of columns are reserved: no variable of a table can have one. */
export const ATTRIBUTE_RISK = {
  file: 'attribute-risk',
  row: 'a combination in order of first appearance, or a record where variables are kept; scenarios one after the other',
  columns: {
    record: int32(
      'Number from 1.',
      ({ recordOf }, row) => recordOf(row),
      ({ ofRecords }) => ofRecords,
    ),
    combination: int32('Number of the combination, from 1.', ({ combinationOf }, row) => combinationOf(row)),
    count: int32('Records of the combination; 1 where rows are records.', ({ countOf }, row) => countOf(row)),
    [VARIABLES]: {
      type: 'variables',
      meaning: 'The table’s own variables.',
      names: ({ variables }) => variables.map(({ name }) => name),
      value: ({ variables }, row, v) => variables[v]!.text(row),
    },
    candidates: int64('Number of candidates C.', ({ candidatesOf }, row) => candidatesOf(row)),
    rank: ofRanked(double('Rank of the truth; ties at their mean.', figure('rank'))),
    rank_low: ofRanked(double('Lower end of its 90 % Monte Carlo interval.', figure('rankLow'))),
    rank_high: ofRanked(double('Upper end.', figure('rankHigh'))),
    prior_probability: ofRanked(double('Prior probability of the truth.', figure('priorProbability'))),
    probability: ofRanked(double('Posterior probability of the truth.', figure('probability'))),
    probability_se: ofRanked(double('Its Monte Carlo standard error.', figure('probabilitySe'))),
    ratio_to_uniform: ofRanked(
      double(
        '`probability` times C. 1: as a blind guess.',
        ({ figures, candidatesOf }: RiskRows, row) => figures.probability[row]! * candidatesOf(row),
      ),
    ),
    information_bits: ofRanked(double('Divergence of the posterior from the prior.', figure('informationBits'))),
    uncertainty_resolved: maybeDouble('Gain over what was lacked. 1: certain; 0: nothing learnt.', finite('uncertaintyResolved')),
    uncertainty_resolved_se: maybeDouble('Its standard error, of simulation and release.', finite('uncertaintyResolvedSe')),
    prior_odds_to_first: ofRanked(double('Prior odds to the first guess that would rank the truth first.', figure('priorOddsToFirst'))),
    bayes_factor: maybeDouble('Bayes factor of the truth; empty where the truth is certain.', finite('bayesFactor')),
    bayes_factor_se: maybeDouble('Its standard error.', (of, row) =>
      Number.isFinite(of.figures.bayesFactor[row]) ? finite('bayesFactorSe')(of, row) : null,
    ),
    privacy_loss: ofRanked(
      maybeDouble('Largest difference of a candidate’s log-likelihood from the truth’s, nats.', finite('privacyLoss')),
    ),
    privacy_loss_se: ofRanked(maybeDouble('Its standard error.', finite('privacyLossSe'))),
    membership_bits: maybeDouble('log2 likelihood ratio of being in the table.', finite('membershipBits')),
    membership_bits_se: maybeDouble('Its Monte Carlo standard error.', finite('membershipBitsSe')),
    membership_probability: maybeDouble('Probability of being in the table, from a prior of 0.5.', finite('membershipProbability')),
    first_guess_variable: text('Where the first guess differs from the truth.', ({ guessOf }, row) => guessOf(row, 'variable')),
    first_guess_value: text('The value there; `NA` for a missing one.', ({ guessOf }, row) => guessOf(row, 'value')),
    first_guess_probability: ofRanked(double('Probability of the first guess.', figure('firstGuessProbability'))),
    distinguishable: ofRanked(
      flag('`true` where the rank interval is narrower than C / 2.', ({ isDistinguishable }: RiskRows, row) => isDistinguishable(row)),
    ),
    effective_draws: ofRanked(maybeDouble('Effective number of draws.', finite('effectiveDraws'))),
    pareto_k: maybeDouble('k of the heaviest tail.', finite('paretoK')),
    heavy_tail: flag(
      '`true` where it is above the threshold.',
      ({ figures, paretoKThreshold }, row) => figures.paretoK[row]! > paretoKThreshold,
    ),
    scenario: text('Name of the scenario.', ({ scenario }) => scenario),
    probability_fixed: double(
      'Trees: probability with divisions held fixed.',
      ({ beside }, row) => beside!.probabilityFixed[row]!,
      ofTrees,
    ),
    proven: flag('Trees: whether the release proves a value of the record.', ({ beside }, row) => beside!.proven[row] === 1, ofTrees),
  },
} satisfies ResultTable<RiskRows>;

type ReadColumns = ColumnsRead<Omit<(typeof ATTRIBUTE_RISK)['columns'], typeof VARIABLES>>;
type OfTrees = 'probability_fixed' | 'proven';

/** The attribute risk of a scenario as it is read, by the columns of `confidential/attribute-risk.csv`. */
export interface AttributeRiskTable extends Pick<RiskRows, 'rows' | 'ofRecords' | 'variables'> {
  /** Those of trees where the model is of them. */
  readonly columns: Omit<ReadColumns, OfTrees> & Partial<Pick<ReadColumns, OfTrees>>;
}

/** The Bayes factor of a row: Infinity where no other candidate is possible, null where no other has a prior probability. */
export const bayesFactorOf = ({ columns }: Pick<AttributeRiskTable, 'columns'>, row: number): number | null =>
  columns.bayes_factor(row) ?? (columns.prior_probability[row]! < 1 ? Infinity : null);

/** The attribute risk of a scenario as it is read. */
export const attributeRiskTable = (of: RiskRows): AttributeRiskTable => ({
  rows: of.rows,
  ofRecords: of.ofRecords,
  variables: of.variables,
  columns: readColumns(ATTRIBUTE_RISK.columns, of, of.rows),
});

/** A candidate of a combination, or of a record. */
interface CandidateRow {
  readonly rank: number;
  readonly probability: number;
  readonly isTruth: boolean;
  /** The table's own variables, and their categories (null: missing). */
  readonly names: readonly string[];
  readonly values: readonly (string | null)[];
}

/** `confidential/records/<n>.csv`. Names of columns are reserved as those of {@link ATTRIBUTE_RISK} are. */
export const CANDIDATES: ResultTable<CandidateRow> = {
  file: 'records/<n>',
  row: 'a candidate of a combination, or of a record where variables are kept, from the likeliest',
  columns: {
    rank: double('Its rank, 1 = the first guess; ties at their mean.', ({ rank }) => rank),
    probability: double('Its posterior probability.', ({ probability }) => probability),
    is_truth: flag('Whether it is the truth.', ({ isTruth }) => isTruth),
    [VARIABLES]: { type: 'variables', meaning: 'Its values.', names: ({ names }) => names, value: ({ values }, _, v) => values[v]! },
  },
};
