import { expect, it } from 'vitest';
import { compareAssociations } from '../../shared/utility/associations.ts';

const symmetric = (ab: number | null, ac: number | null, bc: number | null) => [
  [1, ab, ac],
  [ab, 1, bc],
  [ac, bc, 1],
];
const compare = (synthesized: number[], datasets = [symmetric(0.25, -0.5, 1), symmetric(0.75, -0.5, 0.5)]) =>
  compareAssociations(['a', 'b', 'c'], symmetric(0.25, 0, 0.5), datasets, new Set(synthesized));

it('compares associations with the mean of those of the datasets, of pairs with a synthesized variable', () => {
  expect(compare([0, 1, 2])).toEqual({
    variables: ['a', 'b', 'c'],
    original: symmetric(0.25, 0, 0.5),
    synthetic: symmetric(0.5, -0.5, 0.75),
    meanAbsoluteDifference: 1 / 3,
    maxAbsoluteDifference: 0.5,
    mostChanged: ['a', 'c'],
  });
  // Of b both pairs, which differ by as much; the first is named.
  expect(compare([1])).toMatchObject({ meanAbsoluteDifference: 0.25, maxAbsoluteDifference: 0.25, mostChanged: ['a', 'b'] });
  expect(compare([])).toMatchObject({ meanAbsoluteDifference: null, maxAbsoluteDifference: null, mostChanged: null });
});

it('has none of a pair that one dataset has none of', () => {
  const datasets = [symmetric(0.25, null, 1), symmetric(0.75, -0.5, 0.5)];
  expect(compare([0], datasets)).toMatchObject({
    synthetic: symmetric(0.5, null, 0.75),
    meanAbsoluteDifference: 0.25,
    mostChanged: ['a', 'b'],
  });
});
