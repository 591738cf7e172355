import type { CategoryGroups } from './category-groups.ts';

/**
 * The counts of a node's records by present category of a predictor and class of the response, without those that are
 * zero: those of the k-th category are at `starts[k]` to before `starts[k + 1]`, classes in ascending order.
 */
export interface ClassCells {
  /** The categories that records of the node have, ascending. */
  readonly present: readonly number[];
  /** Records of each of these. */
  readonly sizes: Float64Array;
  readonly starts: Uint32Array;
  readonly classes: Uint32Array;
  readonly counts: Float64Array;
}

/** Counts the cells of a node; classes stand in ascending order inside a category, as its records do. */
export function countClassCells(groups: CategoryGroups, classOf: ArrayLike<number>): ClassCells {
  const { present, records } = groups;
  const sizes = Float64Array.from(present, (category) => groups.count(category));
  const starts = new Uint32Array(present.length + 1);
  const classes: number[] = [];
  const counts: number[] = [];
  for (let k = 0; k < present.length; k++) {
    const to = groups.to(present[k]!);
    for (let i = groups.from(present[k]!); i < to; i++) {
      const one = classOf[records[i]!]!;
      const last = classes.length - 1;
      if (last >= starts[k]! && classes[last] === one) counts[last]!++;
      else {
        classes.push(one);
        counts.push(1);
      }
    }
    starts[k + 1] = classes.length;
  }
  return { present, sizes, starts, classes: Uint32Array.from(classes), counts: Float64Array.from(counts) };
}
