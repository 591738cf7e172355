import { describe, expect, it } from 'vitest';
import { ChainMeans } from '../../../shared/risk/attribute/chain-means.ts';

/** Three chains of one combination with two candidates. */
const chains = [
  { mean: Float64Array.of(1, 4), meanSquare: Float64Array.of(1, 20), firstHalf: Float64Array.of(1, 2) },
  { mean: Float64Array.of(1, 0.5), meanSquare: Float64Array.of(1, 0.5), firstHalf: Float64Array.of(1, 8) },
  { mean: Float64Array.of(1, 3), meanSquare: Float64Array.of(1, 12.5), firstHalf: Float64Array.of(1, 4) },
];

function together(pool: 'arithmetic' | 'geometric', halves = true) {
  const means = new ChainMeans(chains.length, 2, pool);
  for (const { firstHalf, ...chain } of chains) means.add({ ...chain, firstHalf: halves ? firstHalf : null });
  return means.scored();
}

describe('ChainMeans', () => {
  it('keeps the means of each chain, and the mean square of all', () => {
    const { means, meanSquares } = together('arithmetic');
    expect(means).toEqual(chains.map(({ mean }) => mean));
    expect([...meanSquares!]).toEqual([1, expect.closeTo(11, 13)]);
  });

  it('pools first halves as the chains are pooled', () => {
    expect([...together('arithmetic').halfLength!]).toEqual([0, expect.closeTo(Math.log(14 / 3), 13)]);
    expect([...together('geometric').halfLength!]).toEqual([0, expect.closeTo(Math.log(64) / 3, 13)]);
  });

  it('has no half lengths where chains are too short for them', () => {
    expect(together('arithmetic', false)).not.toHaveProperty('halfLength');
  });
});
