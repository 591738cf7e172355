/** A point of a chart with a name, in pixels from the corner of the plot. */
interface NamedPoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Where a name stands, in pixels from the corner of the plot: the end of it that is near its point, or its middle, and its line. */
export interface PlacedName {
  readonly align: 'left' | 'right' | 'center';
  readonly x: number;
  readonly y: number;
  /** Whether it is so far from its point that a line has to lead there. */
  readonly isFar: boolean;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Size of the text of names in pixels. */
export const NAME_SIZE = 12;
/** From line to line of names above each other. */
const LINE = 15;
/** Of a letter above its line and below it. */
const [ASCENT, DESCENT] = [11, 3];
/** From a point to its name, sideways, upwards and downwards to its line. */
const [BESIDE, ABOVE, BELOW] = [9, 9, 18];
/** Half of the mark of a point. */
const HALF_MARK = 5;

/** Characters by their width at most, in a wide bold font, in shares of its size. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'|! ]/, 0.42],
  [/[ftr()[\]/-]/, 0.55],
  [/[mwMW@%…—]/, 1.13],
  [/[A-Z&+=<>~^]/, 0.86],
  [/[\u0020-\u024f]/, 0.73],
];
const WIDEST = 1.2;

/** Pixels that a name takes at most: fonts differ, and there is none to ask here. */
export function nameWidth(name: string): number {
  const shares = [...name].map((character) => WIDTHS.find(([of]) => of.test(character))?.[1] ?? WIDEST);
  return NAME_SIZE * shares.reduce((sum, share) => sum + share, 0);
}

const overlaps = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Where a name may stand: above its point or below, line by line away from it, and on each line towards the middle of the plot first. */
function* placesOf({ name, x, y }: NamedPoint, { width, height }: PlotSize): Generator<PlacedName & { readonly box: Box }> {
  const wide = nameWidth(name);
  const right = { align: 'left', x: x + BESIDE, left: x + BESIDE } as const;
  const left = { align: 'right', x: x - BESIDE, left: x - BESIDE - wide } as const;
  const middle = Math.min(Math.max(x, wide / 2), width - wide / 2);
  const sides = [...(x > width / 2 ? [left, right] : [right, left]), { align: 'center', x: middle, left: middle - wide / 2 } as const];
  for (let line = 0; line * LINE < height; line++) {
    for (const at of [y - ABOVE - line * LINE, y + BELOW + line * LINE]) {
      for (const { left: from, ...side } of sides) {
        const box = { left: from, right: from + wide, top: at - ASCENT, bottom: at + DESCENT };
        const isWithin = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;
        if (isWithin) yield { ...side, y: at, isFar: line > 0, box };
      }
    }
  }
}

/** Size of a plot in pixels. */
interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Places names in a plot beside their points, the first ones first: within it, over no other name and over no point. Null for a name
 * for which there is no room.
 */
export function placeNames(points: readonly NamedPoint[], size: PlotSize): (PlacedName | null)[] {
  const taken: Box[] = points.map(({ x, y }) => ({ left: x - HALF_MARK, right: x + HALF_MARK, top: y - HALF_MARK, bottom: y + HALF_MARK }));
  return points.map((point) => {
    for (const { box, ...place } of placesOf(point, size)) {
      if (taken.some((other) => overlaps(box, other))) continue;
      taken.push(box);
      return place;
    }
    return null;
  });
}
