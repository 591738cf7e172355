import type { Box } from './support.ts';

/** Boxes as few as merging two at a time along a variable makes them, where they differ in it alone. */
function mergeAlong(boxes: readonly Box[], variable: number, size: number): Box[] {
  const merged = new Map<string, { rest: Box; categories: number[] }>();
  for (const box of boxes) {
    const rest = box.filter((side) => side.variable !== variable);
    const own = box.find((side) => side.variable === variable)?.categories ?? Array(size).keys();
    const text = rest.map((side) => `${side.variable}:${side.categories.join()}`).join(';');
    const entry = merged.get(text);
    if (entry) entry.categories.push(...own);
    else merged.set(text, { rest, categories: [...own] });
  }
  return [...merged.values()].map(({ rest, categories }) =>
    categories.length === size
      ? rest
      : [...rest, { variable, categories: categories.sort((a, b) => a - b) }].sort((a, b) => a.variable - b.variable),
  );
}

/**
 * The same cells in fewer boxes: two that differ in one variable alone become one, until none do.
 *
 * @param boxes without a cell in common
 * @param sizes number of categories of each variable
 */
export function mergeBoxes(boxes: readonly Box[], sizes: readonly number[]): readonly Box[] {
  let merged = boxes;
  for (let before = Infinity; merged.length < before; ) {
    before = merged.length;
    for (const [variable, size] of sizes.entries()) merged = mergeAlong(merged, variable, size);
  }
  return merged;
}
