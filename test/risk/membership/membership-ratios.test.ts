import { describe, expect, it } from 'vitest';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { KEPT_HALF, keptEvaluations } from '../../../shared/risk/attribute/kept-evaluations.ts';
import { membershipRatios, membershipWidth } from '../../../shared/risk/membership/membership-ratios.ts';
import type { MembershipTerm } from '../../../shared/risk/membership/membership-terms.ts';

const streams = seededStreams(4);
const logs = (...chains: number[][]) => chains.map((values) => Float64Array.from(values, Math.log));

/** Two datasets with two people each: pairs of three chains. */
const terms: MembershipTerm[] = [
  {
    coefficient: -1,
    chains: 'stacked/1',
    dataset: 1,
    pool: 'arithmetic',
    logMeans: logs([1, 2], [2, 2], [3, 5]),
    logHalves: logs([2, 1], [2, 1], [2, 4]),
  },
  {
    coefficient: 1,
    chains: 'alone/1',
    dataset: 1,
    pool: 'arithmetic',
    logMeans: logs([4, 1], [4, 1], [4, 1]),
    logHalves: logs([4, 1], [4, 1], [4, 1]),
  },
  { coefficient: -1, chains: 'pair/2', dataset: 2, pool: 'geometric', logMeans: logs([1, 1], [4, 1], [2, 8]), logHalves: [] },
  { coefficient: 0, chains: 'base', dataset: undefined, pool: 'arithmetic', logMeans: logs([9, 9]), logHalves: [] },
];

describe('likelihood ratios of membership', () => {
  const width = membershipWidth(terms);
  const bits = membershipRatios(terms, streams);
  const of = (person: number) => bits.subarray(person * width, (person + 1) * width);

  it('are sums of logarithms of expectations, by arithmetic or geometric means of chains', () => {
    expect(width).toBe(keptEvaluations(2));
    expect(of(0)[0]).toBeCloseTo(-1 + 2 - 1, 12);
    expect(of(1)[0]).toBeCloseTo(-Math.log2(3) + 0 - 1, 12);
  });

  it('have half the length where chains have halves, and what they are without a dataset', () => {
    expect(of(0)[KEPT_HALF]).toBeCloseTo(-1 + 2 - 1, 12);
    expect(of(1)[KEPT_HALF]).toBeCloseTo(-1 + 0 - 1, 12);
    expect([...of(0).subarray(KEPT_HALF + 1)]).toEqual([expect.closeTo(-1, 12), expect.closeTo(1, 12)]);
  });

  it('scatter over resamples as the means of the chains do', () => {
    // Of the geometric term alone: chains of 0, 2 and 1 bits have a standard error of 1 / sqrt(3).
    const alone = membershipRatios([terms[2]!], streams);
    expect(standardDeviation(alone.subarray(1, KEPT_HALF))).toBeGreaterThan(0.35);
    expect(standardDeviation(alone.subarray(1, KEPT_HALF))).toBeLessThan(0.85);
  });

  it('leave each dataset its part of what is of none', () => {
    const lesser: MembershipTerm[] = [
      { coefficient: 0.5, chains: 'a', dataset: 1, pool: 'arithmetic', logMeans: logs([8]), logHalves: [] },
      { coefficient: 0.5, chains: 'b', dataset: 2, pool: 'arithmetic', logMeans: logs([32]), logHalves: [] },
      { coefficient: -1, chains: 'base', dataset: undefined, pool: 'arithmetic', logMeans: logs([4]), logHalves: [] },
    ];
    const [whole, ...others] = membershipRatios(lesser, streams);
    expect(whole).toBeCloseTo(2, 12);
    // The mean of 1 and 3 bits, each of which is a half of it.
    expect(others.slice(KEPT_HALF)).toEqual([expect.closeTo(1.5, 12), expect.closeTo(0.5, 12)]);
  });
});
