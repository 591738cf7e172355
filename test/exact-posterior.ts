import { type CandidateSpace, candidateChanges } from '../shared/risk/intruder/candidate-space.ts';

/** Gamma-function logarithms at whole numbers: `LOG_FACTORIALS[n]` = log n!. */
const LOG_FACTORIALS = Float64Array.from({ length: 2_000 }, () => 0);
for (let n = 2; n < LOG_FACTORIALS.length; n++) {
  LOG_FACTORIALS[n] = LOG_FACTORIALS[n - 1]! + Math.log(n);
}

/** log of B(1 + n, alpha + rest) / B(1, alpha) = alpha n! / ((alpha + rest) ... (alpha + rest + n)). */
function logStick(n: number, rest: number, alpha: number): number {
  let value = Math.log(alpha) + LOG_FACTORIALS[n]!;
  for (let i = 0; i <= n; i++) value -= Math.log(alpha + rest + i);
  return value;
}

/**
 * log probability of records in order under a DPMPM of one or two classes with a fixed concentration, all
 * parameters integrated out: a sum over every allocation of Dirichlet-multinomial and stick terms.
 *
 * @param codes records x columns; two classes take time 2^records
 * @param columns the variable of each column: a record has one class, and columns of one variable share its phi
 */
export function logMarginal(
  codes: ArrayLike<number>,
  sizes: readonly number[],
  classes: 1 | 2,
  alpha: number,
  columns: readonly number[] = [...sizes.keys()],
): number {
  const width = columns.length;
  const records = codes.length / width;
  const allocations = classes ** records;
  // Where the counts of each variable begin, those of the second class after all of the first.
  const starts = sizes.map((_, k) => sizes.slice(0, k).reduce((sum, size) => sum + size, 0));
  const cells = sizes.reduce((sum, size) => sum + size, 0);
  const shares = sizes.map((_, k) => columns.filter((variable) => variable === k).length);
  const places = Int32Array.from(codes, (code, at) => starts[columns[at % width]!]! + code);
  const counts = new Int32Array(classes * cells);
  const logs = new Float64Array(allocations);
  for (let allocation = 0; allocation < allocations; allocation++) {
    counts.fill(0);
    let second = 0;
    for (let i = 0; i < records; i++) {
      const own = classes === 1 ? 0 : (allocation >> i) & 1;
      second += own;
      for (let at = i * width; at < (i + 1) * width; at++) counts[own * cells + places[at]!]!++;
    }
    const members = [records - second, second];
    let value = classes === 2 ? logStick(members[0]!, members[1]!, alpha) : 0;
    for (let f = 0; f < classes; f++) {
      for (let k = 0; k < sizes.length; k++) {
        value += LOG_FACTORIALS[sizes[k]! - 1]! - LOG_FACTORIALS[sizes[k]! - 1 + members[f]! * shares[k]!]!;
      }
    }
    for (const count of counts) value += LOG_FACTORIALS[count]!;
    logs[allocation] = value;
  }
  return logSum(logs);
}

function logSum(logs: ArrayLike<number>): number {
  const values = Array.from(logs);
  const largest = Math.max(...values);
  return largest + Math.log(values.reduce((sum, value) => sum + Math.exp(value - largest), 0));
}

/** A table, its datasets and its candidates. */
export interface Release {
  /** records x variables. */
  readonly codes: Uint16Array;
  readonly datasets: readonly Uint16Array[];
  readonly space: CandidateSpace;
}

/** The table with one record replaced by a candidate. */
export function replaced({ codes, space }: Release, record: number, candidate: number): Uint16Array {
  const variables = space.sizes.length;
  const result = codes.slice();
  const row = codes.subarray(record * variables, (record + 1) * variables);
  for (const { variable, code } of candidateChanges(space, row, candidate)) {
    result[record * variables + variable] = code;
  }
  return result;
}

/**
 * Exact log P(Z | D_i^x) of each candidate x of a record, when each dataset comes from a draw of its own from
 * the posterior: the sum over datasets of log P(D_i^x, Z(l)) - log P(D_i^x).
 */
export function exactLogLikelihoods(release: Release, record: number, classes: 1 | 2, alpha: number): Float64Array {
  const { datasets, space } = release;
  return Float64Array.from({ length: space.perCombination }, (_, candidate) => {
    const table = replaced(release, record, candidate);
    const alone = logMarginal(table, space.sizes, classes, alpha);
    return datasets.reduce((sum, dataset) => sum + logMarginal([...table, ...dataset], space.sizes, classes, alpha) - alone, 0);
  });
}

