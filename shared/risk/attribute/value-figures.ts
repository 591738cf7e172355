import { exp, LN2, log } from '../../numeric/portable-math.ts';
import { standing } from '../../numeric/ties.ts';
import type { CONTINUOUS_FIGURES } from '../continuous/continuous-figures.ts';
import type { ValueSet } from '../intruder/value-sets.ts';
import { RESAMPLES } from './chain-evaluations.ts';

/**
 * Evaluations in which value sets are weighed: the estimate, the resamples of the chains, paired chains of half their
 * length, and then without each dataset.
 */
export const HALF_LENGTH = 1 + RESAMPLES;
/** Place of the first of the latter. */
export const WITHOUT_DATASETS = HALF_LENGTH + 1;

/** Resamples that decide what ties: their standard deviation is off by an eighth. */
export const TIE_RESAMPLES = 31;

/** Figures of a value set in an evaluation, in this order; probabilities, ranks and bits are of the true value. */
export const VALUE_FIGURES = [
  'probabilityBefore',
  'probabilityAfter',
  /** log2 of the probability after over that before. */
  'gainBits',
  /** What the probabilities themselves expect of that: the mean of log2(after / before) over values, by those after. */
  'claimedBits',
  /** 1 = the first guess, ties (`ties.ts`) at their mean. */
  'rankBefore',
  'rankAfter',
  /** Whether the first guess is right; of t values that share the first place 1 / t. */
  'rightBefore',
  'rightAfter',
  /** What the intruder lacks before the release: -log2 of the probability before. */
  'lackedBits',
] as const satisfies { readonly length: (typeof CONTINUOUS_FIGURES)['length'] };

/** One of {@link VALUE_FIGURES}. */
export type ValueFigure = (typeof VALUE_FIGURES)[number];

/** Logarithms of the weights of a set's values, each the sum over the candidates that have it. */
export function addByValue({ candidates, values, codes }: ValueSet, logWeight: (candidate: number) => number) {
  const largest = new Float64Array(codes.length).fill(-Infinity);
  for (const [i, v] of values.entries()) largest[v] = Math.max(largest[v]!, logWeight(candidates[i]!));
  // A value of one candidate has its weight, exactly.
  if (candidates.length === codes.length) return largest;
  const sums = new Float64Array(codes.length);
  for (const [i, v] of values.entries()) sums[v]! += exp(logWeight(candidates[i]!) - largest[v]!);
  return largest.map((value, v) => value + log(sums[v]!));
}

/** The likeliest value (the truth, value 0, if it ties), its log weight, the log of the total, and where the truth stands. */
function judge(weights: Float64Array, tolerances?: Float64Array) {
  const truth = standing(weights, 0, weights.length, 0, tolerances);
  let largest = 0;
  for (let v = 1; v < weights.length; v++) if (weights[v]! > weights[largest]!) largest = v;
  const most = weights[largest]!;
  let total = 0;
  for (const weight of weights) total += exp(weight - most);
  return { ...truth, guess: truth.first > 0 ? 0 : largest, most, total, all: most + log(total) };
}

/**
 * The program of kernels/evaluator/value-sets.ts in plain TypeScript, to read and to test against: {@link VALUE_FIGURES} of one
 * value set in one evaluation, and the likeliest value (its number in the set) before and after the release.
 *
 * With w_x the prior of a candidate and l_x its log-likelihood, a value has the probabilities W / sum of W before and
 * P / sum of P after, W and P being the sums of w_x and of w_x exp(l_x) over the candidates that have it.
 *
 * @param prior logarithms of w_x, up to a constant
 * @param estimates l_x, up to a constant
 * @param tolerances of each value, how far its weight before may be from that of the truth and tie; those of rounding where nothing is simulated
 */
export function weighSet(
  set: ValueSet,
  prior: Float64Array,
  estimates: Float64Array,
  tolerances?: Float64Array,
): { figures: number[]; guesses: [before: number, after: number] } {
  const before = addByValue(set, (x) => prior[x]!);
  const after = addByValue(set, (x) => prior[x]! + estimates[x]!);
  const then = judge(before, tolerances);
  const now = judge(after, tolerances);
  let moment = 0;
  for (let v = 0; v < after.length; v++) moment += exp(after[v]! - now.most) * (after[v]! - before[v]!);
  const shift = now.all - then.all;
  return {
    figures: [
      exp(before[0]! - then.all),
      exp(after[0]! - now.all),
      (after[0]! - before[0]! - shift) / LN2,
      Math.max(0, (moment / now.total - shift) / LN2),
      then.rank,
      now.rank,
      then.first,
      now.first,
      Math.max(0, (then.all - before[0]!) / LN2),
    ],
    guesses: [then.guess, now.guess],
  };
}
