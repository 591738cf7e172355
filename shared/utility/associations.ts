import type { UtilitySummary } from '../contracts/results/utility.ts';
import type { CountedRows } from '../table/counted-rows.ts';
import { countCells, sizesOf, visitCells } from './cell-counts.ts';
import { codesOf, valuesOf } from './regression/column-of.ts';

/**
 * Association of two variables, from 0 to 1: Cramér's V of two categorical ones, the correlation ratio of a categorical and
 * a continuous one; of two continuous ones Pearson's correlation, from -1. Null where one of them has one value.
 */
export function association(rows: CountedRows, first: number, second: number): number | null {
  const [a, b] = [first, second].map((variable) => rows.columns[variable]!.type === 'categorical');
  if (a && b) return cramersV(rows, first, second);
  if (a) return correlationRatio(rows, first, valuesOf(rows, second));
  if (b) return correlationRatio(rows, second, valuesOf(rows, first));
  return correlation(rows.counts, valuesOf(rows, first), valuesOf(rows, second));
}

function cramersV(rows: CountedRows, first: number, second: number): number | null {
  const [rowSize, columnSize] = sizesOf(rows, [first, second]) as [number, number];
  const cells = countCells(rows, [first, second]);
  const rowCounts = new Float64Array(rowSize);
  const columnCounts = new Float64Array(columnSize);
  visitCells(cells, (cell, count) => {
    rowCounts[Math.floor(cell / columnSize)]! += count;
    columnCounts[cell % columnSize]! += count;
  });
  const least = Math.min(present(rowCounts), present(columnCounts));
  if (least < 2) return null;
  // Chi squared by n: the sum over cells of n_ij^2 / (n_i n_j), less 1.
  let sum = 0;
  visitCells(cells, (cell, count) => {
    sum += (count * count) / (rowCounts[Math.floor(cell / columnSize)]! * columnCounts[cell % columnSize]!);
  });
  return Math.sqrt(Math.max(0, sum - 1) / (least - 1));
}

/** Categories that some record has. */
const present = (counts: Float64Array) => counts.filter((count) => count > 0).length;

function meanOf(counts: Float64Array, values: Float64Array): number {
  let [sum, records] = [0, 0];
  for (let row = 0; row < counts.length; row++) {
    sum += counts[row]! * values[row]!;
    records += counts[row]!;
  }
  return sum / records;
}

function correlation(counts: Float64Array, x: Float64Array, y: Float64Array): number | null {
  const [meanX, meanY] = [meanOf(counts, x), meanOf(counts, y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let row = 0; row < counts.length; row++) {
    const [dx, dy] = [x[row]! - meanX, y[row]! - meanY];
    xy += counts[row]! * dx * dy;
    xx += counts[row]! * dx * dx;
    yy += counts[row]! * dy * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}

/** Root of the share of the variance that lies between categories. */
function correlationRatio(rows: CountedRows, variable: number, values: Float64Array): number | null {
  const [size] = sizesOf(rows, [variable]);
  const codes = codesOf(rows, variable);
  const mean = meanOf(rows.counts, values);
  const counts = new Float64Array(size!);
  const sums = new Float64Array(size!);
  let squares = 0;
  for (let row = 0; row < rows.rows; row++) {
    const distance = values[row]! - mean;
    counts[codes[row]!]! += rows.counts[row]!;
    sums[codes[row]!]! += rows.counts[row]! * distance;
    squares += rows.counts[row]! * distance * distance;
  }
  if (present(counts) < 2 || !(squares > 0)) return null;
  const between = sums.reduce((sum, one, k) => sum + (counts[k]! > 0 ? (one * one) / counts[k]! : 0), 0);
  return Math.sqrt(Math.min(1, between / squares));
}

/** The associations of a variable with those before it. */
export const associationsBefore = (rows: CountedRows, variable: number): (number | null)[] =>
  Array.from({ length: variable }, (_, other) => association(rows, variable, other));

/** The associations of every two variables, from those of each with the ones before it. */
export const associationMatrix = (before: readonly (number | null)[][]): (number | null)[][] =>
  before.map((_, i) => before.map((_, j) => (i === j ? 1 : before[Math.max(i, j)]![Math.min(i, j)]!)));

/** Compares the associations of a table with the mean of those of its datasets. */
export function compareAssociations(
  names: string[],
  original: (number | null)[][],
  datasets: readonly (number | null)[][][],
  synthesized: ReadonlySet<number>,
): UtilitySummary['associations'] {
  const synthetic = original.map((line, i) =>
    line.map((_, j) => {
      const values = datasets.map((matrix) => matrix[i]![j]!);
      if (values.some((value) => value === null)) return null;
      return values.reduce((sum: number, value) => sum + value!, 0) / values.length;
    }),
  );
  let [sum, pairs, most] = [0, 0, -1];
  let mostChanged: string[] | null = null;
  for (let i = 0; i < names.length; i++) {
    for (let j = 0; j < i; j++) {
      const [own, other] = [original[i]![j]!, synthetic[i]![j]!];
      if (!(synthesized.has(i) || synthesized.has(j)) || own === null || other === null) continue;
      const difference = Math.abs(own - other);
      sum += difference;
      pairs++;
      if (difference > most) {
        most = difference;
        mostChanged = [names[j]!, names[i]!];
      }
    }
  }
  return {
    variables: names,
    original,
    synthetic,
    meanAbsoluteDifference: pairs === 0 ? null : sum / pairs,
    maxAbsoluteDifference: pairs === 0 ? null : most,
    mostChanged,
  };
}
