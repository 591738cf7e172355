import type { Column, Table } from '../table/table.ts';
import { type FeatureRows, logisticProbabilities, meanSquareFromHalf } from './logistic-regression.ts';

/** Of the regression on pairs: some pairs of categories occur in no record, or in one of the two tables alone. */
const PAIR_RIDGE = 1;

/**
 * Propensity score utility of a synthetic dataset (004 eq. 6): mean squared distance from 1/2 of the probability that a
 * record is synthetic, by a logistic regression fitted to the table and the dataset together. 0 where they cannot be told
 * apart, 1/4 where they always can.
 *
 * @param dataset as many records as the table, of its schema
 * @param terms each variable by itself; or also the products of every two of them
 */
export function propensityUtility(table: Table, dataset: Table, terms: 'main' | 'pairs'): number {
  const rows = table.records + dataset.records;
  const weights = new Float64Array(rows).fill(1);
  const isSynthetic = new Uint8Array(rows).fill(1, table.records);
  const variables = table.schema.variables.map((variable, v) => {
    const columns = [table.columns[v]!, dataset.columns[v]!];
    return variable.type === 'categorical'
      ? indicators(columns, variable.categories.length, rows)
      : standardized(columns, rows);
  });
  const features = featureRows(rows, terms === 'main' ? variables : [...variables, ...products(variables)]);
  const ridge = terms === 'main' ? 0 : PAIR_RIDGE;
  return meanSquareFromHalf(logisticProbabilities(features, weights, isSynthetic, ridge), weights);
}

/** Features of which a row has at most one: its number, and its value, 0 for a row that has none. */
interface OneFeature {
  readonly count: number;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
}

/** One feature for each category but the first. */
function indicators(columns: readonly Column[], categories: number, rows: number): OneFeature {
  const indices = new Uint32Array(rows);
  const values = new Float64Array(rows);
  let row = 0;
  for (const column of columns) {
    if (column.type !== 'categorical') throw new RangeError('a categorical variable has codes');
    for (const code of column.codes) {
      indices[row] = Math.max(code, 1) - 1;
      values[row++] = code === 0 ? 0 : 1;
    }
  }
  return { count: categories - 1, indices, values };
}

/** One feature, of mean 0 and variance 1. */
function standardized(columns: readonly Column[], rows: number): OneFeature {
  const values = new Float64Array(rows);
  let row = 0;
  for (const column of columns) {
    if (column.type !== 'continuous') throw new RangeError('a continuous variable has values');
    values.set(column.values, row);
    row += column.values.length;
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / rows;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / rows);
  for (let i = 0; i < rows; i++) values[i] = (values[i]! - mean) / deviation;
  return { count: 1, indices: new Uint32Array(rows), values };
}

/** The products of every two variables. */
function products(variables: readonly OneFeature[]): OneFeature[] {
  return variables.flatMap((first, v) =>
    variables.slice(v + 1).map((second) => ({
      count: first.count * second.count,
      indices: first.indices.map((index, row) => index * second.count + second.indices[row]!),
      values: first.values.map((value, row) => value * second.values[row]!),
    })),
  );
}

/** An intercept and the features of all parts. */
function featureRows(rows: number, parts: readonly OneFeature[]): FeatureRows {
  const active = 1 + parts.length;
  const indices = new Uint32Array(rows * active);
  const values = new Float64Array(rows * active).fill(1);
  let count = 1;
  for (const [part, one] of parts.entries()) {
    for (let row = 0; row < rows; row++) {
      indices[row * active + part + 1] = count + one.indices[row]!;
      values[row * active + part + 1] = one.values[row]!;
    }
    count += one.count;
  }
  return { rows, active, count, indices, values };
}