/** Rows of two tables put beside each other: records x (columns of the first, then of the second). */
export function besideEachOther(first: Uint16Array, firstColumns: number, second: Uint16Array, secondColumns: number): Uint16Array {
  const records = first.length / firstColumns;
  const columns = firstColumns + secondColumns;
  const rows = new Uint16Array(records * columns);
  for (let i = 0; i < records; i++) {
    rows.set(first.subarray(i * firstColumns, (i + 1) * firstColumns), i * columns);
    rows.set(second.subarray(i * secondColumns, (i + 1) * secondColumns), i * columns + firstColumns);
  }
  return rows;
}

/**
 * The same when the datasets keep some variables and every record of them draws the others from its own class:
 * the sum over datasets of log P(D_i^x, Z(l)) - log P(D_i^x), where a record and its synthetic values have one class.
 *
 * @param release whose datasets are the synthesized variables alone: records x synthesized
 * @param synthesized those variables; candidates leave the others as they are
 */
export function exactPartialLogLikelihoods(
  release: Release,
  synthesized: readonly number[],
  record: number,
  classes: 1 | 2,
  alpha: number,
): Float64Array {
  const { datasets, space } = release;
  const { sizes } = space;
  const columns = [...sizes.keys(), ...synthesized];
  return Float64Array.from({ length: space.perCombination }, (_, candidate) => {
    const table = replaced(release, record, candidate);
    const alone = logMarginal(table, sizes, classes, alpha);
    return datasets.reduce((sum, dataset) => {
      const both = besideEachOther(table, sizes.length, dataset, synthesized.length);
      return sum + logMarginal(both, sizes, classes, alpha, columns) - alone;
    }, 0);
  });
}

/** Probabilities from log-likelihoods under a uniform prior. */
export function normalized(logLikelihoods: Float64Array): Float64Array {
  const total = logSum([...logLikelihoods]);
  return logLikelihoods.map((value) => Math.exp(value - total));
}

/** Rank of the first value among all, 1 = largest, ties (to rounding) at their mean. */
export function rankOfFirst(values: Float64Array): number {
  const own = values[0]!;
  const tied = (value: number) => Math.abs(value - own) < 1e-9;
  const larger = values.filter((value) => value > own && !tied(value)).length;
  return 1 + larger + (values.filter(tied).length - 1) / 2;
}

/**
 * Exact log P(Z | D_i^x) of candidates x of a record with one class, up to what all share: phi of each variable is
 * Dirichlet(1 + counts), whose E[phi_x / phi_own] is (1 + n_x) / n_own, with the datasets' values counted or without. So it
 * is known for tables of any size, and with missing values (codes past the last category), which count nothing.
 *
 * @param datasets records x variables each
 * @param variables those whose values in the datasets tell something: all, or the synthesized ones
 * @param row own values of the record, among those of the table
 * @param candidates values in its place
 */
export function oneClassLogLikelihoods(
  { codes, sizes }: { readonly codes: Uint16Array; readonly sizes: readonly number[] },
  datasets: readonly Uint16Array[],
  variables: readonly number[],
  row: readonly number[],
  candidates: readonly (readonly number[])[],
): Float64Array {
  const width = sizes.length;
  const countsOf = (rows: Uint16Array) => {
    const counts = sizes.map((size) => new Array<number>(size + 1).fill(0));
    for (const [at, code] of rows.entries()) counts[at % width]![code]!++;
    return counts;
  };
  const table = countsOf(codes);
  const released = datasets.map(countsOf);
  return Float64Array.from(candidates, (candidate) => {
    let sum = 0;
    for (const k of variables) {
      const [own, other] = [row[k]!, candidate[k]!];
      if (own === other) continue;
      const [ofOwn, ofOther] = [table[k]![own]!, table[k]![other]!];
      for (const dataset of released) {
        sum += Math.log((1 + ofOther + dataset[k]![other]!) / (ofOwn + dataset[k]![own]!));
        sum -= Math.log((1 + ofOther) / ofOwn);
      }
    }
    return sum;
  });
}

/** The row itself, and then all that differ from it in one value that it has. */
export function oneChange(row: readonly number[], sizes: readonly number[]): number[][] {
  const others = sizes.flatMap((size, k) =>
    row[k] === size ? [] : [...Array(size).keys()].filter((code) => code !== row[k]).map((code) => row.with(k, code)),
  );
  return [[...row], ...others];
}

/** The row itself, and then all others that agree with it outside some variables. */
export function allValues(row: readonly number[], sizes: readonly number[], unknown: readonly number[]): number[][] {
  const rows = unknown.reduce<number[][]>(
    (some, k) => some.flatMap((one) => Array.from({ length: sizes[k]! }, (_, code) => one.with(k, code))),
    [[...row]],
  );
  return [[...row], ...rows.filter((other) => other.some((code, k) => code !== row[k]))];
}
