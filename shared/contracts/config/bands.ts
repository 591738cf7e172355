import * as z from 'zod';

/** The bands that increasing breaks divide numbers into, as R's `cut(right = FALSE)` writes them: `[0,18)`, `[18,65)`, `[65,Inf)`. */
export const bandLabels = (breaks: readonly number[]): string[] => breaks.map((from, band) => `[${from},${breaks[band + 1] ?? 'Inf'})`);

/** The band (from 0) of a number; -1 below the first break. */
export const bandOf = (breaks: readonly number[], value: number): number => breaks.findLastIndex((from) => value >= from);

/** What may be declared of a continuous variable whose value is guessed at: where bands begin, or the points of a grid. */
export const candidateValuesSchema = z.union([
  z.strictObject({ bands: z.array(z.number()).min(2, 'expected where each of two bands or more begins') }),
  z.strictObject({ grid: z.array(z.number()).min(2, 'expected two points or more') }),
]);

/** Bands that divide the values of a continuous variable for an intruder who guesses among them. */
export interface CandidateBands {
  /** Where each band begins, increasing; the last has no end. Of a grid the first is -Infinity. */
  readonly lower: readonly number[];
  readonly labels: readonly string[];
  /** The value that stands for each band; null where the table's values say (see `bandValues`). */
  readonly points: readonly number[] | null;
}

/** The bands between declared breaks, or of what is nearest to each point of a grid: at equal distances to the larger one. */
export function candidateBands(declared: z.infer<typeof candidateValuesSchema>): CandidateBands {
  if ('bands' in declared) return { lower: declared.bands, labels: bandLabels(declared.bands), points: null };
  const { grid } = declared;
  const lower = grid.map((point, k) => (k === 0 ? -Infinity : grid[k - 1]! / 2 + point / 2));
  return { lower, labels: grid.map(String), points: grid };
}
