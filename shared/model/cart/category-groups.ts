/** A division of categories into two sets, with what it gains. */
export interface CategoryDivision {
  readonly gain: number;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** The records of a node grouped by a categorical predictor, in the order of the response inside a group. */
export class CategoryGroups {
  /** The categories that records of the node have, ascending. */
  present: number[] = [];
  readonly records: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #counts: Uint32Array;

  constructor(records: number, categories: number) {
    this.records = new Uint32Array(records);
    this.#ends = new Uint32Array(categories);
    this.#counts = new Uint32Array(categories);
  }

  /** Groups the records `order[from .. to)` by their codes. */
  group(codes: ArrayLike<number>, order: Uint32Array, from: number, to: number): void {
    for (const category of this.present) this.#counts[category] = 0;
    const present: number[] = [];
    for (let i = from; i < to; i++) {
      const category = codes[order[i]!]!;
      if (this.#counts[category]!++ === 0) present.push(category);
    }
    this.present = present.sort((a, b) => a - b);
    let start = 0;
    for (const category of present) {
      this.#ends[category] = start;
      start += this.#counts[category]!;
    }
    for (let i = from; i < to; i++) {
      const record = order[i]!;
      this.records[this.#ends[codes[record]!]!++] = record;
    }
  }

  count(category: number): number {
    return this.#counts[category]!;
  }

  from(category: number): number {
    return this.#ends[category]! - this.#counts[category]!;
  }

  to(category: number): number {
    return this.#ends[category]!;
  }
}

/**
 * The counts of a node's records by present category of a predictor and class of the response, without those that are
 * zero: those of the k-th category are at `starts[k]` to before `starts[k + 1]`, classes in ascending order. Arrays may
 * have room for more categories than there are.
 */
export interface ClassCells {
  /** How many categories records of the node have. */
  readonly categories: number;
  /** These categories, ascending. */
  readonly present: ArrayLike<number>;
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
  return { categories: present.length, present, sizes, starts, classes: Uint32Array.from(classes), counts: Float64Array.from(counts) };
}
