import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { attributeRisk, emptyRisk, RECORD_SUMS, setTruth } from '../../../shared/risk/attribute/attribute-risk.ts';
import { HALF_SPLITS, halfEvaluation, RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { type ExpectationTerm, evaluateTerms } from '../../../shared/risk/attribute/expectation.ts';
import { likeliestOf } from '../../../shared/risk/attribute/likeliest-candidates.ts';
import { informationBits, NoEstimate, posterior, rank } from '../../../shared/risk/attribute/posterior.ts';
import { VALUE_COLUMNS, valueAt } from '../../../shared/risk/attribute/value-risk.ts';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { rowValueSets } from '../../../shared/risk/intruder/value-sets.ts';
import { mixedSpace, mixedValueSets } from '../../../shared/risk/mixed/mixed-space.ts';

/** One chain, so that the estimate has no error: ratios as they are, combinations x candidates. */
function exactTerm(...ratios: number[]): ExpectationTerm {
  return { coefficient: 1, chains: 'exact', means: [Float64Array.from(ratios)], draws: 1, pool: 'arithmetic' };
}

/** Chains whose means scatter around values between 0.2 and 3 by some share of them. */
function noisyTerms(combinations: number, candidates: number, chains: number, noise: number): ExpectationTerm[] {
  const random = new RandomStream(5, 'noisy');
  const length = combinations * candidates;
  const centre = Float64Array.from({ length }, (_, i) => (i % candidates === 0 ? 1 : 0.2 + 2.8 * random.uniform()));
  const means = Array.from({ length: chains }, () =>
    centre.map((value, i) => (i % candidates === 0 ? 1 : value * (1 + noise * (random.uniform() - 0.5)))),
  );
  const meanSquares = centre.map((value) => 3 * value * value);
  return [{ coefficient: 1, chains: 'noisy', means, meanSquares, draws: 100, pool: 'arithmetic' }];
}

const grains = (value: number) => Math.round(value * 2 ** 20) / 2 ** 20;

describe('attributeRisk()', () => {
  it('gives rank, probability, bits, first guess and prior odds of a case worked out by hand', () => {
    // Posteriors 1/8, 2/8, 1/8, 4/8; then 4/8 1/8 1/8 2/8; then the truth ties with candidate 2.
    const term = exactTerm(1, 2, 1, 4, 1, 0.25, 0.25, 0.5, 1, 0.5, 1, 0.5);
    const risk = attributeRisk({ terms: [term], counts: [1, 1, 3], candidates: 4, streams: seededStreams(1), slope: 1 });
    expect([...risk.rank]).toEqual([3.5, 1, 1.5]);
    expect(risk.probability[0]).toBeCloseTo(1 / 8, 14);
    expect(risk.probability[1]).toBeCloseTo(1 / 2, 14);
    expect(risk.probability[2]).toBeCloseTo(1 / 3, 14);
    // Sum of p log2(4 p): 2/8 log2(1) + 2 x 1/8 log2(1/2) + 1/2 log2(2) = 1/4.
    expect(risk.informationBits[0]).toBeCloseTo(1 / 4, 14);
    expect([...risk.firstGuess]).toEqual([3, 0, 0]);
    expect(risk.firstGuessProbability[0]).toBeCloseTo(1 / 2, 14);
    expect(risk.priorOddsToFirst[0]).toBeCloseTo(4, 13);
    expect([risk.priorOddsToFirst[1], risk.priorOddsToFirst[2]]).toEqual([1, 1]);
    expect([...risk.effectiveDraws]).toEqual([Infinity, Infinity, Infinity]);
    const likely = (row: number) =>
      likeliestOf(risk.likeliest, row).map(({ candidate, before, after }) => [candidate, before, Math.round(after * 1e9) / 1e9]);
    expect(likely(0)).toEqual([
      [3, 0.25, 0.5],
      [1, 0.25, 0.25],
      [0, 0.25, 0.125],
      [2, 0.25, 0.125],
    ]);
    expect(likely(1).map(([candidate]) => candidate)).toEqual([0, 3, 1, 2]);
  });

  it('gives the prior odds at which the truth would come first (Hu et al. 2014, eq. 18)', () => {
    const terms = [exactTerm(1, 2, 0.7, 4.5, 3, 0.2)];
    const request = { terms, counts: [1], candidates: 6, streams: seededStreams(1), slope: 1.3 };
    const { priorOddsToFirst, firstGuess } = attributeRisk(request);
    // The truth so many times as probable beforehand as each of the others.
    const firstAt = (odds: number) => {
      const logPrior = new Float64Array(6).with(0, Math.log(odds));
      return attributeRisk({ ...request, priors: { source: 'given', of: () => logPrior } });
    };
    expect(firstGuess[0]).toBe(3);
    expect(priorOddsToFirst[0]).toBeCloseTo(4.5 ** 1.3, 12);
    const [below, above] = [0.999, 1.001].map((factor) => firstAt(factor * priorOddsToFirst[0]!));
    expect([below!.rank[0], below!.firstGuess[0]]).toEqual([2, 3]);
    expect([above!.rank[0], above!.firstGuess[0]]).toEqual([1, 0]);
    // It asks of the likelihood alone: whatever the prior of the run, the same odds against the same guess.
    expect(below!.priorOddsToFirst[0]).toBeCloseTo(priorOddsToFirst[0]!, 12);
  });

  it('has no error, and intervals of one rank, where there is one chain', () => {
    const risk = attributeRisk({ terms: [exactTerm(1, 2, 1, 4)], counts: [1], candidates: 4, streams: seededStreams(1), slope: 1 });
    expect(risk.probabilitySe[0]).toBeCloseTo(0, 14);
    expect([risk.rankLow[0], risk.rankHigh[0]]).toEqual([3.5, 3.5]);
    expect([...risk.halfRanks]).toEqual(new Array(2 * HALF_SPLITS).fill(3.5));
  });

  it('has errors and intervals that hold what paired chains of half the length find', () => {
    // With all draws 1/8, 2/8, 1/8 and 4/8; with the first half of one side the truth has 2/8 and the second place.
    const side = { ...exactTerm(1, 4, 2, 8), halfLength: Float64Array.of(1, 2, 1, 4).map(Math.log) };
    const other = { ...exactTerm(1, 2, 2, 2), chains: 'other', coefficient: -1, halfLength: Float64Array.of(1, 4, 4, 2).map(Math.log) };
    const prior = { ...exactTerm(1, 9, 9, 9), chains: 'base', coefficient: 0 };
    const request = { counts: [1], candidates: 4, streams: seededStreams(1) };
    const risk = attributeRisk({ ...request, terms: [side, other, prior], slope: 1 });
    expect(risk.probability[0]).toBeCloseTo(1 / 8, 14);
    // 1, 1/2, 1/4 and 2.
    expect(risk.halfLengthProbability[0]).toBeCloseTo(1 / 3.75, 14);
    expect(risk.halfLengthRank[0]).toBe(2);
    expect(risk.probabilitySe[0]).toBeCloseTo(1 / 3.75 - 1 / 8, 13);
    expect([risk.rankLow[0], risk.rank[0], risk.rankHigh[0]]).toEqual([2, 3.5, 3.5]);
    const raised = attributeRisk({ ...request, terms: [side, other, prior], slope: 2 });
    expect(raised.halfLengthProbability[0]).toBeCloseTo(1 / (1 + 1 / 4 + 1 / 16 + 4), 14);
    const without = attributeRisk({ ...request, terms: [exactTerm(1, 2, 1, 4)], slope: 1 });
    expect([...without.halfLengthRank]).toEqual([NaN]);
  });

  it('has, of numbers alone, in each half of the chains the mean over numbers of the probability near the true value', () => {
    const scale = { toUnit: (value: number) => value / 10, fromUnit: (unit: number) => unit * 10 };
    const space = mixedSpace(candidateSpace('one-change', [], []), [
      { part: 0, masses: [0], decimals: 1, scale, cells: 5, within: { share: 0.2 } },
      { part: 1, masses: [], decimals: 0, scale, cells: 4, within: { amount: 2 } },
    ]);
    const sets = mixedValueSets(space, { codes: new Uint16Array(0), values: Float64Array.of(0, 3.3, 7, 4) });
    const candidates = space.perRecord;
    const riskOf = (means: readonly Float64Array[]) =>
      attributeRisk({
        ...{ terms: [{ coefficient: 1, chains: 'base', means, draws: 1, pool: 'arithmetic' as const, dataset: 1 }], candidates, sets },
        ...{ counts: [1, 1], ranked: 1, streams: seededStreams(1), slope: 1 },
      });
    const { means } = noisyTerms(2, candidates, 2, 1)[0]!;
    // Halves lie on either side of the estimate, brought nearer by the root of two.
    const [whole, ...alone] = [
      means,
      ...means.map((half) => [
        half.map((value, i) => {
          const both = (means[0]![i]! + means[1]![i]!) / 2;
          return both * (value / both) ** Math.SQRT1_2;
        }),
      ]),
    ].map(riskOf);
    for (const row of [0, 1]) {
      const near = alone.map(
        ({ values }) => (valueAt(values, 2 * row, 'probabilityAfter') + valueAt(values, 2 * row + 1, 'probabilityAfter')) / 2,
      );
      expect(near[0]).not.toBeCloseTo(near[1]!, 3);
      for (let split = 0; split < HALF_SPLITS; split++) {
        const from = 2 * (row * HALF_SPLITS + split);
        const found = whole!.halfRanks.slice(from, from + 2);
        expect([...found].toSorted()).toEqual(near.toSorted().map((value) => expect.closeTo(value, 12)));
        expect(whole!.halfProbabilities.slice(from, from + 2)).toEqual(found);
      }
    }
  });

  it('counts the draws behind the prior as well where the model has it', () => {
    const side = exactTerm(1, 2);
    // Mean squares of 4 at means of 1: a quarter of the draws counts.
    const base = { ...exactTerm(1, 1), chains: 'base', coefficient: 0, draws: 100, meanSquares: Float64Array.of(4, 4) };
    const request = { terms: [side, base], counts: [1], candidates: 2, streams: seededStreams(1), slope: 1 };
    expect(attributeRisk({ ...request, priors: { source: 'model' } }).effectiveDraws[0]).toBeCloseTo(25, 12);
    expect(attributeRisk(request).effectiveDraws[0]).toBe(Infinity);
  });

  it('takes errors, intervals, halves and sums from the evaluations of its terms', () => {
    const [combinations, candidates] = [12, 9];
    const terms = noisyTerms(combinations, candidates, 8, 1.2);
    const counts = Array.from({ length: combinations }, (_, c) => 1 + (c % 3));
    const risk = attributeRisk({ terms, counts, candidates, streams: seededStreams(9), slope: 1 });
    const evaluate = evaluateTerms(terms, seededStreams(9), candidates);
    const sums = new Float64Array((1 + RESAMPLES) * RECORD_SUMS.length);
    let spanning = 0;
    for (let row = 0; row < combinations; row++) {
      const values = evaluate(row);
      const ranks = Array.from({ length: 1 + RESAMPLES }, (_, b) => rank(values, b * candidates, candidates, 0));
      const posteriors = ranks.map((_, b) => posterior(values, b * candidates, candidates));
      for (const [b, distribution] of posteriors.entries()) {
        sums[3 * b]! += ranks[b] === 1 ? counts[row]! : 0;
        sums[3 * b + 1]! += grains(counts[row]! * distribution[0]!);
        sums[3 * b + 2]! += grains(counts[row]! * informationBits(values, b * candidates, candidates));
      }
      const resampled = posteriors.slice(1).map((distribution) => distribution[0]!);
      const mean = resampled.reduce((sum, p) => sum + p, 0) / RESAMPLES;
      const variance = resampled.reduce((sum, p) => sum + (p - mean) ** 2, 0) / (RESAMPLES - 1);
      expect(risk.probabilitySe[row]).toBeCloseTo(Math.sqrt(variance), 12);
      const sorted = ranks.slice(1).toSorted((a, b) => a - b);
      // The 10th and the 190th of 200, unless the estimate itself lies outside.
      expect(risk.rankLow[row]).toBe(Math.min(ranks[0]!, sorted[9]!));
      expect(risk.rankHigh[row]).toBe(Math.max(ranks[0]!, sorted[189]!));
      if (risk.rankHigh[row]! > risk.rankLow[row]!) spanning++;
      for (let split = 0; split < HALF_SPLITS; split++) {
        for (const half of [0, 1] as const) {
          expect(risk.halfRanks[row * 2 * HALF_SPLITS + 2 * split + half]).toBe(
            rank(values, halfEvaluation(split, half) * candidates, candidates, 0),
          );
          expect(risk.halfProbabilities[row * 2 * HALF_SPLITS + 2 * split + half]).toBe(
            posterior(values, halfEvaluation(split, half) * candidates, candidates)[0],
          );
        }
      }
    }
    expect(spanning).toBeGreaterThan(combinations / 2);
    expect([...risk.recordSums]).toEqual([...sums]);
  });

  it('raises the likelihood to the power of the slope', () => {
    const half = attributeRisk({ terms: [exactTerm(1, 4, 9, 16)], counts: [1], candidates: 4, streams: seededStreams(1), slope: 0.5 });
    expect(half.probability[0]).toBeCloseTo(1 / 10, 13);
    expect(half.priorOddsToFirst[0]).toBeCloseTo(4, 13);
    expect(half.rank[0]).toBe(4);
    const none = attributeRisk({ terms: [exactTerm(1, 4, 9, 16)], counts: [1], candidates: 4, streams: seededStreams(1), slope: 0 });
    expect(none.probability[0]).toBeCloseTo(1 / 4, 14);
  });

  it('is the same however combinations fall into batches: their sums add without rounding', () => {
    const [combinations, candidates] = [23, 7];
    const terms = noisyTerms(combinations, candidates, 6, 1);
    const counts = Array.from({ length: combinations }, (_, c) => 1 + ((c * 7) % 11));
    const whole = attributeRisk({ terms, counts, candidates, streams: seededStreams(3), slope: 0.9 });
    for (const cut of [1, 10, 22]) {
      const parts = [
        [0, cut],
        [cut, combinations],
      ].map(([from, to]) => {
        const own = terms.map((one) => ({
          ...one,
          means: one.means.map((means) => means.slice(from! * candidates, to! * candidates)),
          meanSquares: one.meanSquares!.slice(from! * candidates, to! * candidates),
        }));
        return attributeRisk({ terms: own, counts: counts.slice(from, to), candidates, streams: seededStreams(3), slope: 0.9 });
      });
      const { values: _, densities: none, ...columns } = whole;
      expect(none).toBeUndefined();
      for (const column of Object.keys(columns) as (keyof typeof columns)[]) {
        const [first, second] = parts.map((part) => part[column]) as [Float64Array, Float64Array];
        const joined = column === 'recordSums' ? first.map((sum, i) => sum + second[i]!) : [...first, ...second];
        expect([...joined], column).toEqual([...whole[column]]);
      }
    }
  });

  it('takes effective draws from its terms, or those it is told', () => {
    const terms = noisyTerms(2, 3, 4, 0.1);
    const own = attributeRisk({ terms, counts: [1, 1], candidates: 3, streams: seededStreams(1), slope: 1 }).effectiveDraws;
    expect(own.every((draws) => draws > 20 && draws < 50)).toBe(true);
    expect([
      ...attributeRisk({ terms, counts: [1, 1], candidates: 3, streams: seededStreams(1), slope: 1, effectiveDraws: 1.5 }).effectiveDraws,
    ]).toEqual([1.5, 1.5]);
  });

  it('weighs the values of each variable by the prior of the base chains, and by what the release adds', () => {
    // The truth, the other category of the first variable, and two others of the second.
    const space = candidateSpace('one-change', ['a', 'b'], [2, 3]);
    const sets = rowValueSets(space, Uint16Array.of(1, 2, 0, 0));
    const tells = { ...exactTerm(1, 2, 4, 1, 1, 1, 1, 1), chains: 'stacked/1', dataset: 1 };
    const prior = { ...exactTerm(1, 1, 3, 1, 1, 3, 2, 2), chains: 'base', coefficient: 0 };
    const { values } = attributeRisk({ terms: [tells, prior], counts: [2, 1], candidates: 4, streams: seededStreams(1), slope: 1, sets });
    const column = (row: number, set: number, name: (typeof VALUE_COLUMNS)[number]) =>
      values.columns[(row * 2 + set) * VALUE_COLUMNS.length + VALUE_COLUMNS.indexOf(name)];
    // Before and after the release: 1 : 1 and 1 : 2, then 1 : 3 : 1 and 1 : 12 : 1; of the other row 1 : 3 and 1 : 2 : 2.
    expect(column(0, 0, 'probabilityBefore')).toBeCloseTo(1 / 2, 14);
    expect(column(0, 0, 'probabilityAfter')).toBeCloseTo(1 / 3, 14);
    expect(column(0, 1, 'probabilityBefore')).toBeCloseTo(1 / 5, 14);
    expect(column(0, 1, 'probabilityAfter')).toBeCloseTo(1 / 14, 14);
    expect(column(0, 1, 'gainBits')).toBeCloseTo(Math.log2(5 / 14), 13);
    // What the release itself expects: of the first variable 1/3 log2(2/3) + 2/3 log2(4/3).
    expect(column(0, 0, 'claimedBits')).toBeCloseTo((Math.log2(2 / 3) + 2 * Math.log2(4 / 3)) / 3, 13);
    expect([column(0, 0, 'rankBefore'), column(0, 0, 'rankAfter')]).toEqual([1.5, 2]);
    expect([column(0, 1, 'rankBefore'), column(0, 1, 'rankAfter')]).toEqual([2.5, 2.5]);
    // Categories, not places: the first row has 1 and 2, whose others are 0, and 0 and 1.
    expect(column(0, 0, 'guessBefore')).toBe(1);
    expect([column(0, 0, 'guessAfter'), column(0, 1, 'guessBefore'), column(0, 1, 'guessAfter')]).toEqual([0, 0, 0]);
    expect(column(1, 0, 'probabilityBefore')).toBeCloseTo(1 / 4, 14);
    expect(column(1, 0, 'probabilityAfter')).toBeCloseTo(1 / 4, 14);
    expect(column(1, 1, 'probabilityAfter')).toBeCloseTo(1 / 5, 14);
    expect([column(1, 0, 'guessAfter'), column(1, 1, 'guessAfter')]).toEqual([1, 1]);
  });

  it.each([
    ['a ratio of zero', 0],
    ['NaN', NaN],
    ['Infinity', Infinity],
  ])('names the combination whose estimate is not finite: %s', (_, ratio) => {
    const run = () =>
      attributeRisk({ terms: [exactTerm(1, 2, 1, 3, 1, ratio)], counts: [1, 1, 1], candidates: 2, streams: seededStreams(1), slope: 1 });
    expect(run).toThrow(new NoEstimate(2));
  });
});

describe('setTruth()', () => {
  it('takes the interval from the resamples and the halves from where they are, and leaves other rows alone', () => {
    const resamples = 20;
    const halfOf = (split: number, half: 0 | 1) => 1 + resamples + 2 * split + half;
    const evaluations = 1 + resamples + 2 * HALF_SPLITS;
    // The resamples have the ranks 2 to 21, in no order, and the halves 31, 32 and so on.
    const ranks = Float64Array.from({ length: evaluations }, (_, b) =>
      b === 0 ? 10 : b <= resamples ? 2 + ((7 * b) % resamples) : 10 + b,
    );
    const probabilities = ranks.map((value) => 1 / value);
    const risk = emptyRisk(2, resamples);
    const figures = { ranks, probabilities, informationBits: ranks, logBayesFactors: ranks, losses: ranks };
    setTruth(risk, 0, 1, figures, { resamples, halfOf });
    // The first and the nineteenth of twenty.
    expect([risk.rankLow[0], risk.rank[0], risk.rankHigh[0]]).toEqual([2, 10, 20]);
    const halves = Array.from({ length: 2 * HALF_SPLITS }, (_, i) => 31 + i);
    const untouched = halves.map(() => 0);
    expect([...risk.halfRanks]).toEqual([...halves, ...untouched]);
    expect([...risk.halfProbabilities]).toEqual([...halves.map((value) => 1 / value), ...untouched]);
  });
});
