import type { CategoryDivision, CategoryGroups } from './category-groups.ts';

/** What one division of a node is worth beside another is told apart to this share. */
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
