import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { type AttributeRisk, RECORD_SUMS } from '../../../shared/risk/attribute/attribute-risk.ts';
import {
  columnsOf,
  expectedAgreement,
  type HalfFigure,
  type HalvesStandFor,
  halfAgreement,
  isDistinguishable,
  simulatedFigures,
  summarizeAttributeRisk,
} from '../../../shared/risk/attribute/attribute-summary.ts';
import { HALF_SPLITS, RESAMPLES, WHOLE_SPLITS } from '../../../shared/risk/attribute/chain-evaluations.ts';

/** A part with given ranks; everything else follows from them in a way that is easy to check. */
function part(ranks: number[], rest: Partial<AttributeRisk> = {}): AttributeRisk {
  const rank = Float64Array.from(ranks);
  const filled = (value: number) => rank.map(() => value);
  return {
    rank,
    rankLow: rank.map((value) => value - 0.5),
    rankHigh: rank.map((value) => value + 0.5),
    probability: rank.map((value) => 1 / (1 + value)),
    probabilitySe: filled(0.01),
    priorProbability: filled(0.2),
    priorFirst: filled(0.25),
    informationBits: rank.map((value) => 3 / value),
    bayesFactor: filled(2),
    bayesFactorSe: filled(0.1),
    privacyLoss: rank.map((value) => value / 4),
    privacyLossSe: filled(0.1),
    priorOddsToFirst: filled(1),
    firstGuess: filled(0),
    firstGuessProbability: filled(0.5),
    halfLengthRank: filled(NaN),
    halfLengthProbability: filled(NaN),
    halfLengthInformationBits: filled(NaN),
    uncertaintyResolved: filled(NaN),
    uncertaintyResolvedSe: filled(NaN),
    membershipBits: filled(NaN),
    membershipBitsSe: filled(NaN),
    membershipProbability: filled(NaN),
    effectiveDraws: rank.map((value) => 100 * value),
    paretoK: rank.map((value) => (value === 1 ? NaN : value / 10)),
    halfRanks: Float64Array.from({ length: ranks.length * 2 * HALF_SPLITS }, (_, i) => ranks[Math.floor(i / (2 * HALF_SPLITS))]!),
    halfProbabilities: Float64Array.from(
      { length: ranks.length * 2 * HALF_SPLITS },
      (_, i) => 1 / (1 + ranks[Math.floor(i / (2 * HALF_SPLITS))]!),
    ),
    halfInformationBits: new Float64Array(ranks.length * 2 * HALF_SPLITS),
    halfLosses: Float64Array.from(
      { length: ranks.length * 2 * HALF_SPLITS },
      (_, i) => ranks[Math.floor(i / (2 * HALF_SPLITS))]! / 4 + (i % 2),
    ),
    withoutDatasets: new Float64Array(0),
    recordSums: new Float64Array((1 + RESAMPLES) * RECORD_SUMS.length),
    ...rest,
  };
}

/** Parts one after the other; their sums over records are added up. */
function joined(parts: readonly AttributeRisk[]): AttributeRisk {
  const names = Object.keys(parts[0]!) as (keyof AttributeRisk)[];
  const columns = names.map((name) => [name, Float64Array.from(parts.flatMap((own) => [...own[name]]))]);
  const recordSums = parts[0]!.recordSums.map((_, i) => parts.reduce((sum, own) => sum + own.recordSums[i]!, 0));
  return { ...Object.fromEntries(columns), recordSums };
}

/** The figures of a file with what is known of them where they are simulated. */
async function summarized(
  parts: readonly AttributeRisk[],
  counts: number[],
  candidates: number | Uint32Array,
  paretoKThreshold = 0.7,
  standFor: HalvesStandFor = 'all',
) {
  const risk = joined(parts);
  const file = summarizeAttributeRisk(risk, counts, candidates);
  const rows = { ...risk, halves: (figure: HalfFigure) => halvesOf(risk[figure], WHOLE_SPLITS), without: () => [] };
  return { ...file, ...(await simulatedFigures(rows, counts, file, paretoKThreshold, standFor)) };
}

/** The columns of so many splits. */
const halvesOf = (halves: Float64Array, splits = HALF_SPLITS) => [...columnsOf(halves, 2 * HALF_SPLITS)].slice(0, 2 * splits);

