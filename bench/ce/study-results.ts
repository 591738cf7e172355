import type { ReadingMeasures, RuleName } from './measure-reading.ts';
import type { Reading } from './scenarios.ts';
import { indexOfLargest, meanOf } from './spread.ts';

/** What the study found; aggregates of the table alone. */
export interface StudyResults {
  readonly records: number;
  readonly measures: Readonly<Record<Reading, ReadingMeasures>>;
  /** Expected risk of the first scenario where income is drawn from its whole column, by the rule for age. */
  readonly independent: Readonly<Record<'fixed' | 'swept', Float64Array>>;
  /** Mean over records of 1 / (records that agree on what is known). */
  readonly guessing: number;
}

/** File-level risk of a scenario at the radius of most risk under a rule. */
export interface LargestRisk {
  /** Index of the radius, or of the combination of radii. */
  readonly point: number;
  /** One element a dataset. */
  readonly risks: readonly number[];
}

/** Where the mean over the datasets is largest. */
export function largestRisk(
  { measures }: StudyResults,
  reading: Reading,
  scenario: number,
  rule: RuleName,
): LargestRisk {
  const risks = measures[reading].scenarios[scenario]!.risks[rule];
  const point = indexOfLargest(risks.map(meanOf));
  return { point, risks: risks[point]! };
}

/** Numbers of datasets that are compared (004 section 4.3). */
export const NUMBERS_OF_DATASETS = [1, 10, 20];

/** Means over the first `datasets` of each repeated release, one element a release. */
export function repeatedMeans(
  { measures }: StudyResults,
  reading: Reading,
  datasets: number,
): Readonly<Record<'fixed' | 'swept' | 'utility', number[]>> {
  const means = (figure: 'fixed' | 'swept' | 'utility') =>
    measures[reading].repetitions.map((repetition) => meanOf(repetition[figure].slice(0, datasets)));
  return { fixed: means('fixed'), swept: means('swept'), utility: means('utility') };
}
