import type { Difference, MaskedUtility } from '../contracts/results/masking.ts';
import { independentPlaces, inverse } from '../numeric/cholesky.ts';
import { quantile } from '../numeric/quantile.ts';
import { meanRanks } from '../numeric/rank-correlation.ts';
import { standardDeviation } from '../numeric/spread.ts';
import type { Table } from '../table/table.ts';
import { meanOf } from './standardized-points.ts';

const TOO_FEW = 'there are fewer than two records';
const CONSTANT = 'a variable is constant';

/** Columns as they were and as they are masked, row by row the same records. */
export interface ColumnPair {
  readonly original: Float64Array;
  readonly masked: Float64Array;
}

/** A figure, or why there is none. */
type LossFigure = { readonly percent: number; readonly reason?: undefined } | { readonly percent: null; readonly reason: string };

/**
 * Sum of squared differences between original and masked values over the sum of squares about the means, of standardized
 * variables, in percent: SSE over SST of microaggregation where the mean stands for a group (Domingo-Ferrer and
 * Mateo-Sanz 2002, section 2).
 *
 * @param pairs at least one
 */
export function informationLoss(pairs: readonly ColumnPair[]): LossFigure {
  if (pairs.length === 0) return { percent: null, reason: 'no continuous variable was masked' };
  if (pairs[0]!.original.length < 2) return { percent: null, reason: TOO_FEW };
  let sum = 0;
  for (const { original, masked } of pairs) {
    const mean = meanOf(original);
    let [error, total] = [0, 0];
    for (let i = 0; i < original.length; i++) {
      error += (original[i]! - masked[i]!) * (original[i]! - masked[i]!);
      total += (original[i]! - mean) * (original[i]! - mean);
    }
    if (total === 0) return { percent: null, reason: CONSTANT };
    sum += error / total;
  }
  return { percent: (100 * sum) / pairs.length };
}

/**
 * How far means, covariances, correlations, rank correlations and regressions of masked records are from those of the
 * original ones. All are in units of the original standard deviations, so that variables can be compared.
 */
export function maskedUtility(pairs: readonly ColumnPair[]): MaskedUtility {
  const none = (reason: string): MaskedUtility => {
    const no = undefinedFor(reason);
    return { means: no, covariances: no, correlations: no, rankCorrelations: no, regressions: no };
  };
  if (pairs.length === 0) return none('no continuous variable was masked');
  if (pairs[0]!.original.length < 2) return none(TOO_FEW);
  const scales = pairs.map(({ original }) => standardDeviation(original));
  if (scales.some((scale) => !(scale > 0))) return none(CONSTANT);
  const scaled = (side: keyof ColumnPair) => pairs.map((pair, v) => pair[side].map((value) => value / scales[v]!));
  const [original, masked] = [scaled('original'), scaled('masked')];
  const [before, after] = [covariances(original), covariances(masked)];
  const pairwise = pairs.length < 2 ? undefinedFor('one variable has no correlation') : null;
  return {
    means: differences(original.map(meanOf), masked.map(meanOf)),
    covariances: differences(lower(before), lower(after)),
    correlations: pairwise ?? correlationDifference(before, after),
    rankCorrelations: pairwise ?? rankDifference(original, masked),
    regressions: pairwise ?? regressionDifference(before, after, original[0]!.length),
  };
}

const undefinedFor = (reason: string): Difference => ({ mean: null, largest: null, reason });

function differences(before: ArrayLike<number>, after: ArrayLike<number>): Difference {
  let [sum, largest] = [0, 0];
  for (let i = 0; i < before.length; i++) {
    const difference = Math.abs(before[i]! - after[i]!);
    sum += difference;
    largest = Math.max(largest, difference);
  }
  return { mean: sum / before.length, largest };
}

type Matrix = readonly Float64Array[];

