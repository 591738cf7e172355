import { expect, it } from 'vitest';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { chainCounts } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { KEPT_HALF, keptEvaluations } from '../../../shared/risk/attribute/kept-evaluations.ts';
import { KeptMeans, PooledChains } from '../../../shared/risk/reconstruction/kept-means.ts';

/** Chains of one set that say these numbers, and in half their length others. */
function pooled(name: string, chains: readonly (readonly number[])[], halves = chains) {
  const pool = new PooledChains(chainCounts(seededStreams(3), name, chains.length), chains.length, chains[0]!.length);
  for (const [c, chain] of chains.entries()) pool.add(Float64Array.from(chain), Float64Array.from(halves[c]!));
  return pool.means();
}

const first = [
  [1, 10],
  [2, 20],
  [6, 30],
];
const second = [
  [4, 1],
  [5, 2],
  [9, 6],
];

it('are means over chains, then over datasets, and without each dataset over the others', () => {
  const kept = new KeptMeans(2, 2);
  kept.add(
    pooled('weak/stacked/1', first, [
      [0, 0],
      [0, 0],
      [3, 3],
    ]),
    1,
  );
  kept.add(pooled('weak/stacked/2', second), 2);
  const { evaluations } = kept;
  expect(evaluations).toHaveLength(keptEvaluations(2));
  expect([...evaluations[0]!]).toEqual([(3 + 6) / 2, (20 + 3) / 2]);
  expect([...evaluations[KEPT_HALF]!]).toEqual([(1 + 6) / 2, (1 + 3) / 2]);
  expect([...evaluations[KEPT_HALF + 1]!]).toEqual([6, 3]);
  expect([...evaluations[KEPT_HALF + 2]!]).toEqual([3, 20]);
});

it('of one dataset leave none out', () => {
  const kept = new KeptMeans(2, 1);
  kept.add(pooled('weak/stacked/1', first), 1);
  expect(kept.evaluations).toHaveLength(keptEvaluations(0));
  expect([...kept.evaluations[0]!]).toEqual([3, 20]);
});

it('of what no dataset has a part in are the same without each', () => {
  const kept = new KeptMeans(2, 3);
  kept.add(pooled('base', first), null);
  for (const e of [0, KEPT_HALF, KEPT_HALF + 1, KEPT_HALF + 3]) expect([...kept.evaluations[e]!]).toEqual([3, 20]);
});

it('scatter over resamples as means of chains do', () => {
  const chains = Array.from({ length: 20 }, (_, c) => [c % 2]);
  const spread = standardDeviation(Float64Array.from(pooled('base', chains).slice(1, KEPT_HALF), ([value]) => value!));
  // The standard error of a mean of 20 numbers, which 32 resamples find to an eighth.
  const exact = standardDeviation(Float64Array.from(chains.flat())) / Math.sqrt(20);
  expect(Math.abs(spread / exact - 1)).toBeLessThan(0.4);
});

it('are stretched, since resamples of two chains scatter by half of the variance that a mean of two has', () => {
  const values = new Set(pooled('base', [[0], [1]]).map(([value]) => value!.toFixed(9)));
  // Both chains once, or either twice: away from the mean of a half by a half times the root of two.
  expect(values).toEqual(new Set([0.5, 0.5 - Math.SQRT1_2, 0.5 + Math.SQRT1_2].map((value) => value.toFixed(9))));
  // One chain has nothing to scatter by.
  expect(new Set(pooled('base', [[3]]).map(([value]) => value))).toEqual(new Set([3]));
});
