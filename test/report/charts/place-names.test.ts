import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameWidth, type PlacedName, placeNames } from '../../../shared/report/charts/place-names.ts';

const SIZE = { width: 380, height: 330 };

/** What a placed name covers, by the widths that are reckoned with. */
function boxOf(name: string, { align, x, y }: PlacedName) {
  const wide = nameWidth(name);
  const left = { left: x, right: x - wide, center: x - wide / 2 }[align];
  return { left, right: left + wide, top: y - 11, bottom: y + 3 };
}

describe('placeNames()', () => {
  it('puts a name above its point, on the side of the middle, and below it at the upper edge', () => {
    const names = placeNames(
      [
        { name: 'a', x: 50, y: 200 },
        { name: 'b', x: 350, y: 200 },
        { name: 'c', x: 50, y: 0 },
      ],
      SIZE,
    );
    expect(names).toEqual([
      { align: 'left', x: 59, y: 191, isFar: false },
      { align: 'right', x: 341, y: 191, isFar: false },
      { align: 'left', x: 59, y: 18, isFar: false },
    ]);
  });

  it('puts names of equal points around them first, then line by line farther away', () => {
    const point = { x: 100, y: 150 };
    const names = placeNames(
      ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => ({ name, ...point })),
      SIZE,
    );
    expect(names.map((name) => name!.isFar)).toEqual([false, false, false, false, true]);
  });

  it('has no room for a name that is wider than the plot', () => {
    expect(placeNames([{ name: 'W'.repeat(40), x: 100, y: 100 }], SIZE)).toEqual([null]);
  });

  it('keeps every name within the plot, off the others and off all points', () => {
    const point = fc.record({
      name: fc.string({ minLength: 1, maxLength: 24 }),
      x: fc.integer({ min: 0, max: SIZE.width }),
      y: fc.integer({ min: 0, max: SIZE.height }),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 30 }), (points) => {
        const boxes = placeNames(points, SIZE).flatMap((place, i) => (place === null ? [] : [boxOf(points[i]!.name, place)]));
        for (const [i, { left, right, top, bottom }] of boxes.entries()) {
          expect(Math.min(left, SIZE.width - right, top, SIZE.height - bottom)).toBeGreaterThan(-1e-9);
          const others = boxes
            .slice(0, i)
            .filter((one) => left < one.right - 1e-9 && one.left < right - 1e-9 && top < one.bottom && one.top < bottom);
          expect(others).toEqual([]);
          for (const { x, y } of points) expect(x > left && x < right && y > top && y < bottom).toBe(false);
        }
      }),
    );
  });
});
