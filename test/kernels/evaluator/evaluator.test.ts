import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReferenceEvaluator } from '../../../bench/plain/evaluator-reference.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { EVALUATIONS, HALF_SPLITS, RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { createEvaluator, type Evaluations, type Evaluator } from '../../../shared/risk/attribute/evaluator.ts';
import type { ExpectationTerm } from '../../../shared/risk/attribute/expectation.ts';
import { VALUE_FIGURES } from '../../../shared/risk/attribute/value-figures.ts';
import { candidateSpace, considerCandidates } from '../../../shared/risk/intruder/candidate-space.ts';
import { type RowValueSets, rowValueSets } from '../../../shared/risk/intruder/value-sets.ts';
import { mixedSpace, mixedValueSets } from '../../../shared/risk/mixed/mixed-space.ts';

const copy = (evaluations: Evaluations) =>
  Object.fromEntries(
    Object.entries(evaluations).map(([name, column]) => [name, ArrayBuffer.isView(column) ? [...(column as Float64Array)] : column]),
  );

/** What an evaluator gives, or the message of its error. */
function outcome(evaluate: () => Evaluations) {
  try {
    return copy(evaluate());
  } catch (error) {
    return (error as RangeError).message;
  }
}

/** Some terms of two datasets, and that of the base chains. */
function releaseTerms(candidates: number, power: number): fc.Arbitrary<ExpectationTerm[]> {
  const own = (name: string, dataset: number) =>
    fc
      .tuple(termArbitrary(candidates, power), meansArbitrary(candidates, power), fc.boolean())
      .map(([term, half, paired]) => ({ ...term, chains: name, dataset, ...(paired ? { halfLength: half.map(Math.log) } : {}) }));
  return fc
    .tuple(own('stacked/1', 1), own('alone/1', 1), own('stacked/2', 2), own('alone/2', 2), termArbitrary(candidates, power))
    .map(([a, b, c, d, base]) => {
      const { logMasses: _, ...prior } = base;
      return [a, b, c, d, { ...prior, chains: 'base', coefficient: -1, pool: 'arithmetic' as const }];
    });
}

/** Evaluates combinations by both programs, to and fro, and returns what the reference gives. */
function expectSameBits(
  terms: readonly ExpectationTerm[],
  candidates: number,
  slope = 1,
  seed = 1,
  considered?: readonly Uint32Array[],
  sets?: RowValueSets,
  priors: RowPriors = UNIFORM,
  ranked?: number,
) {
  const [kernel, reference] = [createEvaluator, createReferenceEvaluator].map((create) =>
    create({ terms, streams: seededStreams(seed), candidates, slope, considered, sets, priors, ranked }),
  ) as [Evaluator, Evaluator];
  const combinations = terms[0]!.means[0]!.length / candidates;
  const order = [...Array(combinations).keys(), ...Array(combinations).keys()].toReversed();
  const expected = order.map((combination) => outcome(() => reference(combination)));
  expect(order.map((combination) => outcome(() => kernel(combination)))).toEqual(expected);
  return expected;
}

const COMBINATIONS = 2;

/** Candidates that are pooled by fours alone, and in tiles of sixteen with some left or none. */
const candidateNumbers = fc.oneof(fc.integer({ min: 1, max: 11 }), fc.constantFrom(16, 19, 32, 37));

/** Means of ratios within some powers of ten, now and then equal to that of the truth. */
function meansArbitrary(candidates: number, power: number) {
  return fc
    .array(fc.oneof(fc.constant(0), fc.double({ min: -power, max: power, noNaN: true })), {
      minLength: COMBINATIONS * candidates,
      maxLength: COMBINATIONS * candidates,
    })
    .map((powers) => Float64Array.from(powers, (one, i) => (i % candidates === 0 ? 1 : 10 ** one)));
}

function termArbitrary(candidates: number, power: number): fc.Arbitrary<ExpectationTerm> {
  return fc.integer({ min: 1, max: 6 }).chain((chains) =>
    fc
      .record({
        coefficient: fc.constantFrom(1, -1, 1 / 3 - 1),
        chains: fc.constantFrom('base', 'stacked/1', 'pair/1'),
        means: fc.array(meansArbitrary(candidates, power), { minLength: chains, maxLength: chains }),
        pool: fc.constantFrom('arithmetic' as const, 'geometric' as const),
        logMasses: fc.option(
          fc
            .array(fc.double({ min: -900, max: 900, noNaN: true }), { minLength: chains, maxLength: chains })
            .map((masses) => Float64Array.from(masses)),
          { nil: undefined },
        ),
      })
      .map(({ logMasses, ...term }) => ({ ...term, draws: 1, ...(logMasses ? { logMasses } : {}) })),
  );
}

