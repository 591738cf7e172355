import type { ComparedTable, UtilitySummary } from '../contracts/results/utility.ts';
import { lgamma } from '../numeric/gamma-function.ts';
import { exp, log, log1p } from '../numeric/portable-math.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { studentHalfWidth } from '../numeric/student-t.ts';
import type { CountedRows } from '../table/counted-rows.ts';
import { compareCells, countCells } from './cell-counts.ts';

type TablesSummary = UtilitySummary['tables'][number];

/** Tables of one number of variables that are compared at most; of more they are taken at even distances. */
const MOST_TABLES = 1_000;

/** Sets of so many of some elements. */
function choose(elements: number, size: number): number {
  let sets = 1;
  for (let k = 0; k < size; k++) sets *= (elements - k) / (size - k);
  return sets;
}

/** Tables of a number of variables of which at least one is synthesized. */
const tablesInAll = (variables: number, synthesized: ReadonlySet<number>, way: number) =>
  Math.round(choose(variables, way) - choose(variables - synthesized.size, way));

/** Those of them that are compared. */
export const tablesCompared = (...of: Parameters<typeof tablesInAll>): number => Math.min(MOST_TABLES, tablesInAll(...of));

/** Tables of one number of variables that are compared. */
export interface ChosenTables {
  readonly way: number;
  /** The variables of each. */
  readonly sets: readonly (readonly number[])[];
  /** Those that could be compared. */
  readonly inAll: number;
}

/** The tables of a number of variables of which at least one is synthesized, at most {@link MOST_TABLES}. */
export function chooseTables(variables: number, synthesized: ReadonlySet<number>, way: number): ChosenTables {
  const inAll = tablesInAll(variables, synthesized, way);
  const count = Math.min(MOST_TABLES, inAll);
  const synthesizedFrom = new Uint32Array(variables + 1);
  for (let v = variables - 1; v >= 0; v--) synthesizedFrom[v] = synthesizedFrom[v + 1]! + Number(synthesized.has(v));
  /** Sets of variables from one on that belong to a table: of any, where one is chosen that is synthesized. */
  const setsFrom = (first: number, size: number, any: boolean): number => {
    const left = variables - first;
    return Math.round(choose(left, size) - (any ? 0 : choose(left - synthesizedFrom[first]!, size)));
  };
  // Found by its place in lexicographic order: of many variables there are more sets than anybody can go through.
  const setAt = (place: number): number[] => {
    const set: number[] = [];
    let [before, any] = [place, false];
    for (let v = 0; set.length < way; v++) {
      const withThis = setsFrom(v + 1, way - set.length - 1, any || synthesized.has(v));
      if (before < withThis) {
        set.push(v);
        any ||= synthesized.has(v);
      } else before -= withThis;
    }
    return set;
  };
  return { way, sets: Array.from({ length: count }, (_, k) => setAt(Math.floor((k * inAll) / count))), inAll };
}

/** Compares one table of counts with those of the datasets, brought to the size of the table where they have another. */
export function compareTable(
  table: CountedRows,
  datasets: readonly CountedRows[],
  variables: readonly number[],
  kind: 'full' | 'partial',
): ComparedTable {
  const counts = countCells(table, variables);
  let expected: number | null = null;
  if (kind === 'full') {
    let sum = 0;
    compareCells(counts, counts, (own) => {
      sum += binomialDeviation(table.records, own / table.records);
    });
    expected = sum;
  }
  const deviations = datasets.map((dataset) => {
    const scale = table.records / dataset.records;
    let sum = 0;
    compareCells(counts, countCells(dataset, variables), (own, other) => {
      sum += Math.abs(own - scale * other);
    });
    return sum;
  });
  return { variables: [...variables], deviations, expected };
}

/**
 * Mean absolute deviation of a binomial count from its expectation, exactly (de Moivre): 2 v C(n, v) p^v (1-p)^(n-v+1)
 * with v = floor(n p) + 1.
 */
export function binomialDeviation(n: number, p: number): number {
  if (p <= 0 || p >= 1) return 0;
  const v = Math.floor(n * p) + 1;
  const choose = lgamma(n + 1) - lgamma(v + 1) - lgamma(n - v + 1);
  return 2 * v * exp(choose + v * log(p) + (n - v + 1) * log1p(-p));
}

/**
 * Puts tables of the same number of variables together (Hu & Savitsky 2018, section 3.1).
 *
 * @param records of the table
 */
export function summarizeTables(way: number, compared: readonly ComparedTable[], inAll: number, records: number): TablesSummary {
  const tables = compared.length;
  const datasets = compared[0]!.deviations.length;
  const means = Array.from({ length: datasets }, (_, l) => compared.reduce((sum, { deviations }) => sum + deviations[l]!, 0) / tables);
  const mean = means.reduce((sum, one) => sum + one, 0) / datasets;
  const half = datasets < 2 ? null : (standardDeviation(means) / Math.sqrt(datasets)) * studentHalfWidth(datasets - 1);
  const largest = compared.reduce((most, { deviations }) => Math.max(most, ...deviations), 0);
  const drawn = compared[0]!.expected !== null;
  const expected = compared.reduce((sum, table) => sum + (table.expected ?? 0), 0) / tables;
  return {
    way,
    tables,
    tablesInAll: inAll,
    sumAbsoluteDeviation: mean * tables,
    meanAbsoluteDeviation: mean,
    maxAbsoluteDeviation: largest,
    low: half === null ? null : mean - half,
    high: half === null ? null : mean + half,
    ...(half === null ? { reason: 'one dataset does not tell how datasets differ' } : {}),
    totalVariation: mean / (2 * records),
    totalVariationByDataset: means.map((one) => one / (2 * records)),
    expected: drawn ? expected : null,
    ...(drawn ? {} : { expectedReason: 'some variables are kept: what chance alone gives is the maximum of `inherent`' }),
  };
}
