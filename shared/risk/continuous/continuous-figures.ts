import { exp, LN2, log } from '../../numeric/portable-math.ts';
import { CELL_NUMBERS, type ContinuousScale, type ValueSet } from '../intruder/value-sets.ts';

/** Tails of the interval of a continuous variable on either side: 90 % lie between them. */
export const INTERVAL_TAIL = 0.05;

/** Figures of a continuous variable, in the places of those of a value set (`value-figures.ts`). */
export const CONTINUOUS_FIGURES = [
  /** Probability that the value lies within the tolerance of the true one. */
  'withinBefore',
  'withinAfter',
  /** log2 of the density after over that before, at the true value. */
  'gainBits',
  /** What the distribution after the release itself expects of that. */
  'claimedBits',
  /** Continuous ranked probability score, in the variable's unit (Gneiting & Raftery 2007). */
  'crpsBefore',
  'crpsAfter',
  /** 1 where the central 90 % interval holds the true value, 0 where it does not; of a mass at its end the share that belongs to it. */
  'coveredBefore',
  'coveredAfter',
  /** -log2 of the probability before of the true value, to its decimals. */
  'lackedBits',
] as const;

/** One of {@link CONTINUOUS_FIGURES}. */
export type ContinuousFigure = (typeof CONTINUOUS_FIGURES)[number];

/** What is kept of the distributions of a continuous variable, in its unit: 90 % intervals and medians. */
export const INTERVALS = ['lowBefore', 'highBefore', 'medianBefore', 'lowAfter', 'highAfter', 'medianAfter'] as const;

/** The distribution of a set's masses and cells before the release, and after it; arguments as of {@link weighCells}. */
export function beforeAndAfter({ candidates }: ValueSet, prior: Float64Array, estimates: Float64Array): readonly Distribution[] {
  return [(x: number) => prior[x]!, (x: number) => prior[x]! + estimates[x]!].map((logWeight) =>
    distributionOf(Float64Array.from(candidates, logWeight)),
  );
}

/** {@link INTERVALS} of one variable, from {@link beforeAndAfter}. */
export function intervalsOf({ scale }: ValueSet, distributions: readonly Distribution[]): number[] {
  if (scale === undefined) throw new RangeError('the set of a continuous variable has a scale');
  return distributions.flatMap((distribution) => {
    const [low, median, high] = quantilesOf(distribution, scale.bounds, [INTERVAL_TAIL, 0.5, 1 - INTERVAL_TAIL]);
    return [low!, high!, median!];
  });
}

/** Weights of a set's masses and cells, their sum, and the logarithm of the sum of what they are given by. */
interface Distribution {
  readonly weights: Float64Array;
  readonly total: number;
  readonly all: number;
}

function distributionOf(logWeights: Float64Array): Distribution {
  let most = -Infinity;
  for (const weight of logWeights) most = Math.max(most, weight);
  const weights = logWeights.map((weight) => exp(weight - most));
  let total = 0;
  for (const weight of weights) total += weight;
  return { weights, total, all: most + log(total) };
}

/** The share of the truth that the interval holds: of a mass with the probability `own`, or of a value. */
function coveredShare(below: number, own: number): number {
  if (own <= 0) return below >= INTERVAL_TAIL && below <= 1 - INTERVAL_TAIL ? 1 : 0;
  const held = Math.min(below + own, 1 - INTERVAL_TAIL) - Math.max(below, INTERVAL_TAIL);
  return Math.max(0, held / own);
}

/**
 * The share within the tolerance, CRPS and cover of a distribution that is uniform within cells. With F the distribution
 * function and t the true value, the CRPS is the integral of (F(y) - 1(y >= t))^2, in closed form within each cell.
 */
function judgeCells({ cells, truthEntry }: ContinuousScale, weights: Float64Array, total: number) {
  let sum = 0;
  let below = 0;
  let within = 0;
  let crps = 0;
  for (const [v, weight] of weights.entries()) {
    const probability = weight / total;
    const [gap, width, shareBelow, shareWithin] = cells.subarray(v * CELL_NUMBERS, (v + 1) * CELL_NUMBERS) as unknown as number[];
    crps += gap! >= 0 ? gap! * (sum * sum) : -gap! * ((1 - sum) * (1 - sum));
    const middle = sum + probability * shareBelow!;
    const end = sum + probability;
    const low = (sum * sum + sum * middle + middle * middle) * shareBelow!;
    const high = ((1 - middle) * (1 - middle) + (1 - middle) * (1 - end) + (1 - end) * (1 - end)) * (1 - shareBelow!);
    crps += (width! * (low + high)) / 3;
    below += probability * shareBelow!;
    within += probability * shareWithin!;
    sum = end;
  }
  const own = truthEntry === null ? 0 : weights[truthEntry]! / total;
  return { within, crps, covered: coveredShare(below, own) };
}

/**
 * The program of kernels/evaluator/continuous-sets.ts in plain TypeScript, to read and to test against:
 * {@link CONTINUOUS_FIGURES} of one continuous variable in one evaluation.
 *
 * A mass or cell c has the probability w_c / sum of w before the release, and w_c L_c / sum of w L after it. The truth has no
 * probability of its own beside its cell: its gain is log2 of L_0 sum of w / sum of w L.
 *
 * @param prior logarithms of w, up to a constant: that of candidate 0 for one unit of density
 * @param estimates logarithms of L, up to a constant
 */
export function weighCells(set: ValueSet, prior: Float64Array, estimates: Float64Array): number[] {
  const { candidates, scale } = set;
  if (scale === undefined) throw new RangeError('the set of a continuous variable has a scale');
  const [before, after] = beforeAndAfter(set, prior, estimates) as [Distribution, Distribution];
  let moment = 0;
  for (const [v, x] of candidates.entries()) moment += after.weights[v]! * estimates[x]!;
  const shift = after.all - before.all;
  const then = judgeCells(scale, before.weights, before.total);
  const now = judgeCells(scale, after.weights, after.total);
  return [
    then.within,
    now.within,
    (estimates[0]! - shift) / LN2,
    Math.max(0, (moment / after.total - shift) / LN2),
    then.crps,
    now.crps,
    then.covered,
    now.covered,
    Math.max(0, (before.all - prior[0]! - scale.logPrecision) / LN2),
  ];
}

/**
 * Quantiles of a distribution over masses and cells, uniform within cells.
 *
 * @param bounds entries x 2: where each begins and ends, in ascending order
 * @param shares ascending
 */
function quantilesOf({ weights, total }: Distribution, bounds: Float64Array, shares: readonly number[]): number[] {
  let entry = 0;
  let below = 0;
  return shares.map((share) => {
    while (entry < weights.length - 1 && (below + weights[entry]!) / total < share) below += weights[entry++]!;
    const [from, to] = [bounds[2 * entry]!, bounds[2 * entry + 1]!];
    const own = weights[entry]! / total;
    return own === 0 ? to : from + (to - from) * Math.min(1, Math.max(0, share - below / total) / own);
  });
}
