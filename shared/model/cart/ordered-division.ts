import type { CategoryDivision } from './category-groups.ts';
import { exceedsGain } from './criterion.ts';

/** A node whose records, all on the right at first, move to the left part by part. */
export interface OrderedParts {
  /** Records of a part. */
  size(part: number): number;
  /** Moves the records of a part to the left. */
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
