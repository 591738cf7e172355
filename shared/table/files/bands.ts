/**
 * The bands that breaks divide numbers into, each with its lower end and without its upper one, the last without end:
 * `[0,18)`, `[18,65)`, `[65,Inf)`, as R's `cut(right = FALSE)` writes them. What lies below the first break is in none.
 *
 * @param breaks increasing
 */
export function bandLabels(breaks: readonly number[]): string[] {
  return breaks.map((from, band) => `[${from},${breaks[band + 1] ?? 'Inf'})`);
}

/** The band (from 0) of a number; -1 below the first break. */
export function bandOf(breaks: readonly number[], value: number): number {
  return breaks.findLastIndex((from) => value >= from);
}
