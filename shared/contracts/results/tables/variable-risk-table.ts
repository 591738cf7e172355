import { double, flag, int32, maybeDouble, type ResultTable, type RowOf, rowOf, text } from '../../column.ts';

/** Figures of a value that columns show as they are. */
type ValueFigure = 'values' | 'probabilityBefore' | 'probabilityAfter' | 'probabilitySe' | 'rankBefore' | 'rankAfter' | 'gainBits';

/**
 * What is known of the value of each variable under a scenario: a row is a variable of a combination, or of a record where
 * datasets are partially synthetic. Values are found when they are asked for: rows may be many.
 */
export interface ValueRows {
  readonly rows: number;
  /** Whether rows are of records. */
  readonly ofRecords: boolean;
  readonly scenario: string;
  /** The combination, or the record, from 1. */
  readonly numberOf: (row: number) => number;
  /** Records of the combination. */
  readonly countOf: (row: number) => number;
  /** Name of the variable, or names of several. */
  readonly variableOf: (row: number) => string;
  /** The true value. */
  readonly valueOf: (row: number) => string;
  readonly figure: (row: number, name: ValueFigure) => number;
  readonly resolvedOf: (row: number) => { readonly share: number | null; readonly se: number | null };
  readonly guessOf: (row: number, when: 'guessBefore' | 'guessAfter') => string;
  /** Where the model is of trees, what is known beside. */
  readonly beside: ((row: number) => { readonly probabilityFixed: number; readonly proven: boolean }) | null;
  /** The rows whose values the release gives away, from the largest gain to the smallest. */
  readonly givenAway: () => Uint32Array;
}

const NUMBER = 'Number from 1.';
const figure = (name: ValueFigure) => (of: ValueRows, row: number) => of.figure(row, name);
const number = ({ numberOf }: ValueRows, row: number) => numberOf(row);
const ofTrees = ({ beside }: ValueRows) => beside !== null;

/** `confidential/variable-risk.csv`. */
export const VARIABLE_RISK = {
  file: 'variable-risk',
  row: 'a variable of a combination, or of a record where variables are kept',
  columns: {
    record: int32(NUMBER, number, ({ ofRecords }) => ofRecords),
    combination: int32(NUMBER, number, ({ ofRecords }) => !ofRecords),
    count: int32('Records of the combination; 1 where rows are records.', ({ countOf }, row) => countOf(row)),
    variable: text('The variable; several together are joined by `; `.', (of, row) => of.variableOf(row)),
    categories: int32('Values that the intruder considers.', figure('values')),
    probability_before: double('Probability of the true value without the release.', figure('probabilityBefore')),
    probability_after: double('The same with it.', figure('probabilityAfter')),
    probability_se: double('Monte Carlo standard error of that.', figure('probabilitySe')),
    rank_before: double('Rank of the true value without the release; ties at their mean.', figure('rankBefore')),
    rank_after: double('The same with it.', figure('rankAfter')),
    gain_bits: double('log2 of after by before: positive where the release points to the truth.', figure('gainBits')),
    uncertainty_resolved: maybeDouble('Gain over what was lacked. 1: certain; 0: nothing learnt.', (of, row) => of.resolvedOf(row).share),
    uncertainty_resolved_se: maybeDouble('Its standard error, of simulation and release.', (of, row) => of.resolvedOf(row).se),
    first_guess_before: text('The likeliest value without the release; the truth if it ties.', ({ guessOf }, row) =>
      guessOf(row, 'guessBefore'),
    ),
    first_guess_after: text('The same with it.', ({ guessOf }, row) => guessOf(row, 'guessAfter')),
    scenario: text('Name of the scenario.', ({ scenario }) => scenario),
    probability_fixed: double('Trees: after, with divisions held fixed.', ({ beside }, row) => beside!(row).probabilityFixed, ofTrees),
    proven: flag('Trees: whether no other value could have led to the release.', ({ beside }, row) => beside!(row).proven, ofTrees),
  },
} satisfies ResultTable<ValueRows>;

/** The columns of a row as they are read; those of trees where the model is of them. */
type ReadRow = RowOf<Omit<(typeof VARIABLE_RISK)['columns'], 'record' | 'combination'>>;
type OfTrees = 'probability_fixed' | 'proven';

/** A row of `confidential/variable-risk.csv` as it is read, with the true value. */
export type VariableRiskRow = Omit<ReadRow, OfTrees> &
  Partial<Pick<ReadRow, OfTrees>> & {
    /** The combination, or the record, from 1. */
    readonly number: number;
    readonly value: string;
  };

/** What is known of the value of each variable as it is read, of some rows of the file in their order. */
export interface VariableRiskTable extends Pick<ValueRows, 'rows' | 'ofRecords'> {
  readonly rowsOfFile: number;
  /** Where a row (from 0) stands in the file. */
  readonly placeInFile: (row: number) => number;
  readonly givenAway: Uint32Array;
  /** A row (from 0). */
  readonly row: (row: number) => VariableRiskRow;
}

/** What is known of the value of each variable as it is read. */
export const variableRiskTable = (of: ValueRows, file: Pick<VariableRiskTable, 'rowsOfFile' | 'placeInFile'>): VariableRiskTable => ({
  ...of,
  ...file,
  givenAway: of.givenAway(),
  row: (row) => ({ ...rowOf(VARIABLE_RISK.columns, of, row), number: of.numberOf(row), value: of.valueOf(row) }),
});
