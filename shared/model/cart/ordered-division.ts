import type { CategoryDivision, CategoryGroups } from './category-groups.ts';
import { exceedsGain, type SplitCriterion } from './criterion.ts';

/**
 * The best division of ordered categories into a beginning and an end, under the conditions of
 * {@link SplitCriterion.divideGroups}.
 *
 * @param order the present categories
 */
export function divideOrdered(
  criterion: SplitCriterion,
  groups: CategoryGroups,
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
