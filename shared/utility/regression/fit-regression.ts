import { inverseDiagonal } from '../../numeric/semidefinite.ts';
import type { CountedRows } from '../../table/counted-rows.ts';
import { codesOf, valuesOf } from './column-of.ts';
import { type DesignColumns, openDesign, times } from './design.ts';
import { fitLinear } from './linear.ts';
import { fitLogistic, logistic } from './logistic.ts';
import type { OpenedRegression } from './open-regression.ts';
import { fitOrdered } from './ordered.ts';

/** One coefficient of a fitted regression; null with a reason where it has no estimate. */
export type Coefficient = { readonly estimate: number; readonly se: number } | { readonly estimate: null; readonly reason: string };

/** A regression fitted to some rows; without coefficients, with a reason, where it cannot be. */
export interface FittedRegression {
  readonly coefficients: readonly Coefficient[] | null;
  readonly reason?: string;
  /** Degrees of freedom of the residuals of a linear regression, Infinity for others. */
  readonly df: number;
  /** What is predicted of rows: a mean, a probability, or an expected category from 1; null where nothing is fitted. */
  readonly predict: ((rows: CountedRows) => Float64Array) | null;
  /** What another fit may begin with; null where some coefficient has no estimate. */
  readonly near: Float64Array | null;
}

/** Why coefficients have no estimate. */
const ALIASED = 'singular: it depends on the others, or nobody has it';
const SEPARATED = 'separation: the estimate is infinite';

/** A regression over a table's schema, to be fitted to any rows of it. */
export interface PreparedRegression {
  readonly opened: OpenedRegression;
  /** What the coefficients are called: terms, and of an ordered regression its thresholds, `1|2`. */
  readonly names: readonly string[];
  /** Fits it to rows; sooner if a fit to rows that are much alike is at hand, with the same result but for rounding. */
  fit(rows: CountedRows, alike?: FittedRegression): FittedRegression;
  /** What `predict` predicts: a number, 1 for the category and 0 for others, or the number of a category from 1. */
  responseOf(rows: CountedRows): Float64Array;
}

/** Prepares a regression for the rows of a schema. */
export function prepareRegression(opened: OpenedRegression, schema: CountedRows['schema']): PreparedRegression {
  const variable = schema.variables[opened.response]!;
  const categories = variable.type === 'categorical' ? variable.categories : [];
  const design = openDesign(schema, opened.terms, opened.family !== 'ordered');
  const thresholds = opened.family === 'ordered' ? categories.slice(1).map((name, k) => `${categories[k]}|${name}`) : [];
  const fits = { linear: fitNumbers, logistic: fitCategory, ordered: fitOrder };
  return {
    opened,
    names: [...design.names, ...thresholds],
    fit: (rows, alike) => fits[opened.family](opened, design, rows, categories.length, alike?.near ?? null),
    responseOf(rows) {
      if (opened.family === 'linear') return valuesOf(rows, opened.response);
      const codes = codesOf(rows, opened.response);
      return Float64Array.from(codes, (code) => (opened.family === 'ordered' ? code + 1 : code === opened.category ? 1 : 0));
    },
  };
}

const failed = (reason: string): FittedRegression => ({ coefficients: null, reason, df: Infinity, predict: null, near: null });

const ONE_VALUE = 'its response has one value';

function fitNumbers({ response }: OpenedRegression, columns: DesignColumns, rows: CountedRows): FittedRegression {
  const values = valuesOf(rows, response);
  if (values.every((value) => value === values[0])) return failed(ONE_VALUE);
  if (rows.records <= columns.names.length) return failed('it has as many coefficients as there are records');
  const fit = fitLinear(columns.of(rows.columns, rows.rows), rows.counts, values);
  return {
    coefficients: coefficientsOf(fit.coefficients, fit.standardErrors, fit.aliased, null),
    df: fit.df,
    predict: (other) => times(columns.of(other.columns, other.rows), fit.coefficients),
    near: null,
  };
}

function fitCategory(
  { response, category }: OpenedRegression,
  columns: DesignColumns,
  rows: CountedRows,
  _: number,
  near: Float64Array | null,
): FittedRegression {
  const codes = codesOf(rows, response);
  const successes = rows.counts.map((count, row) => (codes[row] === category ? count : 0));
  const ones = successes.reduce((sum, count) => sum + count, 0);
  if (ones === 0 || ones === rows.records) return failed(ONE_VALUE);
  const grouped = { design: columns.of(rows.columns, rows.rows), counts: rows.counts, successes };
  const fit = fitLogistic([grouped], true, near);
  const errors = inverseDiagonal(fit.information!).map(Math.sqrt);
  return {
    coefficients: coefficientsOf(fit.coefficients, errors, fit.aliased, fit.separated),
    df: Infinity,
    predict: (other) => times(columns.of(other.columns, other.rows), fit.coefficients).map(logistic),
    near: startOf(fit),
  };
}

function fitOrder(
  { response }: OpenedRegression,
  columns: DesignColumns,
  rows: CountedRows,
  categories: number,
  near: Float64Array | null,
): FittedRegression {
  const codes = codesOf(rows, response);
  const present = new Uint8Array(categories);
  for (const code of codes) present[code] = 1;
  if (present.some((one) => one === 0)) return failed('a category of its response has no record');
  const design = columns.of(rows.columns, rows.rows);
  const fit = fitOrdered(design, rows.counts, codes, categories, near);
  const slopes = fit.coefficients.subarray(0, design.count);
  const thresholds = fit.coefficients.subarray(design.count);
  return {
    coefficients: coefficientsOf(fit.coefficients, fit.standardErrors, fit.aliased, fit.separated),
    df: Infinity,
    // E[Y] = K - sum over k of P(Y <= k).
    predict: (other) =>
      times(columns.of(other.columns, other.rows), slopes).map((linear) =>
        thresholds.reduce((sum, threshold) => sum - logistic(threshold - linear), categories),
      ),
    near: startOf(fit),
  };
}

/** Far out, where some estimate is infinite, Newton's method would not find its way back. */
const startOf = (fit: { readonly coefficients: Float64Array; readonly separated: Uint8Array | null }): Float64Array | null =>
  fit.separated?.includes(1) === false ? fit.coefficients : null;

function coefficientsOf(estimates: Float64Array, errors: Float64Array, aliased: Uint8Array, separated: Uint8Array | null): Coefficient[] {
  return Array.from(estimates, (estimate, f) => {
    if (aliased[f] === 1) return { estimate: null, reason: ALIASED };
    // Where all weights vanish, so does the information.
    if (separated?.[f] === 1 || !(errors[f]! < Infinity)) return { estimate: null, reason: SEPARATED };
    return { estimate, se: errors[f]! };
  });
}
