import { describe, expect, it } from 'vitest';
import { seededStreams } from '../../../shared/random/streams.ts';
import {
  datasetContributions,
  datasetsOf,
  type ExpectationTerm,
  evaluateTerms,
  groupTerms,
  halfLengthEstimates,
  largestParetoK,
  logExpectation,
  priorTerm,
} from '../../../shared/risk/attribute/expectation.ts';

const streams = seededStreams(6);

/** A term of so many chains on one combination of three candidates. */
function term(chains: number, more: Partial<ExpectationTerm> = {}): ExpectationTerm {
  const name = more.chains ?? 'stacked/1';
  return {
    coefficient: 1,
    chains: name,
    means: Array.from({ length: chains }, (_, c) => Float64Array.of(1, 0.5 + 0.3 * c, 2 + c * name.length)),
    draws: 5,
    pool: 'arithmetic',
    ...more,
  };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('groupTerms()', () => {
  it('puts terms together that count alike, and stretches resamples by the number of their chains', () => {
    const terms = [
      term(2),
      term(3),
      term(2, { coefficient: -1 }),
      term(2, { pool: 'geometric' }),
      term(2, { chains: 'stacked/2' }),
      term(1),
    ];
    const groups = groupTerms(terms, streams);
    expect(groups.map((group) => group.terms.map((one) => terms.indexOf(one.term)))).toEqual([[0, 4], [1], [2], [3], [5]]);
    expect(groups.map(({ stretch }) => stretch)).toEqual([2, 1.5, 2, 2, 1].map(Math.sqrt));
    expect(groups.map(({ coefficient }) => coefficient)).toEqual([1, 1, -1, 1, 1]);
  });

  it('leaves a term alone that is to be, and eight in a group at most', () => {
    const terms = Array.from({ length: 10 }, () => term(2));
    const sizes = (alone?: ExpectationTerm) =>
      groupTerms(terms, streams, alone).map((group) => group.terms.map((one) => terms.indexOf(one.term)));
    expect(sizes()).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [8, 9],
    ]);
    expect(sizes(terms[1])).toEqual([[0, 2, 3, 4, 5, 6, 7, 8], [1], [9]]);
    expect(sizes(terms[0])).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8], [9]]);
  });
});

describe('the datasets that terms tell of', () => {
  it('are in order, and none where they are fewer than two', () => {
    const of = (...datasets: (number | undefined)[]) => datasetsOf(datasets.map((dataset) => term(1, { dataset })));
    expect(of(3, undefined, 1, 3, 10)).toEqual([1, 3, 10]);
    expect(of(2, 2, undefined)).toEqual([]);
    expect(of()).toEqual([]);
  });

  it('each add what their own terms say against the prior', () => {
    const terms = [
      term(2, { dataset: 1 }),
      term(3, { dataset: 2, chains: 'stacked/2', pool: 'geometric', coefficient: 0.5 }),
      term(2, { dataset: 1, chains: 'alone/1', coefficient: -0.5, ownCoefficient: -2 }),
      term(2, { chains: 'base', coefficient: -1 }),
    ];
    const prior = Float64Array.of(0.3, -0.2);
    // Of the three candidates the first and the last.
    const numbers = [0, 2];
    const found = datasetContributions(groupTerms(terms, streams), 0, 3, prior, numbers);
    const values = (t: number, x: number) => terms[t]!.means.map((means) => means[numbers[x]!]!);
    const expected = [
      [0, 1].map((x) => Math.log(mean(values(0, x))) - prior[x]! - 2 * (Math.log(mean(values(2, x))) - prior[x]!)),
      [0, 1].map((x) => 0.5 * (mean(values(1, x).map(Math.log)) - prior[x]!)),
    ];
    expect(found.map((part) => [...part])).toEqual(expected.map((part) => part.map((value) => expect.closeTo(value, 12))));
    expect(datasetContributions(groupTerms(terms.slice(2), streams), 0, 3, prior, numbers)).toEqual([]);
  });
});

describe('terms by themselves', () => {
  it('have the log of a mean, or the mean of logs', () => {
    const { means } = term(3);
    const values = means.map((own) => own[2]!);
    expect(logExpectation(means, 2, 'arithmetic')).toBeCloseTo(Math.log(mean(values)), 12);
    expect(logExpectation(means, 2, 'geometric')).toBeCloseTo(mean(values.map(Math.log)), 12);
  });

  it('have chains of half length where some do, the others standing for themselves', () => {
    const half = Float64Array.of(0, 0.7, -0.4);
    const terms = [
      term(2, { halfLength: half }),
      term(3, { coefficient: -0.5 }),
      term(2, { coefficient: 0, chains: 'base', halfLength: half }),
    ];
    const found = halfLengthEstimates(terms, 0, 3, [0, 2], 2);
    const other = (x: number) => Math.log(mean(terms[1]!.means.map((own) => own[x]!)));
    expect([...found!]).toEqual([0, 2].map((x) => expect.closeTo(2 * (half[x]! - 0.5 * other(x)), 12)));
    // Those that count nothing do not decide it.
    expect(halfLengthEstimates(terms.slice(1), 0, 3, [0], 1)).toBeNull();
  });

  it('have the largest Pareto k, of those that have one', () => {
    const shapes = (...k: number[]) => term(1, { paretoK: Float64Array.of(...k) });
    expect(largestParetoK([shapes(0.2, NaN), term(1), shapes(0.4, NaN), shapes(0.3, -1)], 0)).toBe(0.4);
    expect(largestParetoK([shapes(0.2, NaN), shapes(0.3, -1)], 1)).toBe(-1);
    expect(largestParetoK([shapes(NaN), term(1)], 0)).toBeNaN();
  });

  it('have one of the base chains, unless these weigh by their masses', () => {
    const base = term(2, { chains: 'base' });
    const weighed = term(2, { chains: 'base', logMasses: Float64Array.of(0, 1) });
    expect(priorTerm([term(2), weighed, base])).toBe(base);
    expect(() => priorTerm([term(2), weighed])).toThrow(RangeError);
    expect(() => priorTerm([base, base])).toThrow(RangeError);
  });

  it.each([1e-120, 1e120])('multiply up beyond what a double holds, by factors of %d', (factor) => {
    const terms = Array.from({ length: 4 }, (_, t) =>
      term(2, { chains: `stacked/${t}`, means: [1, 3].map((c) => Float64Array.of(1, c * factor, c)) }),
    );
    const [, middle, last] = evaluateTerms(terms, streams, 3, 1)(0);
    expect(middle).toBeCloseTo(4 * Math.log(2 * factor), 8);
    expect(last).toBeCloseTo(4 * Math.log(2), 12);
  });
});
