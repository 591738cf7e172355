import { expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import { type CellSet, halfOfCells, prepareCellSets } from '../../../shared/risk/cells/cell-sums.ts';

it('makes means of shares of the chains, but of what is pooled as logarithms', () => {
  const set = { name: 'stacked/1', coefficient: -0.5, pool: 'arithmetic', chains: 3, drawsPerChain: 2 } satisfies CellSet;
  const { sets, constants } = prepareCellSets([set], seededStreams(1));
  const [one] = sets;
  expect(constants[0]).toBe(0);
  for (const half of [0, 1] as const) {
    const at = halfOfCells(0, half);
    const taken = one!.subsets[one!.choices[at]!]!.length;
    expect(taken).toBeLessThan(3);
    expect(constants[at]).toBeCloseTo(-0.5 * Math.log(3 / taken), 12);
  }
  expect([...new Set(prepareCellSets([{ ...set, pool: 'geometric' }], seededStreams(1)).constants)]).toEqual([0]);
});
