import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { NumericalError } from '../../contracts/errors.ts';
import { log } from '../../numeric/portable-math.ts';
import { quantile } from '../../numeric/quantile.ts';

/** How well chains agree on one quantity. Null: undefined, for the reasons that `convergence` gives. */
export interface Convergence {
  /** Rank-normalised split R-hat: the larger of bulk and folded. 1 at best; Infinity for stuck chains. */
  rHat: number | null;
  /** Effective number of independent draws for the middle of the distribution. */
  bulkEffectiveSize: number | null;
  /** The smaller of the effective numbers of draws for the 5 % and the 95 % quantile. */
  tailEffectiveSize: number | null;
}

/** Split chains, one after another: `halves` of `length` draws each. */
interface SplitChains {
  readonly values: Float64Array;
  readonly halves: number;
  readonly length: number;
}

/** Fewest draws a chain: below four, half a chain has no variance (Vehtari et al. 2021; as in arviz). */
const DRAWS_MIN = 4;
/** Fewest draws in half a chain for an effective size: below six the sums end before the first pair of lags. */
const HALF_LENGTH_MIN = 6;
/** Blom's (1958) fractional offset: z = Phi^-1((rank - 3/8) / (S + 1/4)), Vehtari et al. 2021, eq. (14). */
const RANK_OFFSET = 3 / 8;
/** Quantiles whose indicators define the tail effective size (Vehtari et al. 2021, section 4.3). */
const TAIL_QUANTILES = [0.05, 0.95] as const;
/** Spread below which all draws count as equal: one rounding step at 1, as in the R package posterior. */
const CONSTANT_SPREAD = Number.EPSILON;

/**
 * Convergence of several chains of one quantity: rank-normalised split R-hat, bulk and tail effective sizes.
 *
 * `draws` is chains x drawsPerChain, row by row, in any unit. Chains are split in halves, without the middle draw of an
 * odd number. Time grows with the square of `drawsPerChain`: meant for up to a few thousand draws a chain.
 *
 * Null are: all three where all draws are equal; R-hat of a constant folded quantity (two values, equally often); the
 * tail size where a tail quantile is the largest value; both sizes below 12 draws a chain, where the R package posterior,
 * which is followed in all else, returns half the draws. Chains that each stand still, at different values, have R-hat
 * Infinity: they disagree entirely.
 *
 * @throws RangeError for less than one chain or four draws, or a length that is not their product; NumericalError
 * `non-finite-draw`
 *
 * Source: Vehtari, Gelman, Simpson, Carpenter, Bürkner (2021), Bayesian Analysis 16(2), 667-718: eqs. (1)-(4), (14) and
 * (15) for R-hat, (10)-(13) and (16) for the effective sizes.
 */
export function convergence(draws: Float64Array, chains: number, drawsPerChain: number): Convergence {
  if (!Number.isSafeInteger(chains) || chains < 1) throw new RangeError(`${chains} chains, expected at least 1`);
  if (!Number.isSafeInteger(drawsPerChain) || drawsPerChain < DRAWS_MIN) {
    throw new RangeError(`${drawsPerChain} draws a chain, expected at least ${DRAWS_MIN}`);
  }
  if (draws.length !== chains * drawsPerChain) {
    throw new RangeError(`${draws.length} draws, expected ${chains} chains of ${drawsPerChain}`);
  }
  const bad = draws.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const [chain, draw] = [Math.floor(bad / drawsPerChain) + 1, (bad % drawsPerChain) + 1];
    throw new NumericalError('non-finite-draw', `Draw ${draw} of chain ${chain} is not a finite number`);
  }
  if (isConstant(draws)) return { rHat: null, bulkEffectiveSize: null, tailEffectiveSize: null };

  const sorted = draws.toSorted();
  const median = quantile(sorted, 0.5);
  const bulk = normalScores(splitChains(draws, chains, drawsPerChain));
  const folded = splitChains(
    draws.map((value) => Math.abs(value - median)),
    chains,
    drawsPerChain,
  );
  const rHats = [splitRHat(bulk), splitRHat(normalScores(folded))];
  const tailSizes = TAIL_QUANTILES.map((probability) => {
    const bound = quantile(sorted, probability);
    const indicator = draws.map((value) => (value <= bound ? 1 : 0));
    return effectiveSize(splitChains(indicator, chains, drawsPerChain));
  });
  return { rHat: extremum(rHats, Math.max), bulkEffectiveSize: effectiveSize(bulk), tailEffectiveSize: extremum(tailSizes, Math.min) };
}

/** Largest or smallest, undefined as soon as one value is: a missing half must not pass for a good one. */
function extremum(values: (number | null)[], choose: (...values: number[]) => number): number | null {
  const defined = values.filter((value) => value !== null);
  return defined.length === values.length ? choose(...defined) : null;
}

