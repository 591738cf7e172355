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
  /** The node's records, group after group. */
  readonly records: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #counts: Uint32Array;

  /** @param categories the most that any predictor has */
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

  /** Number of records of a present category. */
  count(category: number): number {
    return this.#counts[category]!;
  }

  /** Where the records of a present category begin. */
  from(category: number): number {
    return this.#ends[category]! - this.#counts[category]!;
  }

  /** Where the records of a present category end. */
  to(category: number): number {
    return this.#ends[category]!;
  }
}
