import type { PropensityTerms } from '../contracts/config/utility.ts';
import { exp } from '../numeric/portable-math.ts';
import type { CountedRows } from '../table/counted-rows.ts';
import { MOST_TREE_RECORDS } from './measure-propensity.ts';
import type { OpenedUtility } from './open-utility.ts';
import { MOST_PROPENSITY_COEFFICIENTS, propensityTerms } from './propensity.ts';
import { designCount } from './regression/design.ts';
import { MOST_FACTORIZED } from './regression/logistic.ts';
import type { OpenedRegression } from './regression/open-regression.ts';
import { tablesCompared } from './table-deviations.ts';

/** Multiplications that a row takes in each step of a regression, whatever its terms: probabilities and logarithms. */
const ROW_WORK = 100;

/** Steps that a regression takes, and products of its rows with vectors where its matrix is factorized once alone. */
const STEPS = 8;
const PRODUCTS = 30;

/**
 * What a regression takes, in multiplications: in each step cross products of the rows and a factor of their matrix, or of large
 * propensity scores both of them twice in all, and products of the rows with vectors.
 */
export function regressionWork(rows: number, terms: number, coefficients: number, factorized = true): number {
  const alongRows = rows * (ROW_WORK + 6 * terms);
  const matrix = (rows * terms * terms) / 2 + (coefficients * coefficients * coefficients) / 3;
  return factorized ? STEPS * (alongRows + matrix) : PRODUCTS * alongRows + 2 * matrix;
}

/** About how many microseconds a row takes in a table, an association and a pattern, a record in a tree, and a multiplication. */
const TABLE_ROW = 0.01;
const PAIR_ROW = 0.04;
const PATTERN_ROW = 0.06;
const TREE_VALUE = 0.4;
const MULTIPLICATION = 0.0006;

/** Units of work of the steps of utility, about microseconds each. */
export interface UtilityWork {
  /** A table of counts, of the table and its datasets. */
  readonly table: number;
  /** The association of two variables in the table or a dataset. */
  readonly association: number;
  /** A variable within patterns. */
  readonly pattern: number;
  /** A propensity score of a dataset, or a tree. */
  readonly score: Readonly<Record<PropensityTerms, number>>;
  readonly regression: (regression: Pick<OpenedRegression, 'terms'>) => number;
  /** About all of it. */
  readonly total: number;
}

/** What the steps of utility take of a table and so many datasets. */
export function utilityWork(
  { schema, rows, records }: Pick<CountedRows, 'schema' | 'rows' | 'records'>,
  datasets: number,
  { settings, synthesized, patterns }: Pick<OpenedUtility, 'settings' | 'synthesized' | 'patterns'>,
  regressions: readonly Pick<OpenedRegression, 'terms'>[],
): UtilityWork {
  const variables = schema.variables.length;
  const sources = 1 + datasets;
  // Rows of which some record is among those drawn.
  const fitted = records > settings.records ? rows * (1 - exp(-settings.records / rows)) : rows;
  const ofRegression = (...of: Parameters<typeof regressionWork>) => MULTIPLICATION * regressionWork(...of);
  const ofScore = (terms: 'main' | 'pairs') => {
    const sets = propensityTerms(variables, terms);
    const coefficients = designCount(schema, sets);
    if (coefficients > MOST_PROPENSITY_COEFFICIENTS) return 0;
    return ofRegression(2 * fitted, sets.length, coefficients, coefficients <= MOST_FACTORIZED);
  };
  const table = TABLE_ROW * sources * rows;
  const association = PAIR_ROW * rows;
  const pattern = PATTERN_ROW * sources * rows * (patterns?.by.length ?? 0);
  const tree = TREE_VALUE * 2 * Math.min(records, settings.records, MOST_TREE_RECORDS) * variables;
  const score = { main: ofScore('main'), pairs: ofScore('pairs'), tree };
  // Fitted to all records and to those that are not held out, of the table and of each dataset.
  const regression = ({ terms }: Pick<OpenedRegression, 'terms'>) =>
    2 * sources * ofRegression(fitted, terms.length, designCount(schema, terms));
  const tables = [...new Set(settings.ways)].reduce((sum, way) => sum + tablesCompared(variables, new Set(synthesized), way), 0);
  const scores = [...new Set(settings.propensity)].map(
    (terms) => score[terms] * (datasets + (terms === 'tree' ? settings.permutations : 0)),
  );
  const total = [
    table * tables,
    association * sources * ((variables * (variables - 1)) / 2),
    pattern * (patterns?.of.length ?? 0),
    ...scores,
    ...regressions.map(regression),
  ].reduce((sum, part) => sum + part, 0);
  return { table, association, pattern, score, regression, total };
}
