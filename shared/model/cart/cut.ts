import type { CategoryDivision } from './category-groups.ts';
import { exceedsGain } from './criterion.ts';

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

const MIRRORED = [RIGHT, LEFT, ABSENT] as const;

/** What one tree divides records by. */
export interface TreePredictor {
  readonly variable: number;
  /** Its categories, 0 if it is continuous. */
  readonly categories: number;
}

/** A division of the values of a continuous predictor, with what it gains. */
export interface ThresholdDivision {
  readonly gain: number;
  readonly threshold: number;
}

/** A cut, null for none, with the gain that another must exceed to take its place. */
export interface WeighedCut {
  readonly cut: Cut | null;
  readonly gain: number;
}

/**
 * A cut as the first one of a node: none where it gains no more than `least`, leaves fewer than `minimumLeaf` records on a
 * side, or has no side for some.
 *
 * @param sizes records on its sides, and those without one
 */
export function firstCut(
  cut: Cut,
  [left, right, absent]: readonly [number, number, number],
  gain: (left: number, right: number) => number,
  least: number,
  minimumLeaf: number,
): WeighedCut {
  const isWhole = absent === 0 && left >= minimumLeaf && right >= minimumLeaf;
  return isWhole && exceedsGain(gain(left, right), least) ? { cut, gain: gain(left, right) } : { cut: null, gain: least };
}

/**
 * The division of a node that gains most: of equal ones the given first, and then that by the first predictor.
 *
 * @param divide the best division by the predictor at a place, if one gains more than a bound
 */
export function bestCut(
  predictors: readonly TreePredictor[],
  first: WeighedCut,
  divide: (predictor: TreePredictor, place: number, least: number) => ThresholdDivision | CategoryDivision | null,
): Cut | null {
  let { cut, gain } = first;
  for (const [place, predictor] of predictors.entries()) {
    const division = divide(predictor, place, gain);
    if (division === null) continue;
    gain = division.gain;
    const { variable } = predictor;
    if ('threshold' in division) {
      cut = { type: 'threshold', variable, threshold: division.threshold };
    } else {
      const sides = new Uint8Array(predictor.categories).fill(ABSENT);
      for (const category of division.left) sides[category] = LEFT;
      for (const category of division.right) sides[category] = RIGHT;
      cut = { type: 'categories', variable, sides };
    }
  }
  return cut;
}