function covariances(columns: readonly Float64Array[]): Matrix {
  const centred = columns.map((values) => {
    const mean = meanOf(values);
    return values.map((value) => value - mean);
  });
  return centred.map((a) =>
    Float64Array.from(centred, (b) => {
      let sum = 0;
      for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
      return sum / (a.length - 1);
    }),
  );
}

const flat = (matrix: Matrix) => Float64Array.from(matrix.flatMap((row) => [...row]));

/** The lower triangle, row after row. */
const lower = (matrix: Matrix, diagonal = true) => matrix.flatMap((row, v) => [...row.subarray(0, diagonal ? v + 1 : v)]);

function correlationDifference(before: Matrix, after: Matrix): Difference {
  const correlationsOf = (matrix: Matrix) =>
    lower(
      matrix.map((row, v) => row.map((value, w) => value / Math.sqrt(matrix[v]![v]! * matrix[w]![w]!))),
      false,
    );
  if (after.some((row, v) => !(row[v]! > 0))) return undefinedFor(CONSTANT);
  return differences(correlationsOf(before), correlationsOf(after));
}

function rankDifference(original: readonly Float64Array[], masked: readonly Float64Array[]): Difference {
  const ranks = (columns: readonly Float64Array[]) => covariances(columns.map(meanRanks));
  return correlationDifference(ranks(original), ranks(masked));
}

/** Slopes of each variable on all others, from the inverse of the covariances; null where that cannot be found. */
function slopes(matrix: Matrix): number[] | null {
  const n = matrix.length;
  let precision: Float64Array;
  try {
    precision = inverse(flat(matrix), n);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  const found: number[] = [];
  for (let v = 0; v < n; v++) for (let w = 0; w < n; w++) if (w !== v) found.push(-precision[v * n + w]! / precision[v * n + v]!);
  return found;
}

/** Of the variables that others do not determine in the original records: there alone slopes are defined. */
function regressionDifference(before: Matrix, after: Matrix, records: number): Difference {
  if (records <= before.length) return undefinedFor('there are no more records than variables');
  const kept = independentPlaces(flat(before), before.length);
  if (kept.length < 2) return undefinedFor('all variables are determined by one');
  const among = (matrix: Matrix) => kept.map((v) => Float64Array.from(kept, (w) => matrix[v]![w]!));
  const [original, masked] = [slopes(among(before)), slopes(among(after))];
  if (original === null || masked === null) return undefinedFor('a masked variable is determined by the others');
  return differences(original, masked);
}

/** Parts that a continuous variable is cut into. */
const QUARTERS = 4;

/** The records (from 0) in each category, or quarter, of a variable; may be none. */
type Subdomains = { readonly variable: number; readonly domains: readonly Uint32Array[] };

/**
 * The records in each category of a categorical variable, or in each quarter of a continuous one, cut at its quartiles:
 * Winkler (2004, section 4) warns that masking which keeps the analyses of a whole file may not keep those of its parts.
 */
export function subdomainsOf(table: Table, variable: number): Subdomains {
  const column = table.columns[variable]!;
  const kind = table.schema.variables[variable]!;
  if (column.type === 'categorical' && kind.type === 'categorical') {
    return { variable, domains: kind.categories.map((_, category) => recordsWhere(column.codes, (code) => code === category)) };
  }
  if (column.type !== 'continuous') throw new RangeError('a column is not of its variable');
  const sorted = column.values.toSorted();
  const cuts = Array.from({ length: QUARTERS - 1 }, (_, q) => quantile(sorted, (q + 1) / QUARTERS));
  const quarterOf = (value: number) => cuts.filter((cut) => value > cut).length;
  return {
    variable,
    domains: Array.from({ length: QUARTERS }, (_, quarter) => recordsWhere(column.values, (value) => quarterOf(value) === quarter)),
  };
}

function recordsWhere(values: ArrayLike<number>, holds: (value: number) => boolean): Uint32Array {
  const records: number[] = [];
  for (let record = 0; record < values.length; record++) if (holds(values[record]!)) records.push(record);
  return Uint32Array.from(records);
}
