import { binomial } from '../../random/binomial.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { Counts, Parameters } from './by-class.ts';
import type { CategorySets } from './category-sets.ts';

/** What sets of some categories have in each class: their phi, and the records that they are to hand on. */
export interface SetSums {
  /** Sums phi over the sets, in its place. */
  sum(parameters: Parameters): void;
  /** Draws the categories of the records of each set, and adds them to the counts. */
  spread(parameters: Parameters, counts: Counts, random: RandomSource): void;
}

/** Sums over the sets that lack some categories. */
export function createSetSums(proper: CategorySets['proper'], classes: number): SetSums {
  const runningSums = new Float64Array(Math.max(0, ...proper.map(({ categories }) => categories.length)));
  return {
    sum({ ofParts, stride }) {
      for (const { part, categories } of proper) {
        for (let f = 0; f < classes; f++) {
          let sum = 0;
          for (const category of categories) sum += ofParts[category * stride + f]!;
          ofParts[part * stride + f] = sum;
        }
      }
    },
    spread({ ofParts: phi, stride }, counts, random) {
      for (const { part, categories } of proper) {
        for (let f = 0; f < classes; f++) {
          let rest = counts.ofParts[part * counts.stride + f]!;
          if (rest === 0) continue;
          let sum = 0;
          for (const [i, category] of categories.entries()) {
            sum += phi[category * stride + f]!;
            runningSums[i] = sum;
          }
          // From the last to the first, so that running sums give the shares without cancellation.
          for (let i = categories.length - 1; rest > 0; i--) {
            const category = categories[i]!;
            const some = binomial(random, rest, phi[category * stride + f]! / runningSums[i]!);
            rest -= some;
            counts.ofParts[category * counts.stride + f]! += some;
          }
        }
      }
    },
  };
}
