import { factorizeSemidefinite, whiten } from '../numeric/semidefinite.ts';
import type { CountedRows } from '../table/counted-rows.ts';
import type { Column } from '../table/table.ts';
import { addCrossProducts, type Design, designCount, openDesign, times } from './regression/design.ts';
import { fitLogistic, logistic } from './regression/logistic.ts';

/** Coefficients of a propensity score at most: its matrices take their square, and their factors their cube. */
export const MOST_PROPENSITY_COEFFICIENTS = 1_200;

/** How far a dataset can be told from its table. */
export interface PropensityScore {
  /** Mean squared distance of propensity scores from the dataset's share of the records (Hornby & Hu 2021, eq. 6). */
  readonly pmse: number;
  /** What it is expected to be where the dataset is drawn from the model that is fitted, with the table's estimates. */
  readonly expected: number;
  /** How far chance makes that of one dataset vary; null where that is not known. */
  readonly expectedDeviation: number | null;
  /** The distance by its expectation: 1 where nothing but chance tells them apart. */
  readonly ratio: number | null;
  /** How many standard deviations it is above what is expected. */
  readonly standardized: number | null;
  /** The same three by the formula of Snoke et al. (2018), also where variables are kept; null for trees. */
  readonly expectedFormula: number | null;
  readonly ratioFormula: number | null;
  readonly standardizedFormula: number | null;
}

/** What a distance is expected to be, and how far that varies; null where the deviation is not known. */
export interface Expectation {
  readonly mean: number;
  readonly deviation: number | null;
}

/** Propensity score utility, or why there is none. */
export type FoundPropensity =
  | { readonly coefficients: number; readonly formulaCoefficients: number; readonly score: PropensityScore }
  | { readonly coefficients: number; readonly score: null; readonly reason: string };

/** What a propensity score is fitted on: every variable by itself, and with `pairs` the products of every two. */
export function propensityTerms(variables: number, terms: 'main' | 'pairs'): number[][] {
  const mains = Array.from({ length: variables }, (_, v) => [v]);
  if (terms === 'main') return mains;
  return [...mains, ...mains.flatMap(([a], place) => mains.slice(place + 1).map(([b]) => [a!, b!]))];
}

/**
 * Propensity score utility of a dataset by logistic regression (Hornby & Hu 2021, eq. 6; Snoke et al. 2018). By formula its expectation is
 * q (1 - c)^2 c / N, for N records, a share c of the dataset's, and q coefficients, and its standard deviation
 * sqrt(2 q) (1 - c)^2 c / N: q is k - 1 of k estimated ones where all variables are synthesized, and where some are kept
 * those that are estimated beside the kept ones' own, which tell nothing apart. Where some are kept, row i of the dataset
 * belongs to record i as well, and `expected` is found from what the rows differ by ({@link pairedNull}).
 *
 * @param synthesized indices of the synthesized variables
 */
export function propensityUtility(
  table: CountedRows,
  dataset: CountedRows,
  terms: 'main' | 'pairs',
  synthesized: readonly number[],
): FoundPropensity {
  const sets = propensityTerms(table.columns.length, terms);
  const coefficients = designCount(table.schema, sets);
  if (coefficients > MOST_PROPENSITY_COEFFICIENTS) {
    const reason = `${coefficients} coefficients: at most ${MOST_PROPENSITY_COEFFICIENTS} are fitted; merge categories, or leave a variable out`;
    return { coefficients, score: null, reason };
  }
  const [own, other] = standardized(table, dataset);
  const columns = openDesign(table.schema, sets);
  const first = columns.of(own, table.rows);
  const second = columns.of(other, dataset.rows);
  const fit = fitLogistic([
    { design: first, counts: table.counts, successes: new Float64Array(table.rows) },
    { design: second, counts: dataset.counts, successes: dataset.counts },
  ]);
  const records = table.records + dataset.records;
  const share = dataset.records / records;
  let squares = 0;
  for (const [design, { counts }] of [
    [first, table],
    [second, dataset],
  ] as const) {
    const linear = times(design, fit.coefficients);
    for (let row = 0; row < linear.length; row++) {
      const distance = logistic(linear[row]!) - share;
      squares += counts[row]! * distance * distance;
    }
  }
  const unit = ((1 - share) * (1 - share) * share) / records;
  const kept = sets.filter((set) => !set.some((v) => synthesized.includes(v)));
  const formulaCoefficients = fit.rank - rankOf(openDesign(table.schema, kept).of(own, table.rows));
  const byFormula = { mean: formulaCoefficients * unit, deviation: Math.sqrt(2 * formulaCoefficients) * unit };
  const expected = kept.length === 0 ? byFormula : pairedNull(first, second);
  return { coefficients: fit.rank, formulaCoefficients, score: scoreOf(squares / records, expected, byFormula) };
}

