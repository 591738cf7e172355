import { indexOfLargest, meanOf } from './spread.ts';

/** How matches are counted: the radius of age stays, is swept with the others, or all radii are swept apart. */
export type RuleName = 'fixed' | 'swept' | 'jointly';

/** What was measured under one scenario, one element a dataset. */
export interface ScenarioMeasures {
  /** File-level risk under each rule, radius by radius: mean over records of T/c (Hornby & Hu 2021, eq. 2 divided by n). */
  readonly risks: Readonly<Record<RuleName, readonly (readonly number[])[]>>;
  /** Propensity score utility by main effects, and with pairs. */
  readonly utility: { readonly main: readonly number[]; readonly pairs: readonly number[] };
}

/** What was measured of one of the repeated releases, one element a dataset. */
export interface RepetitionMeasures {
  /** At the radius of most risk, with a fixed radius of age and with a swept one. */
  readonly fixed: readonly number[];
  readonly swept: readonly number[];
  /** By main effects. */
  readonly utility: readonly number[];
}

/** What was measured under one reading of Hornby & Hu (2021). */
export interface ReadingMeasures {
  /** In the order of the scenarios. */
  readonly scenarios: readonly ScenarioMeasures[];
  /** Releases of the first scenario, drawn again and again. */
  readonly repetitions: readonly RepetitionMeasures[];
}

/** File-level risk of a scenario at the radius of most risk under a rule. */
export interface LargestRisk {
  /** Index of the radius, or of the combination of radii. */
  readonly point: number;
  /** One element a dataset. */
  readonly risks: readonly number[];
}

/** Where the mean over the datasets is largest. */
export function largestRisk(measures: ScenarioMeasures, rule: RuleName): LargestRisk {
  const risks = measures.risks[rule];
  const point = indexOfLargest(risks.map(meanOf));
  return { point, risks: risks[point]! };
}
