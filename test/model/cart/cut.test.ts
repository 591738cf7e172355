import { expect, it } from 'vitest';
import { ABSENT, type Cut, equalCuts, LEFT, mirrored, RIGHT, sideOf } from '../../../shared/model/cart/cut.ts';

const below = (threshold: number, variable = 1): Cut => ({ type: 'threshold', variable, threshold });
const sides = (...of: readonly number[]): Cut => ({ type: 'categories', variable: 1, sides: Uint8Array.from(of) });

it('puts values below a threshold to the left, and categories to their sides', () => {
  expect([1, 2, 3].map((value) => sideOf(below(2), value))).toEqual([LEFT, RIGHT, RIGHT]);
  expect([0, 1, 2].map((value) => sideOf(sides(RIGHT, ABSENT, LEFT), value))).toEqual([RIGHT, ABSENT, LEFT]);
});

it('cuts are equal that divide the same variable in the same way', () => {
  const cuts = [below(2), below(3), below(2, 2), sides(LEFT, RIGHT), sides(RIGHT, LEFT), sides(LEFT, ABSENT)];
  for (const [i, a] of cuts.entries()) for (const [j, b] of cuts.entries()) expect(equalCuts(a, structuredClone(b))).toBe(i === j);
});

it('has a mirror image of categories alone', () => {
  expect(mirrored(sides(LEFT, RIGHT, ABSENT))).toEqual(sides(RIGHT, LEFT, ABSENT));
  expect(mirrored(below(2))).toBeNull();
});
