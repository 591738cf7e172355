import { partNumbers } from './sharing-order.ts';

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

/** Numbers sets of categories as they are met. */
export interface SetCollector {
  /**
   * The code of some categories of a variable, rising: a single category has its own, all of them that of a missing
   * value, and other sets have those that follow.
   */
  codeOf(variable: number, categories: readonly number[]): number;
  /** Those met so far. */
  sets(): CategorySets;
}

/**
 * Without any sets yet but those of all categories.
 *
 * @param sizes number of categories of each variable
 */
export function collectSets(sizes: readonly number[]): SetCollector {
  const setsByVariable = sizes.map(() => new Map<string, { code: number; categories: readonly number[] }>());
  return {
    codeOf(variable, categories) {
      const size = sizes[variable]!;
      if (categories.length === 1) return categories[0]!;
      if (categories.length === size) return size;
      const knownSets = setsByVariable[variable]!;
      const text = categories.join();
      const entry = knownSets.get(text) ?? { code: size + 1 + knownSets.size, categories };
      knownSets.set(text, entry);
      return entry.code;
    },
    sets() {
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