/** A distance beside what it is expected to be, and by formula where there is one; null where nothing varies. */
export function scoreOf(pmse: number, expected: Expectation, byFormula: Expectation | null): PropensityScore {
  const ratio = ({ mean }: Expectation) => (mean > 0 ? pmse / mean : null);
  const standardized = ({ mean, deviation }: Expectation) => (deviation !== null && deviation > 0 ? (pmse - mean) / deviation : null);
  return {
    pmse,
    expected: expected.mean,
    expectedDeviation: expected.deviation,
    ratio: ratio(expected),
    standardized: standardized(expected),
    expectedFormula: byFormula?.mean ?? null,
    ratioFormula: byFormula && ratio(byFormula),
    standardizedFormula: byFormula && standardized(byFormula),
  };
}

/** Columns of a design that do not depend on others. */
function rankOf(design: Design): number {
  const squares = new Float64Array(design.count * design.count);
  addCrossProducts(design, new Float64Array(design.rows).fill(1), squares);
  return factorizeSemidefinite(squares, design.count).rank;
}

/**
 * Mean and standard deviation of the distance where each record may swap its label with its own row in the dataset, to
 * first order in the scores: with X the rows of both, d_i what those of record i differ by, A = (X^T X)^-1 and D^T D the
 * sum of d_i d_i^T, the sum of squares has the mean tr(A D^T D) / 4. The dataset alone is drawn and the table is as it is,
 * so that half of that remains, as in the formula of full synthesis.
 */
function pairedNull(table: Design, dataset: Design): Expectation {
  const n = table.count;
  const all = new Float64Array(n * n);
  for (const design of [table, dataset]) {
    addCrossProducts(design, new Float64Array(design.rows).fill(1), all);
  }
  const system = factorizeSemidefinite(all, n);
  const differences = differencesOf(table, dataset);
  const matrix = new Float64Array(n * n);
  addCrossProducts(differences, new Float64Array(differences.rows).fill(1), matrix);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) matrix[j * n + i] = matrix[i * n + j]!;
  whiten(system, matrix);
  let [trace, squares] = [0, 0];
  for (let i = 0; i < n; i++) trace += matrix[i * n + i]!;
  for (const value of matrix) squares += value * value;
  const records = table.rows + dataset.rows;
  // Of a quadratic form of signs the variance is twice the sum of squares, less what one record contributes by itself.
  return { mean: trace / (8 * records), deviation: Math.sqrt(2 * squares) / (8 * records) };
}

/** Rows of the dataset less those of the table, without what is the same. */
function differencesOf(table: Design, dataset: Design): Design {
  const starts = new Uint32Array(table.rows + 1);
  const indices: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < table.rows; row++) {
    let [a, b] = [table.starts[row]!, dataset.starts[row]!];
    const [endA, endB] = [table.starts[row + 1]!, dataset.starts[row + 1]!];
    while (a < endA || b < endB) {
      const ofTable = a < endA ? table.indices[a]! : Infinity;
      const ofDataset = b < endB ? dataset.indices[b]! : Infinity;
      const index = Math.min(ofTable, ofDataset);
      let value = 0;
      if (ofDataset === index) value += dataset.values === null ? 1 : dataset.values[b]!;
      if (ofTable === index) value -= table.values === null ? 1 : table.values[a]!;
      if (ofDataset === index) b++;
      if (ofTable === index) a++;
      if (value === 0) continue;
      indices.push(index);
      values.push(value);
    }
    starts[row + 1] = indices.length;
  }
  return { rows: table.rows, count: table.count, starts, indices: Uint32Array.from(indices), values: Float64Array.from(values) };
}

/** Columns of both with continuous variables of mean 0 and variance 1 over both together, which changes no score. */
function standardized(table: CountedRows, dataset: CountedRows): [Column[], Column[]] {
  const pairs = table.columns.map((column, v): [Column, Column] => {
    const other = dataset.columns[v]!;
    if (column.type === 'categorical' || other.type === 'categorical') return [column, other];
    const parts = [
      { values: column.values, counts: table.counts },
      { values: other.values, counts: dataset.counts },
    ];
    const mean = weightedMean(parts, (value) => value);
    const deviation = Math.sqrt(weightedMean(parts, (value) => (value - mean) * (value - mean)));
    const [first, second] = parts.map(({ values }) => values.map((value) => (deviation > 0 ? (value - mean) / deviation : 0)));
    return [
      { type: 'continuous', values: first! },
      { type: 'continuous', values: second! },
    ];
  });
  return [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
}

function weightedMean(
  parts: readonly { readonly values: Float64Array; readonly counts: Float64Array }[],
  of: (value: number) => number,
): number {
  let [sum, records] = [0, 0];
  for (const { values, counts } of parts) {
    for (let row = 0; row < values.length; row++) {
      sum += counts[row]! * of(values[row]!);
      records += counts[row]!;
    }
  }
  return sum / records;
}
