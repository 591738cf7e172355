/** Sides of a split, and that of a category that none of the node's records had when the tree was grown. */
export const LEFT = 0;
/** See {@link LEFT}. */
export const RIGHT = 1;
/** See {@link LEFT}. */
export const ABSENT = 2;

/** How the records of a node are divided by one predictor, which `variable` is the index of in the table. */
export type Cut =
  /** Those whose value is below the threshold go to the left, all others to the right. */
  | { readonly type: 'threshold'; readonly variable: number; readonly threshold: number }
  /** Each goes to the side of its category: {@link LEFT}, {@link RIGHT} or {@link ABSENT}. */
  | { readonly type: 'categories'; readonly variable: number; readonly sides: Uint8Array };

/** On which side a cut puts a value of its variable. */
export function sideOf(cut: Cut, value: number): number {
  if (cut.type === 'categories') return cut.sides[value]!;
  return value < cut.threshold ? LEFT : RIGHT;
}

/** True if two cuts are the same, the sides of absent categories included. */
export function equalCuts(a: Cut, b: Cut): boolean {
  if (a.variable !== b.variable) return false;
  if (a.type === 'threshold') return b.type === 'threshold' && a.threshold === b.threshold;
  return b.type === 'categories' && a.sides.every((side, category) => side === b.sides[category]);
}

/** The same division with its sides exchanged; null for one by a threshold, which has the low values on the left. */
export function mirrored(cut: Cut): Cut | null {
  if (cut.type === 'threshold') return null;
  return { ...cut, sides: cut.sides.map((side) => MIRRORED[side]!) };
}

/** By side of a cut. */
const MIRRORED = [RIGHT, LEFT, ABSENT] as const;
