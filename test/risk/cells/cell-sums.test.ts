import { expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { type CellSet, posteriorSets, prepareCellSets } from '../../../shared/risk/cells/cell-sums.ts';

const set = (name: string, coefficient: number): CellSet => ({ name, coefficient, pool: 'arithmetic', chains: 3, drawsPerChain: 2 });
const sides = (m: number) => [
  ...Array.from({ length: m }, (_, l) => set(`stacked/${l}`, 1)),
  ...Array.from({ length: m }, (_, l) => set(`table/${l}`, -1)),
];
const folds = (sets: readonly CellSet[]) => prepareCellSets(sets, seededStreams(1)).sets.map((prepared) => prepared.folds);

it('takes logarithms once five sets of a role have been multiplied', () => {
  expect(folds(sides(5))).toEqual(new Array(10).fill(false));
  expect(folds(sides(6)).flatMap((isFolded, t) => (isFolded ? [t] : []))).toEqual([5, 11]);
  const pooled = sides(7).map((side): CellSet => ({ ...side, pool: 'geometric' }));
  expect(folds(pooled)).toEqual(new Array(14).fill(false));
});

it('raises the likelihood to the slope, and not the prior', () => {
  const likelihood = sides(1);
  expect(posteriorSets(likelihood, set('prior', 1), 0.5)).toEqual([...likelihood, set('prior', 2)]);
});
