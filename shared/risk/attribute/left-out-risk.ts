import { type AttributeRisk, emptyRisk, type ListedRisk, RECORD_SUMS } from './attribute-risk.ts';
import { HALF_SPLITS } from './chain-evaluations.ts';
import { grained } from './grained.ts';
import { emptyLikeliest, LIKELIEST_NUMBERS } from './likeliest-candidates.ts';
import { VALUE_COLUMNS } from './value-risk.ts';

/** Rows of a batch of which the synthesizer never saw some. */
export interface LeftOutRows {
  /** For each row its place among those that were scored, -1 where it is left out. */
  readonly places: Int32Array;
  /** Records of each row. */
  readonly counts: Uint32Array;
  /** Candidates of each row. */
  readonly candidates: Uint32Array;
}

const HALVES = ['halfRanks', 'halfProbabilities', 'halfInformationBits', 'halfLosses'] as const;

type Figure = Exclude<keyof AttributeRisk, (typeof HALVES)[number] | 'recordSums'>;

/**
 * What is known of a row that the synthesizer never saw: P(Z | D_-i) has no x in it, so that the posterior is the
 * uniform prior, without error, and the truth ties with every other candidate. It could have any rank.
 *
 * @param candidates of the row
 */
function unseen(candidates: number): Record<Figure, number> {
  const rank = (candidates + 1) / 2;
  const probability = 1 / candidates;
  return {
    rank,
    rankLow: 1,
    rankHigh: candidates,
    priorProbability: probability,
    priorFirst: probability,
    probability,
    probabilitySe: 0,
    bayesFactor: candidates > 1 ? 1 : NaN,
    bayesFactorSe: candidates > 1 ? 0 : NaN,
    privacyLoss: 0,
    privacyLossSe: 0,
    informationBits: 0,
    priorOddsToFirst: 1,
    // The truth, since it ties.
    firstGuess: 0,
    firstGuessProbability: probability,
    halfLengthRank: rank,
    halfLengthProbability: probability,
    halfLengthInformationBits: 0,
    // Its values are not asked for.
    uncertaintyResolved: NaN,
    uncertaintyResolvedSe: NaN,
    // Nothing was estimated from draws.
    effectiveDraws: Infinity,
    paretoK: NaN,
  };
}

/**
 * The risk of all rows of a batch, from that of the rows that the synthesizer was fitted to: between them stand those that
 * it never saw. Their halves are NaN, since estimates agree on them without telling how well they agree; their values have
 * nothing to guess and none of their candidates is likelier than another, since no release was scored.
 *
 * @param sets value sets of a row
 */
export function withLeftOut(scored: ListedRisk, { places, counts, candidates }: LeftOutRows, sets: number): ListedRisk {
  const resamples = scored.recordSums.length / RECORD_SUMS.length - 1;
  const risk = emptyRisk(places.length, resamples);
  const likeliest = emptyLikeliest(places.length);
  const columns = new Float64Array(places.length * sets * VALUE_COLUMNS.length);
  const { halfRanks: _, halfProbabilities: __, halfInformationBits: ___, halfLosses: ____, ...others } = risk;
  const { recordSums, ...figures } = others;
  recordSums.set(scored.recordSums);
  const copy = (from: Float64Array, to: Float64Array, width: number, place: number, row: number) =>
    to.set(from.subarray(place * width, (place + 1) * width), row * width);
  const halves = 2 * HALF_SPLITS;
  for (const [row, place] of places.entries()) {
    if (place !== -1) {
      for (const name of Object.keys(figures) as Figure[]) figures[name][row] = scored[name][place]!;
      for (const name of HALVES) copy(scored[name], risk[name], halves, place, row);
      copy(scored.likeliest, likeliest, LIKELIEST_NUMBERS, place, row);
      copy(scored.values.columns, columns, sets * VALUE_COLUMNS.length, place, row);
      continue;
    }
    const unseenRisk = unseen(candidates[row]!);
    for (const name of Object.keys(figures) as Figure[]) figures[name][row] = unseenRisk[name];
    // Of the privacy loss they are 0, as it is itself.
    for (const name of HALVES) {
      if (name !== 'halfLosses') risk[name].fill(NaN, row * halves, (row + 1) * halves);
    }
    for (let b = 0; b <= resamples; b++) {
      const sums = b * RECORD_SUMS.length;
      recordSums[sums]! += unseenRisk.rank === 1 ? counts[row]! : 0;
      recordSums[sums + 1]! += grained(counts[row]! * unseenRisk.probability);
    }
  }
  return { ...risk, values: { ...scored.values, columns }, likeliest };
}
