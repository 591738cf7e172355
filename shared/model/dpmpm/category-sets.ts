import { binomial } from '../../random/binomial.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { partNumbers } from './sharing-order.ts';

/** Parameters or counts as vectors over classes, `stride` numbers apart. */
interface ByClass<Numbers> {
  /** Of the classes themselves. */
  readonly ofClasses: Float64Array;
  /** Of the categories of all variables end to end, and of the sets of them ({@link CategorySets}). */
  readonly ofParts: Numbers;
  readonly stride: number;
}

/** pi and phi, with sums of phi over sets. */
export type Parameters = ByClass<Float64Array>;
/** Records of each class, and of each category, or of a set with some of it unknown, in each class. */
export type Counts = ByClass<Float64Array | Uint32Array>;

/** A set of some of a variable's categories. Parts are those of `SharingOrder`. */
interface ProperSet {
  /** What stands for the set. */
  readonly part: number;
  /** The parts of its categories, rising. */
  readonly categories: readonly number[];
}

/** Sets of categories that stand where a category would, as if they were one. */
export interface CategorySets {
  /** How many sets each variable has; the first one is that of all its categories. */
  readonly counts: readonly number[];
  /** Those that lack some categories. */
  readonly proper: readonly ProperSet[];
  /** The part of a variable's code. */
  readonly partOf: (variable: number, code: number) => number;
}

/** Numbers sets of categories of variables with these sizes as they are met; without any yet but those of all categories. */
export function collectSets(sizes: readonly number[]) {
  const setsByVariable = sizes.map(() => new Map<string, { code: number; categories: readonly number[] }>());
  return {
    /**
     * The code of some categories of a variable, rising: a single category has its own, all of them that of a missing value,
     * and other sets have those that follow.
     */
    codeOf(variable: number, categories: readonly number[]) {
      const size = sizes[variable]!;
      if (categories.length === 1) return categories[0]!;
      if (categories.length === size) return size;
      const knownSets = setsByVariable[variable]!;
      const text = categories.join();
      const entry = knownSets.get(text) ?? { code: size + 1 + knownSets.size, categories };
      knownSets.set(text, entry);
      return entry.code;
    },
    /** Those met so far. */
    sets(): CategorySets {
      const counts = setsByVariable.map(({ size }) => 1 + size);
      const partOf = partNumbers(sizes, counts);
      const proper = setsByVariable.flatMap((knownSets, k) =>
        [...knownSets.values()].map(({ code, categories }) => ({
          part: partOf(k, code),
          categories: categories.map((category) => partOf(k, category)),
        })),
      );
      return { counts, proper, partOf };
    },
  };
}

/** Sums over the sets that lack some categories. */
export function createSetSums(proper: CategorySets['proper'], classes: number) {
  const runningSums = new Float64Array(Math.max(0, ...proper.map(({ categories }) => categories.length)));
  return {
    /** Sums phi over the sets, in its place. */
    sum({ ofParts, stride }: Parameters) {
      for (const { part, categories } of proper) {
        for (let f = 0; f < classes; f++) {
          let sum = 0;
          for (const category of categories) sum += ofParts[category * stride + f]!;
          ofParts[part * stride + f] = sum;
        }
      }
    },
    /** Draws the categories of the records of each set, and adds them to the counts. */
    spread({ ofParts: phi, stride }: Parameters, counts: Counts, random: RandomSource) {
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
