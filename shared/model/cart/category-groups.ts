import { exceedsGain, type SplitCriterion } from './criterion.ts';

/** A division of categories into two sets, with what it gains. */
export interface CategoryDivision {
  readonly gain: number;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** The records of a node grouped by a categorical predictor, in the order of the response inside a group. */
export class RecordGroups {
  /** The categories that records of the node have, ascending. */
  present: number[] = [];
  /** The node's records, group after group. */
  readonly records: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly counts: Uint32Array;

  /** @param categories the most that any predictor has */
  constructor(records: number, categories: number) {
    this.records = new Uint32Array(records);
    this.ends = new Uint32Array(categories);
    this.counts = new Uint32Array(categories);
  }

  /** Groups the records `order[from .. to)` by their codes. */
  group(codes: ArrayLike<number>, order: Uint32Array, from: number, to: number): void {
    for (const category of this.present) this.counts[category] = 0;
    const present: number[] = [];
    for (let i = from; i < to; i++) {
      const category = codes[order[i]!]!;
      if (this.counts[category]!++ === 0) present.push(category);
    }
    this.present = present.sort((a, b) => a - b);
    let start = 0;
    for (const category of present) {
      this.ends[category] = start;
      start += this.counts[category]!;
    }
    for (let i = from; i < to; i++) {
      const record = order[i]!;
      this.records[this.ends[codes[record]!]!++] = record;
    }
  }

  /** Number of records of a present category. */
  count(category: number): number {
    return this.counts[category]!;
  }

  /** Where the records of a present category begin. */
  from(category: number): number {
    return this.ends[category]! - this.counts[category]!;
  }

  /** Where the records of a present category end. */
  to(category: number): number {
    return this.ends[category]!;
  }
}

/**
 * The best division of ordered categories into a beginning and an end, under the conditions of
 * {@link SplitCriterion.divideGroups}.
 *
 * @param order the present categories
 */
export function divideOrdered(
  criterion: SplitCriterion,
  groups: RecordGroups,
  order: readonly number[],
  minimumLeaf: number,
  least: number,
): CategoryDivision | null {
  let right = 0;
  for (const category of order) right += groups.count(category);
  let left = 0;
  let gain = least;
  let cut = 0;
  criterion.restart();
  for (let k = 0; k < order.length - 1; k++) {
    const category = order[k]!;
    const to = groups.to(category);
    for (let i = groups.from(category); i < to; i++) criterion.moveLeft(groups.records[i]!);
    left += groups.count(category);
    right -= groups.count(category);
    if (right < minimumLeaf) break;
    if (left < minimumLeaf) continue;
    const found = criterion.gain(left, right);
    if (exceedsGain(found, gain)) {
      gain = found;
      cut = k + 1;
    }
  }
  return cut === 0 ? null : { gain, left: order.slice(0, cut), right: order.slice(cut) };
}
