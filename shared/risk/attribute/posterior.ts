import { exp, LN2, log } from '../../numeric/portable-math.ts';
import { standing } from '../../numeric/ties.ts';

/** A combination whose estimate is not a number, counted from 0 within its batch. */
export class NoEstimate extends RangeError {
  constructor(readonly combination: number) {
    super(`combination ${combination} has no finite estimate`);
  }
}

/** What others weigh beside the truth where that is too little for a double to keep its digits; their odds are then found among themselves. */
const LEAST_OTHERS = 1e-290;

/** Above it are log-odds before the release of a truth beside which nothing is possible (`LOG_ZERO`). */
const ALONE = 5e8;

/**
 * Sums over candidates are the sum over even ones plus the sum over odd ones, so that kernels can add two at a
 * time to the same bits.
 */
function addByParity(count: number, summand: (x: number) => number): number {
  const sums: [number, number] = [0, 0];
  for (let x = 0; x < count; x++) sums[(x & 1) as 0 | 1] += summand(x);
  return sums[0] + sums[1];
}

function largestOf(values: Float64Array, from: number, count: number): number {
  let largest = -Infinity;
  for (let x = 0; x < count; x++) largest = Math.max(largest, values[from + x]!);
  return largest;
}

/** Posterior probabilities of candidates with equal priors, from log-likelihoods `values[from .. from + count)`. */
export function posterior(values: Float64Array, from: number, count: number): Float64Array {
  const largest = largestOf(values, from, count);
  const probabilities = new Float64Array(count);
  for (let x = 0; x < count; x++) probabilities[x] = exp(values[from + x]! - largest);
  const total = addByParity(count, (x) => probabilities[x]!);
  for (let x = 0; x < count; x++) probabilities[x]! /= total;
  return probabilities;
}

/** Rank of `values[from + candidate]` among `count` values, 1 = largest, ties (`ties.ts`) at their mean. */
export function rank(values: Float64Array, from: number, count: number, candidate: number): number {
  return standing(values, from, count, candidate).rank;
}

/**
 * Information of the {@link posterior} against the uniform distribution on the same candidates, in bits; at least
 * 0. With w_x = exp(v_x - largest) and W their sum, sum of p log(C p) = log(C / W) + sum of w (v - largest) / W.
 */
export function informationBits(values: Float64Array, from: number, count: number): number {
  const largest = largestOf(values, from, count);
  const weights = Float64Array.from({ length: count }, (_, x) => exp(values[from + x]! - largest));
  const total = addByParity(count, (x) => weights[x]!);
  const moment = addByParity(count, (x) => weights[x]! * (values[from + x]! - largest));
  return Math.max(0, (log(count / total) + moment / total) / LN2);
}

/** Logarithm of the sum of exp over all values. */
function logSum(values: Float64Array): number {
  const largest = largestOf(values, 0, values.length);
  return largest + log(addByParity(values.length, (x) => exp(values[x]! - largest)));
}

/** Logarithm of the odds of value 0 against all others; Infinity where there are none. */
function logOdds(values: Float64Array): number {
  const largest = largestOf(values, 1, values.length - 1);
  return values[0]! - largest - log(addByParity(values.length, (x) => (x === 0 ? 0 : exp(values[x]! - largest))));
}

/** What is known of the truth, candidate 0, from one evaluation of the candidates' log-likelihoods. */
export interface TruthFigures {
  /** Rank of the truth by posterior, 1 = the intruder's first guess, ties at their mean. */
  readonly rank: number;
  /** Its posterior probability. */
  readonly probability: number;
  /** Information of the posterior against the prior, in bits. */
  readonly informationBits: number;
  /**
   * Logarithm of the Bayes factor of the truth against the other candidates, weighed by the prior on them
   * (McClure & Reiter 2012, section 4); NaN where there is no other of positive prior.
   */
  readonly logBayesFactor: number;
  /** The largest |log L_x - log L_t| over the candidates, in nats: of the likelihood, whatever the prior. */
  readonly loss: number;
}

/**
 * Reads {@link TruthFigures} off log-likelihoods of the candidates, the truth first.
 *
 * @param prior logarithms of the candidates' prior, up to a constant; null where it is uniform
 */
export function truthOf(estimates: Float64Array, prior: Float64Array | null): TruthFigures {
  const count = estimates.length;
  const scores = prior === null ? estimates : estimates.map((value, x) => value + prior[x]!);
  let highest = -Infinity;
  let lowest = Infinity;
  for (const value of estimates) {
    highest = Math.max(highest, value);
    lowest = Math.min(lowest, value);
  }
  const largest = largestOf(scores, 0, count);
  const weights = scores.map((value) => exp(value - largest));
  const total = addByParity(count, (x) => weights[x]!);
  const others = addByParity(count, (x) => (x === 0 ? 0 : weights[x]!));
  const odds = others < LEAST_OTHERS ? logOdds(scores) : scores[0]! - largest - log(others);
  const moment = addByParity(count, (x) => weights[x]! * (scores[x]! - largest));
  let bits: number;
  if (prior === null) bits = informationBits(scores, 0, count);
  else {
    const priorMoment = addByParity(count, (x) => weights[x]! * prior[x]!);
    const nats = moment / total - log(total) - (priorMoment / total - logSum(prior));
    bits = Math.max(0, nats / LN2);
  }
  const priorOdds = prior === null ? -log(count - 1) : logOdds(prior);
  const isAlone = prior !== null && priorOdds > ALONE;
  return {
    rank: rank(scores, 0, count, 0),
    probability: weights[0]! / total,
    informationBits: bits,
    logBayesFactor: isAlone ? NaN : odds - priorOdds,
    loss: Math.max(highest - estimates[0]!, estimates[0]! - lowest),
  };
}
