import type { CategorySets } from './category-sets.ts';

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
