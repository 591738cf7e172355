import { describe, expect, it } from 'vitest';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { CandidatePairs, type Comparison, NO_LEVEL } from '../../../shared/risk/linkage/candidate-pairs.ts';
import { countPatterns, fitLinkage } from '../../../shared/risk/linkage/fellegi-sunter.ts';

const RECORDS = 600;

/** Variables of which a row has the value of its record with some probability each, and else any. */
function comparisonsWith(right: readonly number[], categories = 40): Comparison[] {
  const random = new RandomStream(7, 'em');
  return right.map((probability, v) => {
    const values = Float64Array.from({ length: RECORDS }, () => random.below(categories));
    const release = values.map((value) => (random.uniform() < probability ? value : random.below(categories)));
    return { name: `V${v}`, values, bands: [{ low: release, high: release }], tells: null };
  });
}

const patternsOf = (comparisons: readonly Comparison[]) => finish(countPatterns(new CandidatePairs(comparisons), comparisons, RECORDS));

describe('countPatterns()', () => {
  it('counts every pair of rows and records once', () => {
    const comparisons = comparisonsWith([1, 0.5, 0], 5);
    const { levels, counts, pairs, rows } = patternsOf(comparisons);
    expect([rows, pairs]).toEqual([RECORDS, RECORDS * RECORDS]);
    const expected = new Map<string, number>();
    for (let row = 0; row < RECORDS; row++)
      for (let record = 0; record < RECORDS; record++) {
        const key = comparisons.map(({ values, bands }) => (values[record] === bands[0]!.low[row] ? 1 : 0)).join('');
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
    const found = new Map([...counts].map((count, p) => [[...levels.subarray(3 * p, 3 * p + 3)].join(''), count]));
    expect(found).toEqual(expected);
  });

  it('tells patterns of many comparisons apart', () => {
    const comparisons = comparisonsWith(Array.from({ length: 40 }, (_, v) => (v % 2 === 0 ? 0.9 : 0.1)));
    const { levels, counts, pairs } = patternsOf(comparisons);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(pairs);
    const agreements = comparisons.map((_, v) => counts.reduce((sum, count, p) => sum + count * levels[40 * p + v]!, 0));
    for (const [v, { values, bands }] of comparisons.entries()) {
      const perValue = new Map<number, number>();
      for (const value of values) perValue.set(value, (perValue.get(value) ?? 0) + 1);
      const expected = bands[0]!.low.reduce((sum, value) => sum + (perValue.get(value) ?? 0), 0);
      expect(agreements[v]).toBe(expected);
    }
  });

  it('marks what a comparison does not tell', () => {
    const [one] = comparisonsWith([1]);
    const tells = Uint8Array.from({ length: RECORDS }, (_, row) => row % 2);
    const { levels, counts } = patternsOf([one!, { ...one!, tells }]);
    const silent = [...counts].filter((_, p) => levels[2 * p + 1] === NO_LEVEL);
    expect(silent.reduce((a, b) => a + b, 0)).toBe((RECORDS / 2) * RECORDS);
  });
});

describe('fitLinkage()', () => {
  it('finds how often variables agree among matches and others, without the truth', () => {
    const right = [0.95, 0.8, 0.6, 0.9, 0.3];
    const { matches, others, matchShare, converged } = fitLinkage(comparisonsWith(right), patternsOf(comparisonsWith(right)), RECORDS);
    expect(converged).toBe(true);
    expect(matchShare * RECORDS).toBeGreaterThan(0.9);
    for (const [v, probability] of right.entries()) {
      const truth = probability + (1 - probability) / 40;
      // Of 600 matches: four standard errors.
      const error = 4 * Math.sqrt((truth * (1 - truth)) / RECORDS) + 0.01;
      expect(Math.abs(matches[v]![1]! - truth)).toBeLessThan(error);
      expect(Math.abs(others[v]![1]! - 1 / 40)).toBeLessThan(0.002);
    }
  });

  it('takes log2 of the ratio for a weight, none of them infinite', () => {
    const comparisons = comparisonsWith([1, 1]);
    const { matches, others, weights } = fitLinkage(comparisons, patternsOf(comparisons), RECORDS);
    for (const [v, ofVariable] of weights.entries())
      for (const [level, weight] of ofVariable.entries()) {
        expect(weight).toBeCloseTo(Math.log2(matches[v]![level]! / others[v]![level]!), 10);
        expect(Number.isFinite(weight)).toBe(true);
      }
  });

  it('learns nothing from a comparison that tells of no row, and from one that tells of some where it tells', () => {
    const [a, b, c] = comparisonsWith([0.9, 0.7, 0.8]) as [Comparison, Comparison, Comparison];
    const fitted = (comparisons: Comparison[]) => fitLinkage(comparisons, patternsOf(comparisons), RECORDS);
    const told = (tells: (row: number) => boolean) =>
      fitted([a, b, { ...c, tells: Uint8Array.from({ length: RECORDS }, (_, row) => Number(tells(row))) }]);
    const [without, silent] = [fitted([a, b]), told(() => false)];
    for (const v of [0, 1]) expect(silent.matches[v]![1]).toBeCloseTo(without.matches[v]![1]!, 12);
    const third = told((row) => row % 3 === 0).matches[2]![1]!;
    // Of 200 matches: four standard errors.
    expect(Math.abs(third - 0.805)).toBeLessThan(4 * Math.sqrt((0.805 * 0.195) / 200) + 0.01);
  });

  it('has one match a row at most', () => {
    const constant = comparisonsWith([1], 1);
    expect(fitLinkage(constant, patternsOf(constant), RECORDS).matchShare).toBeLessThanOrEqual(1 / RECORDS);
  });
});
