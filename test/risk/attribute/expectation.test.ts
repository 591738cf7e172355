import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { chainCounts, EVALUATIONS, RESAMPLES } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { type ExpectationTerm, effectiveDraws, evaluateTerms } from '../../../shared/risk/attribute/expectation.ts';

const CANDIDATES = 4;
const SEED = 17;

/** A term whose chains have random positive means for some combinations. */
function term(random: RandomStream, chains: number, combinations: number, rest: Partial<ExpectationTerm> = {}): ExpectationTerm {
  const means = Array.from({ length: chains }, () =>
    Float64Array.from({ length: combinations * CANDIDATES }, (_, i) => (i % CANDIDATES === 0 ? 1 : 0.05 + 3 * random.uniform())),
  );
  return { coefficient: 1, chains: 'base', means, draws: 10 * chains, pool: 'arithmetic', ...rest };
}

/** One term from its definition: weighted means over chains, log inside or outside, deviations stretched. */
function naiveTerm(one: ExpectationTerm, combination: number, b: number, x: number): number {
  const chains = one.means.length;
  const counts = chainCounts(seededStreams(SEED), one.chains, chains);
  const pooled = (evaluation: number) => {
    let top = 0;
    let total = 0;
    for (let c = 0; c < chains; c++) {
      const share = counts[evaluation * chains + c]! * Math.exp(one.logMasses?.[c] ?? 0);
      const mean = one.means[c]![combination * CANDIDATES + x]!;
      top += share * (one.pool === 'geometric' ? Math.log(mean) : mean);
      total += share;
    }
    return one.pool === 'geometric' ? top / total : Math.log(top / total);
  };
  if (b === 0 || chains === 1) return one.coefficient * pooled(b);
  const stretch = b > RESAMPLES ? Math.SQRT1_2 : Math.sqrt(chains / (chains - 1));
  return one.coefficient * (pooled(0) + stretch * (pooled(b) - pooled(0)));
}

function expectNaive(terms: readonly ExpectationTerm[], combinations: number) {
  const evaluate = evaluateTerms(terms, seededStreams(SEED), CANDIDATES);
  // Backwards too: an evaluation leaves nothing behind for the next.
  const order = [...Array(combinations).keys(), ...Array(combinations).keys()].toReversed();
  for (const combination of order) {
    const values = evaluate(combination);
    expect(values).toHaveLength(EVALUATIONS * CANDIDATES);
    let largest = 0;
    for (let b = 0; b < EVALUATIONS; b++) {
      for (let x = 0; x < CANDIDATES; x++) {
        const expected = terms.reduce((sum, one) => sum + naiveTerm(one, combination, b, x), 0);
        largest = Math.max(largest, Math.abs(values[b * CANDIDATES + x]! - expected));
      }
    }
    expect(largest).toBeLessThan(1e-11);
  }
}

describe('evaluateTerms()', () => {
  it('is the log of the mean over chains, in the estimate and in every resample and half', () => {
    expectNaive([term(new RandomStream(1, 'arithmetic'), 5, 3)], 3);
  });

  it('is the mean over chains of the log, for chains compared one by one', () => {
    expectNaive([term(new RandomStream(2, 'geometric'), 5, 3, { pool: 'geometric' })], 3);
  });

  it('weighs chains by their masses, which may lie anywhere', () => {
    for (const shift of [0, 600]) {
      const logMasses = Float64Array.of(-1, 0.5, -3, 2).map((value) => value + shift);
      expectNaive([term(new RandomStream(3, 'masses'), 4, 2, { logMasses })], 2);
    }
  });

  it('weighs the chains of a resample among themselves, however far below one that it lacks', () => {
    const one = term(new RandomStream(9, 'far'), 2, 1, { logMasses: Float64Array.of(0, 2000) });
    const counts = chainCounts(seededStreams(SEED), one.chains, 2);
    const values = evaluateTerms([one], seededStreams(SEED), CANDIDATES)(0);
    let lacking = 0;
    for (let b = 1; b <= RESAMPLES; b++) {
      const chain = counts[2 * b + 1] === 0 ? 0 : 1;
      if (chain === 0) lacking++;
      for (let x = 0; x < CANDIDATES; x++) {
        const [own, all] = [chain, 1].map((c) => Math.log(one.means[c]![x]!)) as [number, number];
        expect(values[b * CANDIDATES + x]).toBeCloseTo(all + Math.SQRT2 * (own - all), 12);
      }
    }
    expect(lacking).toBeGreaterThan(0);
  });

  it('adds terms with their coefficients, resampling together what has one name and apart what has not', () => {
    const random = new RandomStream(4, 'sum');
    expectNaive(
      [
        term(random, 6, 3, { chains: 'stacked/1' }),
        term(random, 6, 3, { chains: 'alone/1', coefficient: -0.5 }),
        term(random, 3, 3, { chains: 'pair', pool: 'geometric' }),
        term(random, 3, 3, { chains: 'pair', pool: 'geometric', coefficient: -1 }),
        term(random, 1, 3, { chains: 'exact' }),
        term(random, 9, 3, { coefficient: -1 }),
      ],
      3,
    );
  });

  it('adds terms that count alike, however many: their logarithm is taken at once', () => {
    const random = new RandomStream(8, 'alike');
    for (const pool of ['arithmetic', 'geometric'] as const) {
      const terms = Array.from({ length: 19 }, (_, l) => term(random, 3, 1, { chains: `stacked/${l}`, coefficient: -0.8, pool }));
      expectNaive(terms, 1);
    }
  });

  it('cancels chains against themselves, whole and resampled', () => {
    const one = term(new RandomStream(5, 'cancel'), 4, 1);
    const values = evaluateTerms([one, { ...one, coefficient: -1 }], seededStreams(SEED), CANDIDATES)(0);
    expect(Math.max(...values.map(Math.abs))).toBe(0);
  });

  it('does not vary over resamples when there is one chain, or all chains agree', () => {
    const one = term(new RandomStream(6, 'one'), 1, 1);
    for (const means of [one.means, [one.means[0]!, one.means[0]!, one.means[0]!]]) {
      const values = evaluateTerms([{ ...one, means }], seededStreams(SEED), CANDIDATES)(0);
      for (let i = 0; i < values.length; i++) expect(values[i]).toBeCloseTo(values[i % CANDIDATES]!, 14);
    }
  });

  it('gives resamples the standard error of the mean of few chains, not a smaller one', () => {
    // Means near 1, where log is linear: the error of the log is that of the mean, s / sqrt(K).
    for (const chains of [2, 4, 16]) {
      let ratio = 0;
      const repeats = 400;
      const random = new RandomStream(7, `stretch/${chains}`);
      for (let repeat = 0; repeat < repeats; repeat++) {
        const means = Array.from({ length: chains }, () => Float64Array.of(1 + 0.001 * normal(random)));
        const one: ExpectationTerm = { coefficient: 1, chains: `${repeat}`, means, draws: 1, pool: 'arithmetic' };
        const values = evaluateTerms([one], seededStreams(SEED), 1)(0);
        let squares = 0;
        for (let b = 1; b <= RESAMPLES; b++) squares += (values[b]! - values[0]!) ** 2 / RESAMPLES;
        ratio += squares / (0.001 ** 2 / chains) / repeats;
      }
      // chi-square with K - 1 degrees of freedom, 400 times: standard error sqrt(2 / (400 (K - 1))).
      expect(Math.abs(ratio - 1), `${chains} chains`).toBeLessThan(4 * Math.sqrt(2 / (400 * (chains - 1))) + 0.02);
    }
  });
});

