import type { AttributeRiskSummary } from '../../shared/contracts/results/summary.ts';
import type { CombinedEstimate } from './combined-estimate.ts';
import type { TruthRanks } from './one-chain.ts';
import type { PublishedRank } from './published.ts';
import type { PublishedEvaluations, Reading } from './published-evaluations.ts';
import type { RunRisk, SCENARIOS } from './runs.ts';

/** What a table is like. */
export interface TableFacts {
  readonly records: number;
  readonly variables: number;
  readonly cells: number;
  readonly combinations: number;
  /** Combinations that occur once, twice and three times. */
  readonly repeated: readonly [once: number, twice: number, thrice: number];
  /** Records of the most frequent combination. */
  readonly most: number;
  /** Candidates of a combination, changed in one variable. */
  readonly candidates: number;
}

/** The joint distribution of two variables, in the table and on average over the datasets. */
export interface JointDistribution {
  readonly names: readonly [string, string];
  readonly categories: readonly [readonly string[], readonly string[]];
  /** Cells, the categories of the second variable running fastest. */
  readonly table: Float64Array;
  readonly synthetic: Float64Array;
}

/** How far joint distributions of all pairs of variables are from the table's, as total variation. */
export interface PairDistances {
  readonly median: number;
  readonly largest: number;
  /** The same of as many resamples of the table as there are datasets. */
  readonly chanceMedian: number;
  readonly chanceLargest: number;
}

/** A coefficient of the regression: from the table, and from the datasets. */
export interface Coefficient {
  readonly name: string;
  readonly original: number;
  readonly synthetic: CombinedEstimate;
}

/** A table with what the published estimator gives for a release of it. */
export interface PublishedOnTable {
  readonly facts: TableFacts;
  readonly evaluations: Readonly<Record<Reading, PublishedEvaluations>>;
}

/** What the study found; aggregates of the table, and figures of its combinations by their number alone. */
export interface CensusResults {
  readonly pairs: readonly JointDistribution[];
  readonly distances: PairDistances;
  readonly regression: readonly Coefficient[];
  /** By fresh chains, two evaluations each. */
  readonly augmented: readonly RunRisk[];
  readonly importance: readonly RunRisk[];
  /** Figures of the file of all runs, by estimator, under the first scenario. */
  readonly gains: readonly { readonly name: string; readonly summary: AttributeRiskSummary }[];
  /** By `augmented`, an intruder who lacks three values, and prefers none of them. */
  readonly unknown: RunRisk;
  /** Figures of the file by `augmented`, under every scenario. */
  readonly summaries: Readonly<Record<keyof typeof SCENARIOS, AttributeRiskSummary>>;
  readonly table: PublishedOnTable;
  readonly simulated: PublishedOnTable;
  readonly publishedRanks: readonly PublishedRank[];
}

/** Evaluations of one release by one estimator, as the page lists them. */
export interface NamedEvaluations {
  readonly name: string;
  readonly candidates: number;
  readonly evaluations: readonly TruthRanks[];
  /** Effective draws, the least over datasets and evaluations, where the estimator weighs draws. */
  readonly effectiveDraws: readonly number[] | null;
  /** Of truths in the first three, the mean share of resamples of the proposals that leave them there; null if not resampled. */
  readonly resampled: number | null;
}

const NAMES: Readonly<Record<Reading, string>> = {
  among: 'the paper, generating draws among the proposals',
  apart: 'the paper, generating draws apart',
};

/** All evaluations, in the order of the page. */
export function namedEvaluations(results: CensusResults): NamedEvaluations[] {
  const { candidates } = results.table.facts;
  const published = (on: PublishedOnTable, reading: Reading, prefix = ''): NamedEvaluations => {
    const { risks, confirmed } = on.evaluations[reading];
    return {
      name: `${prefix}${NAMES[reading]}`,
      candidates: on.facts.candidates,
      evaluations: risks,
      effectiveDraws: risks.flatMap((risk) => risk.effectiveDraws),
      resampled: confirmed.length === 0 ? null : confirmed.reduce((sum, share) => sum + share, 0) / confirmed.length,
    };
  };
  return [
    published(results.table, 'apart'),
    published(results.table, 'among'),
    {
      name: '`importance`, 32 chains',
      candidates,
      evaluations: results.importance,
      effectiveDraws: results.importance.map(({ effectiveDraws }) => effectiveDraws[0]!),
      resampled: null,
    },
    { name: '`augmented`', candidates, evaluations: results.augmented, effectiveDraws: null, resampled: null },
    published(results.simulated, 'apart', 'simulated table: '),
    published(results.simulated, 'among', 'simulated table: '),
  ];
}
