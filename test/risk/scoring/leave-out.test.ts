import { expect, it } from 'vitest';
import { occupiedClasses } from '../../../shared/risk/scoring/leave-out.ts';

it('keeps the classes that records are in, those of numbers alone as well, and makes one of all the empty ones', () => {
  // Categories x classes: class 2 has records, class 0 one that lacks its category, and classes 1 and 3 nobody.
  const find = occupiedClasses(4, 2);
  const draw = () =>
    find(Float64Array.of(0.1, 0.2, 0.3, 0.4), { counts: Uint32Array.of(0, 0, 3, 0, 0, 0, 1, 0) }, [Float64Array.of(1, 0, 4, 0)]);
  const { classes, weights, counts, place } = draw();
  expect(classes).toBe(3);
  expect([...weights]).toEqual([0.1, 0.3, expect.closeTo(0.6, 15)]);
  expect([...counts]).toEqual([0, 3, 0, 0, 1, 0]);
  expect([...place]).toEqual([0, 2, 1, 2]);
  // The arrays are those of the draw before.
  expect([...draw().weights]).toEqual([...weights]);
  expect(find(Float64Array.of(1, 2, 3, 4), { counts: new Uint32Array(8) })).toMatchObject({ classes: 1, weights: Float64Array.of(10) });
});
