import type { CategoryDivision, CategoryGroups } from './category-groups.ts';
import { divideOrdered, type NodeMeasure, type SplitCriterion } from './criterion.ts';

/**
 * The criterion of regression trees (Breiman et al. 1984, chapter 8): the sum of squares about the mean. Dividing a
 * node of n records into n_L with the sum of deviations S from the node's mean, and n_R, reduces it by S² n / (n_L n_R).
 */
export class LeastSquares implements SplitCriterion {
  /** The response less its mean over the table, so that sums lose no digits to a large mean. */
  readonly #centred: Float64Array;
  #mean = 0;
  #left = 0;

  /** @param order records in the order of their values, in which sums are formed: that of the file makes no difference */
  constructor(values: Float64Array, order: Uint32Array) {
    const first = values[order[0]!]!;
    let sum = 0;
    for (const record of order) sum += values[record]! - first;
    const shift = sum / order.length;
    this.#centred = values.map((value) => value - first - shift);
  }

  enter(order: Uint32Array, from: number, to: number): NodeMeasure {
    const centred = this.#centred;
    // Values stand in order, so that a node whose ends agree has one value, and no rounding is left of its squares.
    if (centred[order[from]!]! === centred[order[to - 1]!]!) return { impurity: 0, risk: 0 };
    let sum = 0;
    for (let i = from; i < to; i++) sum += centred[order[i]!]!;
    this.#mean = sum / (to - from);
    let squares = 0;
    for (let i = from; i < to; i++) {
      const deviation = centred[order[i]!]! - this.#mean;
      squares += deviation * deviation;
    }
    return { impurity: squares, risk: squares };
  }

  restart(): void {
    this.#left = 0;
  }

  moveLeft(record: number): void {
    this.#left += this.#centred[record]! - this.#mean;
  }

  gain(left: number, right: number): number {
    return ((this.#left * this.#left) / left / right) * (left + right);
  }

  /** In the order of their means, the best division is one into a beginning and an end (Fisher 1958). */
  divideGroups(groups: CategoryGroups, minimumLeaf: number, least: number): CategoryDivision | null {
    const means = new Map<number, number>();
    for (const category of groups.present) {
      let sum = 0;
      const to = groups.to(category);
      for (let i = groups.from(category); i < to; i++) sum += this.#centred[groups.records[i]!]! - this.#mean;
      means.set(category, sum / groups.count(category));
    }
    const order = groups.present.toSorted((a, b) => means.get(a)! - means.get(b)! || a - b);
    const size = (category: number) => groups.count(category);
    const moveLeft = (category: number) => {
      const to = groups.to(category);
      for (let i = groups.from(category); i < to; i++) this.moveLeft(groups.records[i]!);
    };
    const gain = (left: number, right: number) => this.gain(left, right);
    this.restart();
    return divideOrdered({ size, moveLeft, gain }, order, minimumLeaf, least);
  }
}
