import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import {
  augmentedTerms,
  effectiveWeights,
  exactChain,
  expectationTerm,
  importanceTerms,
  parametersTerms,
  type ScoredChains,
} from '../../../shared/risk/attribute/attribute-estimators.ts';
import { type ExpectationTerm, evaluateTerms } from '../../../shared/risk/attribute/expectation.ts';

const mean = (...values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Chains that each have the same mean r for every candidate but the first. */
function scored(name: string, ...ratios: number[]): ScoredChains {
  return {
    name,
    drawsPerChain: 5,
    means: ratios.map((ratio) => Float64Array.of(1, ratio)),
    meanSquares: Float64Array.of(1, mean(...ratios.map((ratio) => 2 * ratio * ratio))),
  };
}

const estimate = (terms: readonly ExpectationTerm[]) => evaluateTerms(terms, seededStreams(1), 2)(0)[1]!;

describe('augmentedTerms()', () => {
  const base = scored('base', 2, 3);

  it('is the paired terms, and has the base chains for the prior alone', () => {
    const pairs = [
      { stacked: scored('s/1', 5, 6), table: scored('t/1', 7, 9), chainByChain: false },
      { stacked: scored('s/2', 0.5, 4), table: scored('t/2', 1, 2), chainByChain: false },
      { stacked: scored('s/3', 8, 8), table: scored('t/3', 3, 4), chainByChain: false },
    ];
    const stacked = [mean(5, 6), mean(0.5, 4), mean(8, 8)].map(Math.log);
    const table = [mean(7, 9), mean(1, 2), mean(3, 4)].map(Math.log);
    const paired = stacked.reduce((sum, value, l) => sum + value - table[l]!, 0);
    const terms = augmentedTerms(base, pairs).map(expectationTerm);
    expect(estimate(terms)).toBeCloseTo(paired, 13);
    expect(terms.at(-1)).toMatchObject({ chains: 'base', coefficient: 0 });
  });

  it('compares the chains of datasets made elsewhere one by one', () => {
    const pairs = [1, 2].map((l) => ({ stacked: scored(`p/${l}`, 5, 6), table: scored(`p/${l}`, 7, 9), chainByChain: true }));
    const stacked = mean(Math.log(5), Math.log(6));
    const table = mean(Math.log(7), Math.log(9));
    expect(estimate(augmentedTerms(base, pairs).map(expectationTerm))).toBeCloseTo(2 * (stacked - table), 13);
  });

  it('carries the draws and their squares of all chains together', () => {
    const [own] = augmentedTerms(scored('base', 2, 4), []).map(expectationTerm);
    expect(own).toMatchObject({ draws: 10 });
    expect([...own!.meanSquares!]).toEqual([1, 20]);
  });
});

describe('parametersTerms()', () => {
  it('has r at the generating draws where `augmented` has its expectation given the dataset', () => {
    const generating = [3, 0.2].map((ratio, l) => exactChain(`g/${l}`, Float64Array.of(1, ratio)));
    const tables = [scored('t/1', 7, 9), scored('t/2', 1, 2)];
    const terms = parametersTerms(scored('base', 2, 3), generating, tables).map(expectationTerm);
    const expected = Math.log(3) + Math.log(0.2) - Math.log(8) - Math.log(1.5);
    expect(estimate(terms)).toBeCloseTo(expected, 13);
    // Exact values have no Monte Carlo error to speak of.
    expect([terms[0], terms[2]].map((term) => term!.meanSquares)).toEqual([undefined, undefined]);
  });
});

describe('importanceTerms()', () => {
  it('weighs each chain’s mean of r by the likelihood it holds, over the plain mean, for each dataset', () => {
    const weighted = [
      [Float64Array.of(1, 4), Float64Array.of(1, 6)],
      [Float64Array.of(1, 0.5), Float64Array.of(1, 0.1)],
    ];
    const logMasses = [Float64Array.of(-1000 + Math.log(3), -1000), Float64Array.of(-2000, -2000 + Math.log(9))];
    const terms = importanceTerms(scored('base', 2, 3), weighted, logMasses);
    const expected = Math.log((3 * 4 + 6) / 4) + Math.log((0.5 + 9 * 0.1) / 10) - 2 * Math.log(2.5);
    expect(estimate(terms)).toBeCloseTo(expected, 12);
    expect(terms.every(({ chains }) => chains === 'base')).toBe(true);
    expect(terms.map(({ draws }) => draws)).toEqual([10, 10, 10]);
  });
});

describe('effectiveWeights()', () => {
  it('is the number of equal weights, and one when one outweighs all', () => {
    expect(effectiveWeights(new Float64Array(7).fill(-900))).toBeCloseTo(7, 10);
    expect(effectiveWeights(Float64Array.of(-900, -100, -900))).toBeCloseTo(1, 10);
  });

  it('is (sum p)^2 / sum p^2', () => {
    expect(effectiveWeights(Float64Array.of(Math.log(1), Math.log(2), Math.log(3)))).toBeCloseTo(36 / 14, 12);
  });
});
