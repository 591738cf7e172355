import type { CategoryDivision, CategoryGroups } from './category-groups.ts';

/** What one division of a node is worth beside another is distinguished to this share. */
const RELATIVE_TOLERANCE = 1e-10;

/** What a node comes to before it is divided. */
export interface NodeMeasure {
  /** What a division reduces: the most that a gain can be. */
  readonly impurity: number;
  /** What is weighed against the number of leaves when the tree is pruned. */
  readonly risk: number;
}

/**
 * How the divisions of a node are valued, for one response. It holds the node that was entered last, divided: at first
 * all of its records are on the right.
 */
export interface SplitCriterion {
  /** Takes up the node with the records `order[from .. to)`, which must stand in the order of the response. */
  enter(order: Uint32Array, from: number, to: number): NodeMeasure;
  /** Moves all records of the node to the right. */
  restart(): void;
  /** Moves a record of the node from the right to the left. */
  moveLeft(record: number): void;
  /** By how much the division as it stands reduces the impurity, with so many records on either side. */
  gain(left: number, right: number): number;
  /**
   * The best division of the node's records by the categories of a predictor, if there is one that gains more than
   * `least` and leaves `minimumLeaf` records on either side.
   */
  divideGroups(groups: CategoryGroups, minimumLeaf: number, least: number): CategoryDivision | null;
}

/** The gain that a division must exceed for it not to be rounding. */
export function negligibleGain({ impurity }: NodeMeasure): number {
  return impurity * RELATIVE_TOLERANCE;
}

/** True if a gain is greater than another by more than rounding: of equal divisions the first one stays. */
export function exceedsGain(gain: number, other: number): boolean {
  return gain > other * (1 + RELATIVE_TOLERANCE);
}

/** A node whose records, all on the right at first, move to the left part by part. */
export interface OrderedParts {
  size(part: number): number;
  moveLeft(part: number): void;
  /** What the division as it stands gains, with so many records on either side. */
  gain(left: number, right: number): number;
}

/**
 * The best division of ordered parts into a beginning and an end, under the conditions of
 * `SplitCriterion.divideGroups`.
 *
 * @param order all parts
 */
export function divideOrdered(parts: OrderedParts, order: readonly number[], minimumLeaf: number, least: number): CategoryDivision | null {
  let right = 0;
  for (const part of order) right += parts.size(part);
  let left = 0;
  let gain = least;
  let cut = 0;
  for (let k = 0; k < order.length - 1; k++) {
    parts.moveLeft(order[k]!);
    left += parts.size(order[k]!);
    right -= parts.size(order[k]!);
    if (right < minimumLeaf) break;
    if (left < minimumLeaf) continue;
    const cutGain = parts.gain(left, right);
    if (exceedsGain(cutGain, gain)) {
      gain = cutGain;
      cut = k + 1;
    }
  }
  return cut === 0 ? null : { gain, left: order.slice(0, cut), right: order.slice(cut) };
}

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