/** The agreement of halves in memory. */
const agreementOf = async (halves: Float64Array, standFor: HalvesStandFor, anew: 'all' | 'base' = 'all') =>
  expectedAgreement(await halfAgreement(halvesOf(halves)), standFor, anew);

describe('summarizeAttributeRisk()', () => {
  const parts = [part([1, 2.5, 4]), part([1, 3])];
  const counts = [2, 1, 3, 1, 3];
  const summarize = () => summarized(parts, counts, 6, 0.7, 'all');

  it('counts records, not combinations', async () => {
    const summary = await summarize();
    expect(summary.truthRankedFirst).toBe(3);
    expect(summary.truthRankedFirstShare).toBeCloseTo(0.3, 14);
    expect(summary.probabilityMean).toBeCloseTo((3 / 2 + 1 / 3.5 + 3 / 5 + 3 / 4) / 10, 14);
    expect(summary.informationBitsMean).toBeCloseTo((3 * 3 + 3 / 2.5 + (3 * 3) / 4 + 3) / 10, 14);
    expect([summary.probabilityMax, summary.informationBitsMax]).toEqual([0.5, 3]);
    expect(summary.effectiveDrawsMin).toBe(100);
  });

  it('has the largest Pareto k, and the records above the threshold; none where no combination has one', async () => {
    // k is 0.25, 0.4 and 0.3 for ranks 2.5, 4 and 3, and none for rank 1.
    const below = (threshold: number) => summarized(parts, counts, 6, threshold, 'all');
    expect((await below(0.3)).paretoKMax).toBe(0.4);
    const shares = [0.2, 0.25, 0.3, 0.4].map(async (threshold) => (await below(threshold)).heavyTailShare);
    expect(await Promise.all(shares)).toEqual([0.7, 0.6, 0.3, 0]);
    const none = await summarized([part([1, 1])], [1, 1], 6, 0.3, 'all');
    expect([none.paretoKMax, none.heavyTailShare]).toEqual([null, 0]);
  });

  it('puts each rank into the bin that ends at it, half ranks with the next whole one', async () => {
    const summary = await summarize();
    expect(summary.rankHistogram).toEqual([3, 0, 4, 3, 0, 0]);
    expect(summary.rankHistogramWidth).toBe(1);
  });

  it('gives bins the least width that leaves at most 1,000', async () => {
    const histogramOf = async (ranks: number[], candidates: number) => {
      const ones = ranks.map(() => 1);
      const found = await summarized([part(ranks)], ones, candidates, 0.7, 'all');
      return {
        bins: found.rankHistogram.length,
        width: found.rankHistogramWidth,
        held: [...found.rankHistogram.entries()].filter(([, records]) => records > 0),
      };
    };
    expect(await histogramOf([1, 1000], 1000)).toEqual({ bins: 1000, width: 1, held: [0, 999].map((b) => [b, 1]) });
    expect(await histogramOf([1, 2, 2.5, 1001], 1001)).toEqual({
      bins: 501,
      width: 2,
      held: [
        [0, 2],
        [1, 1],
        [500, 1],
      ],
    });
    const many = 12_345_678_901;
    expect(await histogramOf([1, many / 2, many], many)).toEqual({
      bins: 1000,
      width: 12_345_679,
      held: [0, 499, 999].map((bin) => [bin, 1]),
    });
  });

  it.each([
    // In order of rank, the records of 1 and 1, of 2.5, of 3 and of 4 are counts 0 and 3, 1, 4 and 2.
    [[2, 1, 3, 1, 3], 3],
    [[1, 1, 1, 1, 1], 2.5],
    [[3, 1, 1, 1, 1], 1],
    [[2, 1, 1, 1, 1], 1.75],
    [[1, 1, 2, 2, 2], 2.75],
  ])('has the median over records with counts %j at %d', async (own, expected) => {
    expect((await summarized(parts, own, 6, 0.7, 'all')).truthRankMedian).toBe(expected);
  });

  it('has the privacy loss of the records, with errors by what the halves of each split differ', async () => {
    const ranks = [1, 2.5, 4, 1, 3];
    const width = 2 * HALF_SPLITS;
    // The second half of a split is off by its number, from 1 to 15: half of their squares is 42.5 on average.
    const halfLosses = Float64Array.from({ length: ranks.length * width }, (_, i) => {
      const half = i % width;
      return ranks[Math.floor(i / width)]! / 4 + (half % 2) * half;
    });
    expect(await summarized([part(ranks, { halfLosses })], counts, 6)).toMatchObject({
      privacyLossMedian: 0.75,
      privacyLoss99: 1,
      privacyLossMax: 1,
      privacyLossMedianSe: expect.closeTo(Math.sqrt(42.5), 12),
      privacyLoss99Se: expect.closeTo(Math.sqrt(42.5), 12),
      privacyLossMaxSe: expect.closeTo(Math.sqrt(42.5), 12),
    });
    const unknown = await summarized([part([1, 2], { privacyLoss: Float64Array.of(1, NaN) })], [1, 1], 6);
    expect([unknown.privacyLossMax, unknown.privacyLossMaxSe]).toEqual([null, null]);
  });

  it('takes standard errors from the sums over records, added over parts before they are compared', async () => {
    const random = new RandomStream(6, 'sums');
    const sums = () => Float64Array.from({ length: (1 + RESAMPLES) * 3 }, () => random.below(1_000));
    const [first, second] = [sums(), sums()];
    // The estimate itself is no resample: far off, it must not count.
    first.fill(1e9, 0, 3);
    const found = await summarized([part([1, 2], { recordSums: first }), part([3], { recordSums: second })], [1, 2, 1], 6, 0.7, 'all');
    const error = (column: number) => {
      const totals = Array.from({ length: RESAMPLES }, (_, b) => first[3 * b + 3 + column]! + second[3 * b + 3 + column]!);
      const mean = totals.reduce((sum, one) => sum + one, 0) / RESAMPLES;
      return Math.sqrt(totals.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (RESAMPLES - 1)) / 4;
    };
    expect(found.truthRankedFirstShareSe).toBeCloseTo(error(0), 10);
    expect(found.probabilityMeanSe).toBeCloseTo(error(1), 10);
    expect(found.informationBitsMeanSe).toBeCloseTo(error(2), 10);
  });

  it('has what paired chains of half the length find, and errors at least as large as the difference', async () => {
    const random = new RandomStream(8, 'half length');
    const recordSums = Float64Array.from({ length: (1 + RESAMPLES) * 3 }, () => random.uniform());
    const ranks = [1, 2.5, 4];
    const own = (halfRanks: number[], bits: number[]) =>
      summarized(
        [
          part(ranks, {
            recordSums,
            halfLengthRank: Float64Array.from(halfRanks),
            halfLengthProbability: Float64Array.from(halfRanks, (value) => 1 / (1 + value)),
            halfLengthInformationBits: Float64Array.from(bits),
          }),
        ],
        [2, 1, 3],
        6,
        0.7,
        'all',
      );
    const bits = ranks.map((value) => 3 / value);
    const simulated = await own(ranks, bits);
    const found = await own([1, 1, 3], [2, 2, 2]);
    expect(found.halfLength!.truthRankedFirstShare).toBeCloseTo(3 / 6, 14);
    expect(found.halfLength!.probabilityMean).toBeCloseTo((2 / 2 + 1 / 2 + 3 / 4) / 6, 14);
    expect(found.halfLength!.informationBitsMean).toBeCloseTo(2, 14);
    const change = 2 - found.informationBitsMean;
    expect(change).toBeGreaterThan(simulated.informationBitsMeanSe);
    expect(found.informationBitsMeanSe).toBeCloseTo(change, 14);
    expect(found.truthRankedFirstShareSe).toBeCloseTo(1 / 6, 14);
    expect(found.halfLength!.changeInErrors).toBeCloseTo(change / simulated.informationBitsMeanSe, 10);
    // Where half the length changes nothing the errors are those of simulation.
    expect(simulated.halfLength!.changeInErrors).toBeCloseTo(0, 12);
    const without = await summarized([part(ranks, { recordSums })], [2, 1, 3], 6, 0.7, 'all');
    expect(without.halfLength).toBeNull();
    expect(without.informationBitsMeanSe).toBe(simulated.informationBitsMeanSe);
    // Nothing varies over the resamples, so that nothing can be counted in errors.
    const still = part([1], {
      halfLengthRank: Float64Array.of(1),
      halfLengthProbability: Float64Array.of(0.5),
      halfLengthInformationBits: Float64Array.of(1),
    });
    expect((await summarized([still], [1], 6, 0.7, 'all')).halfLength!.changeInErrors).toBeNull();
  });

  it('has guessing right for the mean over records of 1 / candidates', async () => {
    expect((await summarize()).randomGuessingShare).toBeCloseTo(1 / 6, 14);
    const candidates = Uint32Array.of(4, 6, 5);
    expect((await summarized([parts[0]!], [3, 1, 1], candidates, 0.7, 'all')).randomGuessingShare).toBeCloseTo(
      (3 / 4 + 1 / 6 + 1 / 5) / 5,
      14,
    );
  });

  it('counts records whose interval is narrower than half of the candidates', async () => {
    const wide = part([1, 2, 3], { rankLow: Float64Array.of(1, 1, 1), rankHigh: Float64Array.of(3.5, 4, 5) });
    expect((await summarized([wide], [5, 1, 1], 6, 0.7, 'all')).distinguishableShare).toBeCloseTo(5 / 7, 14);
    expect(isDistinguishable(1, 3.5, 6)).toBe(true);
    expect(isDistinguishable(1, 4, 6)).toBe(false);
  });
});

