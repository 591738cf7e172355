import type { CensusResults, PublishedOnTable } from './census-results.ts';
import type { Reading } from './published-evaluations.ts';
import { type Standing, standing } from './rank-agreement.ts';
import { TOP } from './setting.ts';

/** What becomes of ranks like Hu et al.'s (2014) in an evaluation with other proposals. */
export interface PublishedStanding {
  readonly name: string;
  /** Of each rank from 1. */
  readonly places: readonly Standing[];
  /** How many of the published ranks would be among the first again. */
  readonly expected: number;
  /** Of each rank, the share that `augmented` ranks among the first; null on a table that it was not run on. */
  readonly byAugmented: readonly (number | null)[] | null;
}

/**
 * Ranks like those of Hu et al.'s (2014) Table 3, on both tables and for either reading of what its proposals were: a rank of Hu
 * et al. (2014) is taken to be as good as one that the same estimator gives here, of the same place.
 */
export function ranksOfPublished(results: CensusResults): PublishedStanding[] {
  const { table, simulated, augmented, publishedRanks } = results;
  const of = (on: PublishedOnTable, reading: Reading, name: string): PublishedStanding => {
    const { risks } = on.evaluations[reading];
    const ranks = Array.from({ length: TOP }, (_, r) => r + 1);
    const places = ranks.map((rank) => standing(risks, rank, TOP));
    const expected = publishedRanks.reduce((sum, { rank }) => sum + (places[rank - 1]?.confirmed ?? 0), 0);
    const byAugmented = on === table ? ranks.map((rank) => standing(risks, rank, TOP, augmented).confirmed) : null;
    return { name, places, expected, byAugmented };
  };
  return [
    of(table, 'apart', 'extract, apart'),
    of(simulated, 'apart', 'simulated, apart'),
    of(table, 'among', 'extract, among'),
    of(simulated, 'among', 'simulated, among'),
  ];
}
