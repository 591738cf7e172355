import type { Stepwise } from '../../contracts/stepwise.ts';
import { exp } from '../../numeric/portable-math.ts';
import { type CandidatePairs, NO_LEVEL, type Tolerance } from './candidate-pairs.ts';
import type { LinkageModel } from './fellegi-sunter.ts';

const ROWS_A_STEP = 1024;

/** What stands for a record of the file where there is none. */
export const NO_RECORD = -1;

/** The best link of every row of the release. */
export interface Links {
  /** Its record of the intruder's file, from 0; {@link NO_RECORD} where no record is a candidate. */
  readonly best: Int32Array;
  /** Sum of the weights of the best link, in bits; NaN where there is none. */
  readonly scores: Float64Array;
  /** Probability that the best link is right, in the eyes of the intruder; 0 where there is none. */
  readonly probabilities: Float64Array;
  /** Records with the score of the best: 1 where it is unique. */
  readonly ties: Uint32Array;
  readonly candidates: Uint32Array;
  /** Place of the row's own record by its score, from 1, ties at their mean; NaN where it is no candidate. */
  readonly ownRanks: Float64Array;
}

/** How a pair is judged. */
export interface Judgement {
  readonly weights: readonly Float64Array[];
  /**
   * Prior odds of one record of the file against the row having no match there; null where all candidates are as good as
   * each other and one of them is right.
   */
  readonly prior: { readonly match: number; readonly none: number } | null;
  readonly tolerance: Tolerance;
}

/** Every agreement counts as one, and candidates agree on everything (the conjunction of Winkler 2004, section 3). */
export function conjunction(comparisons: readonly { readonly bands: readonly unknown[] }[]): Judgement {
  return { weights: comparisons.map(({ bands }) => new Float64Array(bands.length + 1).fill(1).fill(0, 0, 1)), prior: null, tolerance: 0 };
}

/** Weights of a fitted model: a row has one match among all records with the probability that the model gives. */
export function weighted({ weights, matchShare }: LinkageModel, records: number, tolerance: Tolerance): Judgement {
  const hasMatch = Math.min(1, matchShare * records);
  return { weights, prior: { match: hasMatch / records, none: 1 - hasMatch }, tolerance };
}

/** Score of a pair: the sum of the weights of its levels, from a place among levels. */
export function scoreOf(weights: readonly Float64Array[], levels: Uint8Array, at: number): number {
  let score = 0;
  for (let v = 0; v < weights.length; v++) {
    const level = levels[at + v]!;
    if (level !== NO_LEVEL) score += weights[v]![level]!;
  }
  return score;
}

/**
 * Finds the best link of every row of a release.
 *
 * @param ownRecords for each row its own record in the intruder's file, from 0, or {@link NO_RECORD}: it decides nothing
 * of the links, and is looked up among them
 * @returns stepwise: rows of the release
 */
export function* linkRecords(pairs: CandidatePairs, ownRecords: Int32Array, judgement: Judgement): Stepwise<Links> {
  const rows = ownRecords.length;
  const links: Links = {
    best: new Int32Array(rows).fill(NO_RECORD),
    scores: new Float64Array(rows).fill(Number.NaN),
    probabilities: new Float64Array(rows),
    ties: new Uint32Array(rows),
    candidates: new Uint32Array(rows),
    ownRanks: new Float64Array(rows).fill(Number.NaN),
  };
  let scores = new Float64Array(64);
  for (let row = 0; row < rows; row++) {
    const candidateCount = pairs.find(row, judgement.tolerance);
    if (scores.length < candidateCount) scores = new Float64Array(2 * candidateCount);
    judgeRow(links, row, ownRecords[row]!, { pairs, candidateCount, scores }, judgement);
    if (row % ROWS_A_STEP === 0) yield row;
  }
  return links;
}

/** The candidates of a row: the first `candidateCount` that `pairs` has at present, and room for their scores. */
interface FoundCandidates {
  readonly pairs: CandidatePairs;
  readonly candidateCount: number;
  readonly scores: Float64Array;
}

function judgeRow(links: Links, row: number, ownRecord: number, candidates: FoundCandidates, { weights, prior }: Judgement): void {
  const { pairs, candidateCount, scores } = candidates;
  links.candidates[row] = candidateCount;
  if (candidateCount === 0) return;
  let best = 0;
  let ties = 0;
  let ownPlace = -1;
  for (let place = 0; place < candidateCount; place++) {
    const score = scoreOf(weights, pairs.levels, place * weights.length);
    scores[place] = score;
    if (pairs.candidates[place] === ownRecord) ownPlace = place;
    if (place === 0 || score > scores[best]!) [best, ties] = [place, 1];
    else if (score === scores[best]) {
      ties++;
      // Of equal ones the first in the file, whatever the order in which they came.
      if (pairs.candidates[place]! < pairs.candidates[best]!) best = place;
    }
  }
  links.best[row] = pairs.candidates[best]!;
  links.scores[row] = scores[best]!;
  links.ties[row] = ties;
  if (ownPlace >= 0) links.ownRanks[row] = rankOf(scores, candidateCount, scores[ownPlace]!);
  links.probabilities[row] = prior === null ? 1 / candidateCount : probabilityOfBest(candidates, weights, prior, scores[best]!);
}

/** Place from 1 among the scores of the candidates, ties at their mean. */
function rankOf(scores: Float64Array, candidateCount: number, score: number): number {
  let [above, equal] = [0, 0];
  for (let place = 0; place < candidateCount; place++) {
    if (scores[place]! > score) above++;
    else if (scores[place] === score) equal++;
  }
  return above + (equal + 1) / 2;
}

/** Posterior of the best candidate, over all records of the file and none of them; others than candidates disagree. */
function probabilityOfBest(
  { pairs, candidateCount, scores }: FoundCandidates,
  weights: readonly Float64Array[],
  prior: { readonly match: number; readonly none: number },
  best: number,
): number {
  // Relative to the best, so that nothing overflows.
  const relative = (score: number) => exp((score - best) * Math.LN2);
  let disagreeing = 0;
  for (let v = 0; v < weights.length; v++) if (pairs.levels[v] !== NO_LEVEL) disagreeing += weights[v]![0]!;
  let sum = (pairs.records - candidateCount) * relative(disagreeing);
  for (let place = 0; place < candidateCount; place++) sum += relative(scores[place]!);
  return prior.match / (prior.match * sum + prior.none * relative(0));
}
