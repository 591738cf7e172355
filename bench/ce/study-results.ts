import { type LargestRisk, largestRisk as largestOf, type ReadingMeasures, type RuleName } from './measures.ts';
import type { Reading } from './scenarios.ts';
import { meanOf } from './spread.ts';

/** What the study found; aggregates of the table alone. */
export interface StudyResults {
  readonly measures: Readonly<Record<Reading, ReadingMeasures>>;
  /** Expected risk of the first scenario where income is drawn from its whole column, by the rule for age. */
  readonly independent: Readonly<Record<'fixed' | 'swept', Float64Array>>;
}

/** Where the mean over the datasets of a scenario is largest, under a rule. */
export function largestRisk({ measures }: StudyResults, reading: Reading, scenario: number, rule: RuleName): LargestRisk {
  return largestOf(measures[reading].scenarios[scenario]!, rule);
}

/** Numbers of datasets that are compared (Hornby & Hu 2021, section 4.3). */
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
