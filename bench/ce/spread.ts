import { quantile } from '../../shared/numeric/quantile.ts';

/** What a box plot shows of some values, and their mean. */
export interface Spread {
  readonly mean: number;
  readonly smallest: number;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
  readonly largest: number;
}

/** The spread of some values, at least one. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  return {
    mean: meanOf(values),
    smallest: sorted[0]!,
    lower: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upper: quantile(sorted, 0.75),
    largest: sorted[sorted.length - 1]!,
  };
}

/** The mean of some values, at least one. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The index of the largest value; the first of equals. */
export function indexOfLargest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}