describe('effectiveDraws()', () => {
  const means = [Float64Array.of(1, 2, 9, 9), Float64Array.of(1, 4, 9, 9)];

  it('is Kish’s number for the noisiest expectation of the combination', () => {
    // Candidate 1: mean 3, mean square 18: 10 x 9 / 18 = 5. Candidate 0 has all 10.
    const meanSquares = Float64Array.of(1, 18, 9 * 9 * 2, 81);
    const one: ExpectationTerm = { coefficient: 1, chains: 'a', means, meanSquares, draws: 10, pool: 'arithmetic' };
    const even = Float64Array.of(0.5, 0.5);
    expect(effectiveDraws([one], 0, even)).toBe(5);
    expect(effectiveDraws([one], 1, even)).toBe(5);
    const noisier = { ...one, meanSquares: Float64Array.of(1, 90, 81, 81) };
    expect(effectiveDraws([one, noisier], 0, even)).toBe(1);
    expect(effectiveDraws([noisier, one], 0, even)).toBe(1);
    // A candidate below its uniform share does not matter; the truth always does, and is never noisy.
    expect(effectiveDraws([one, noisier], 0, Float64Array.of(0.6, 0.4))).toBe(10);
  });

  it('is that of the candidates that there are, and of terms that count', () => {
    const meanSquares = Float64Array.of(1, 900, 162, 81);
    const rest = { chains: 'a', means, draws: 10, pool: 'arithmetic' } as const;
    const one: ExpectationTerm = { ...rest, coefficient: -1, meanSquares };
    const even = Float64Array.of(0.5, 0.5);
    // Of a combination of four candidates the first and the third: 10 x 81 / 162; the second has 10 x 9 / 900.
    expect(effectiveDraws([one], 0, even, 4, Uint32Array.of(0, 2))).toBe(5);
    expect(effectiveDraws([one], 0, even, 4, Uint32Array.of(0, 1))).toBe(0.1);
    expect(effectiveDraws([{ ...one, coefficient: 0 }], 0, even, 4)).toBe(Infinity);
    // The truth matters even where it is improbable.
    const truth = { ...one, meanSquares: Float64Array.of(5, 9, 81, 81) };
    expect(effectiveDraws([truth], 0, Float64Array.of(0.1, 0.9))).toBe(2);
  });

  it('is the number of draws when they all agree, and Infinity when none is noisy', () => {
    const exact: ExpectationTerm = { coefficient: 1, chains: 'a', means: [means[0]!], draws: 1, pool: 'arithmetic' };
    expect(effectiveDraws([exact], 0, Float64Array.of(0.5, 0.5))).toBe(Infinity);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0.1, max: 10, noNaN: true }), (draws, r) => {
        const same = { ...exact, means: [Float64Array.of(r)], meanSquares: Float64Array.of(r * r), draws };
        expect(effectiveDraws([same, exact], 0, Float64Array.of(1)) / draws).toBeCloseTo(1, 12);
      }),
    );
  });
});