function isConstant(values: Float64Array): boolean {
  let [low, high] = [values[0]!, values[0]!];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < CONSTANT_SPREAD;
}

function splitChains(draws: Float64Array, chains: number, drawsPerChain: number): SplitChains {
  const length = Math.floor(drawsPerChain / 2);
  const values = new Float64Array(2 * chains * length);
  for (let chain = 0; chain < chains; chain++) {
    const [start, end] = [chain * drawsPerChain, (chain + 1) * drawsPerChain];
    values.set(draws.subarray(start, start + length), 2 * chain * length);
    values.set(draws.subarray(end - length, end), (2 * chain + 1) * length);
  }
  return { values, halves: 2 * chains, length };
}

/** Normal scores of the ranks over all chains together; ties get the mean of their ranks. */
function normalScores(chains: SplitChains): SplitChains {
  const { values } = chains;
  const size = values.length;
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const scores = new Float64Array(size);
  for (let first = 0; first < size; ) {
    let end = first + 1;
    while (end < size && values[order[end]!] === values[order[first]!]) end++;
    const rank = (first + 1 + end) / 2;
    const score = normalQuantile((rank - RANK_OFFSET) / (size - 2 * RANK_OFFSET + 1), 0, 1);
    for (let i = first; i < end; i++) scores[order[i]!] = score;
    first = end;
  }
  return { ...chains, values: scores };
}

function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Sum of squares around `center`, over n - 1. */
function variance(values: Float64Array, center = mean(values)): number {
  let sum = 0;
  for (const value of values) sum += (value - center) * (value - center);
  return sum / (values.length - 1);
}

function half(chains: SplitChains, index: number): Float64Array {
  return chains.values.subarray(index * chains.length, (index + 1) * chains.length);
}

function halfMeans(chains: SplitChains): Float64Array {
  return Float64Array.from({ length: chains.halves }, (_, i) => mean(half(chains, i)));
}

/** R-hat of chains that are split already: Vehtari et al. 2021, eqs. (1)-(4). */
function splitRHat(chains: SplitChains): number | null {
  if (isConstant(chains.values)) return null;
  const means = halfMeans(chains);
  // The mean of equal values can differ from them by a rounding step, which is no variance.
  const variances = means.map((center, i) => (isConstant(half(chains, i)) ? 0 : variance(half(chains, i), center)));
  const between = chains.length * variance(means);
  return Math.sqrt((between / mean(variances) + chains.length - 1) / chains.length);
}

/** Mean over the chains of the autocovariance at one lag, over n rather than n - lag (Geyer 1992). */
function meanAutocovariance(chains: SplitChains, means: Float64Array, lag: number): number {
  let total = 0;
  for (let i = 0; i < chains.halves; i++) {
    const values = half(chains, i);
    const center = means[i]!;
    let sum = 0;
    for (let t = lag; t < chains.length; t++) sum += (values[t]! - center) * (values[t - lag]! - center);
    total += sum / chains.length;
  }
  return total / chains.halves;
}

/**
 * Effective number of draws of chains that are split already: Vehtari et al. 2021, eqs. (10)-(13), with
 * Geyer's (1992) initial monotone positive sequence.
 */
function effectiveSize(chains: SplitChains): number | null {
  const { length, halves } = chains;
  if (length < HALF_LENGTH_MIN || isConstant(chains.values)) return null;
  const means = halfMeans(chains);
  const withinBiased = meanAutocovariance(chains, means, 0);
  const within = (withinBiased * length) / (length - 1);
  const pooled = withinBiased + variance(means);
  const autocorrelation = (lag: number) => 1 - (within - meanAutocovariance(chains, means, lag)) / pooled;

  // Sums of two neighbouring lags: pairs[k] belongs to the lags 2k and 2k + 1. The last pair that is looked
  // at does not enter as a pair: only its even lag does, once (the improved estimate for antithetic chains).
  const pairs: number[] = [];
  let even = 1;
  let odd = autocorrelation(1);
  let lag = 0;
  while (lag < length - 5 && even + odd > 0) {
    pairs.push(even + odd);
    lag += 2;
    even = autocorrelation(lag);
    odd = autocorrelation(lag + 1);
  }
  for (let k = 1; k < pairs.length; k++) pairs[k] = Math.min(pairs[k]!, pairs[k - 1]!);

  const last = even > 0 || even + odd >= 0 ? even : 0;

  const size = halves * length;
  const time = -1 + 2 * pairs.reduce((sum, pair) => sum + pair, 0) + last;
  // No more than S log10 S: antithetic chains would otherwise give negative or boundless sizes.
  const timeMin = Math.LN10 / log(size);
  return size / Math.max(time, timeMin);
}