/** Terms that all count alike: `chains` chains each, whose means are all `mean` but for the truth's, which are 1. */
function equalTerms(count: number, candidates: number, mean: (term: number) => number): ExpectationTerm[] {
  return Array.from({ length: count }, (_, t) => ({
    coefficient: 1,
    chains: `stacked/${t + 1}`,
    means: Array.from({ length: 3 }, (_, c) =>
      Float64Array.from({ length: COMBINATIONS * candidates }, (_, i) => (i % candidates === 0 ? 1 : mean(t) * (1 + 0.1 * c))),
    ),
    draws: 1,
    pool: 'arithmetic',
  }));
}

import { LOG_ZERO, type RowPriors, UNIFORM } from '../../../shared/risk/prior/row-priors.ts';

describe('the kernel of evaluations gives the bits of the plain program', () => {
  it('for any terms, with any number of candidates', () => {
    const cases = fc
      .record({ candidates: candidateNumbers, power: fc.constantFrom(0.5, 3, 60, 290) })
      .chain(({ candidates, power }) =>
        fc.record({
          candidates: fc.constant(candidates),
          terms: fc.array(termArbitrary(candidates, power), { minLength: 1, maxLength: 12 }),
          slope: fc.constantFrom(1, 0.7, 2.5),
          seed: fc.nat(1000),
        }),
      );
    fc.assert(
      fc.property(cases, ({ terms, candidates, slope, seed }) => {
        expectSameBits(terms, candidates, slope, seed);
      }),
      { numRuns: 40 },
    );
  });

  it('where combinations consider some of the candidates alone', () => {
    const cases = candidateNumbers.chain((candidates) => {
      const some = fc.subarray(Array.from({ length: candidates - 1 }, (_, x) => x + 1)).map((others) => Uint32Array.of(0, ...others));
      return fc.record({
        candidates: fc.constant(candidates),
        terms: fc.array(termArbitrary(candidates, 200), { minLength: 1, maxLength: 9 }),
        considered: fc.array(some, { minLength: COMBINATIONS, maxLength: COMBINATIONS }),
      });
    });
    fc.assert(
      fc.property(cases, ({ terms, candidates, considered }) => {
        const [second] = expectSameBits(terms, candidates, 1, 1, considered);
        if (typeof second === 'string') return;
        expect((second as { estimates: number[] }).estimates).toHaveLength(considered[1]!.length);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['each variable', 'one-change' as const],
    ['one unknown variable', { unknown: ['2'] }],
    ['several unknown variables, and all of them together', { unknown: ['0', '2'] }],
  ])('of value sets: %s', (_, candidates) => {
    const sizes = [2, 3, 4];
    const space = candidateSpace(candidates, ['0', '1', '2'], sizes);
    // The second combination lacks a value where its candidates would be others.
    const codes = Uint16Array.of(1, 0, 2, 0, candidates === 'one-change' ? 3 : 1, 3);
    const considered = considerCandidates(space, codes, undefined);
    const sets = rowValueSets(space, codes, considered);
    const cases = fc
      .constantFrom(0.5, 60)
      .chain((power) => fc.record({ terms: releaseTerms(space.perCombination, power), slope: fc.constantFrom(1, 0.7) }));
    fc.assert(
      fc.property(cases, ({ terms, slope }) => {
        const evaluated = expectSameBits(terms, space.perCombination, slope, 1, considered, sets);
        const [, first] = evaluated as { figures: number[]; halfLength: object | null }[];
        const paired = terms.some(({ coefficient, halfLength }) => coefficient !== 0 && halfLength);
        expect(first!.halfLength !== null).toBe(paired);
        expect(first!.figures).toHaveLength((1 + RESAMPLES + 1 + 2) * sets.count * VALUE_FIGURES.length);
      }),
      { numRuns: 12 },
    );
  });

  it('of continuous variables, whose candidates are not ranked', () => {
    const scale = { toUnit: (value: number) => value / 10, fromUnit: (unit: number) => unit * 10 };
    const space = mixedSpace(candidateSpace('one-change', [], [2, 3]), [
      { part: 0, masses: [0, 12], decimals: 1, scale, cells: 5, within: { share: 0.2 } },
      { part: 1, masses: [], decimals: 0, scale, cells: 4, within: { amount: 2 } },
    ]);
    // Masses hold the first values of both rows; of the second one a category and the second value are missing.
    const values = Float64Array.of(12, 3.3, 7, NaN);
    const without = Array.from({ length: space.perRecord }, (_, x) => x).filter((x) => x !== 2 && x !== 3);
    const every = Array.from({ length: space.perRecord }, (_, x) => x);
    const considered = [Uint32Array.from(every), Uint32Array.from(without)];
    const sets = mixedValueSets(space, { codes: Uint16Array.of(0, 2, 1, 3), values }, considered);
    const cases = fc
      .constantFrom(0.5, 60)
      .chain((power) => fc.record({ terms: releaseTerms(space.perRecord, power), slope: fc.constantFrom(1, 0.7) }));
    fc.assert(
      fc.property(cases, fc.constantFrom<RowPriors>({ source: 'model' }, UNIFORM), ({ terms, slope }, priors) => {
        const ranked = space.categorical.perCombination;
        const evaluated = expectSameBits(terms, space.perRecord, slope, 1, considered, sets, priors, ranked);
        const [second, first] = evaluated as { estimates: number[]; figures: number[] }[];
        expect([first!.estimates.length, second!.estimates.length]).toEqual([ranked, ranked - 2]);
        expect(first!.figures).toHaveLength((1 + RESAMPLES + 1 + 2) * sets.count * VALUE_FIGURES.length);
      }),
      { numRuns: 12 },
    );
  });

  it('of numbers alone, in halves of the chains as well', () => {
    const scale = { toUnit: (value: number) => value / 10, fromUnit: (unit: number) => unit * 10 };
    const space = mixedSpace(candidateSpace('one-change', [], []), [
      { part: 0, masses: [0], decimals: 1, scale, cells: 5, within: { share: 0.2 } },
      { part: 1, masses: [], decimals: 0, scale, cells: 4, within: { amount: 2 } },
    ]);
    const sets = mixedValueSets(space, { codes: new Uint16Array(0), values: Float64Array.of(0, 3.3, 7, NaN) });
    fc.assert(
      fc.property(releaseTerms(space.perRecord, 0.5), (terms) => {
        const evaluated = expectSameBits(terms, space.perRecord, 1, 1, undefined, sets, UNIFORM, 1);
        for (const { halfFigures } of evaluated as { halfFigures: number[] }[]) {
          expect(halfFigures).toHaveLength(2 * HALF_SPLITS * 2 * VALUE_FIGURES.length);
        }
      }),
      { numRuns: 12 },
    );
  });

  it('under a prior that is given, of which candidates may have none', () => {
    const cases = fc
      .integer({ min: 1, max: 9 })
      .chain((candidates) =>
        fc.record({
          candidates: fc.constant(candidates),
          terms: fc.array(termArbitrary(candidates, 3), { minLength: 1, maxLength: 4 }),
          logs: fc.array(fc.oneof(...[LOG_ZERO, -2000, 0].map((log) => fc.constant(log)), fc.double({ min: -9, max: 9, noNaN: true })), {
            minLength: candidates,
            maxLength: candidates,
          }),
        }),
      );
    fc.assert(
      fc.property(cases, ({ terms, candidates, logs }) => {
        const logPrior = Float64Array.from(logs).with(0, 0.5);
        const priors: RowPriors = { source: 'given', of: () => logPrior };
        const [, own] = expectSameBits(terms, candidates, 0.7, 1, undefined, undefined, priors);
        expect((own as { logPrior: number[] }).logPrior).toEqual([...logPrior]);
      }),
      { numRuns: 40 },
    );
  });

  it("under the model's prior, with value sets and without", () => {
    const space = candidateSpace({ unknown: ['1'] }, ['0', '1', '2'], [2, 5, 4]);
    const sets = rowValueSets(space, Uint16Array.of(1, 0, 2, 0, 3, 3));
    fc.assert(
      fc.property(releaseTerms(space.perCombination, 3), (terms) => {
        const priors: RowPriors = { source: 'model' };
        const [without] = expectSameBits(terms, space.perCombination, 1.3, 1, undefined, undefined, priors);
        const [within] = expectSameBits(terms, space.perCombination, 1.3, 1, undefined, sets, priors);
        expect((within as { ranks: number[] }).ranks).toEqual((without as { ranks: number[] }).ranks);
      }),
      { numRuns: 12 },
    );
  });

  it('where products leave the safe range and logarithms are added up', () => {
    // Each expectation is ordinary; products of eight are not, nor are those that come back into the range.
    for (const mean of [() => 1e-50, () => 1e50, (t: number) => (t < 4 ? 1e-120 : 1e120)]) {
      const [first] = expectSameBits(equalTerms(8, 5, mean), 5);
      const estimates = (first as { estimates: number[] }).estimates;
      const expected = [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, t) => sum + Math.log(1.1 * mean(t)), 0);
      expect(estimates[1]).toBeCloseTo(expected, 9);
    }
  });

  it('where probabilities underflow', () => {
    const [first] = expectSameBits(
      equalTerms(6, 7, () => 1e60),
      7,
    );
    expect((first as { probabilities: number[] }).probabilities).toEqual(new Array(EVALUATIONS).fill(0));
  });

  it.each([0, NaN, Infinity, -1])('and names the combination with a mean of %d', (mean) => {
    const terms = equalTerms(2, 4, () => 1);
    terms[1]!.means[2]![7] = mean;
    terms[1]!.means[1]![7] = mean;
    terms[1]!.means[0]![7] = mean;
    const [second, first] = expectSameBits(terms, 4);
    expect(second).toBe('combination 1 has no finite estimate');
    expect(first).toHaveProperty('ranks');
  });
});