describe('expectedAgreement()', () => {
  /** Ranks of half evaluations of records: a common part and noise of twice the variance of a full evaluation's. */
  function simulate(records: number, noise: number): Float64Array {
    const random = new RandomStream(7, `halves/${noise}`);
    const halves = new Float64Array(records * 2 * HALF_SPLITS);
    for (let r = 0; r < records; r++) {
      const own = normal(random);
      for (let i = 0; i < 2 * HALF_SPLITS; i++) {
        halves[r * 2 * HALF_SPLITS + i] = own + Math.sqrt(2) * noise * normal(random);
      }
    }
    return halves;
  }

  it.each([0.1, 0.5, 1, 1.5])('steps halves up to the correlation of two full evaluations, noise %d', async (noise) => {
    const pearson = 1 / (1 + noise * noise);
    // Spearman's correlation of a bivariate normal (Pearson 1907): 6/pi asin(rho / 2).
    const spearman = (6 / Math.PI) * Math.asin(pearson / 2);
    const found = (await agreementOf(simulate(12_000, noise), 'half'))!;
    // Stepping up is exact for Pearson's correlation, and within 0.01 for Spearman's.
    expect(Math.abs(found - spearman)).toBeLessThan(0.02);
    const half = (6 / Math.PI) * Math.asin(1 / (1 + 2 * noise * noise) / 2);
    expect(found).toBeGreaterThan(half);
  });

  it('is one when all halves agree, and null when ranks do not vary', async () => {
    expect(await agreementOf(part([1, 5, 2, 2]).halfRanks, 'all')).toBeCloseTo(1, 14);
    expect(await agreementOf(part([2, 2, 2]).halfRanks, 'all')).toBeNull();
  });

  it('is of all chains in the splits of all, and of the base chains alone in the others', async () => {
    // Halves of all chains agree on three of four records, halves of the base chains on all.
    const halves = Float64Array.from({ length: 4 * 2 * HALF_SPLITS }, (_, i) => {
      const record = Math.floor(i / (2 * HALF_SPLITS));
      const place = i % (2 * HALF_SPLITS);
      const isSwapped = place < 2 * WHOLE_SPLITS && place % 2 === 1 && record < 2;
      return isSwapped ? 1 - record : record;
    });
    // Spearman's correlation of 1, 2, 3, 4 with 2, 1, 3, 4.
    expect(await agreementOf(halves, 'all')).toBeCloseTo(0.8, 14);
    expect(await agreementOf(halves, 'all', 'base')).toBeCloseTo(1, 14);
    expect(await agreementOf(halves, 'half')).toBeCloseTo(1.6 / 1.8, 14);
  });

  it('is null when the halves contradict each other entirely', async () => {
    const halves = Float64Array.from({ length: 3 * 2 * HALF_SPLITS }, (_, i) => {
      const record = Math.floor(i / (2 * HALF_SPLITS));
      return i % 2 === 0 ? record : -record;
    });
    expect(await agreementOf(halves, 'half')).toBeNull();
  });
});
