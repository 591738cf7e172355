import { exp, log } from '../../numeric/portable-math.ts';

/** Numbers of chains: base chains, and pairs of chains of each dataset. */
export interface ChainNumbers {
  readonly chains: number;
  readonly pairedChains: number;
}

/** What an evaluation found of its own precision. */
export interface Agreement {
  /** Rank correlation expected between two evaluations that run all their chains anew. */
  readonly all: number;
  /** The same between two evaluations that share their paired chains. */
  readonly base: number;
}

/** What chains cost, in iterations on the table or their like. */
export interface ChainCosts {
  readonly base: number;
  /** All pairs that one more paired chain means, over all datasets; 0 when the estimator has none. */
  readonly pairs: number;
}

/** In one step numbers grow at most so many times: the noise that they answer is itself an estimate. */
const LARGEST_GROWTH = 4;

/**
 * The noise of chains falls as this power of their number, slower than that of independent draws: a few heavy weights have much of it.
 * Found between rounds of five runs on four tables, and between repeated evaluations of one: 0.37 to 1.18, in the middle 0.56
 * (docs/studies/errors.md).
 */
const NOISE_FALLS = 2 / 3;

/** A step that adds less than this share of chains would seldom be the last. */
const SMALLEST_GROWTH = 0.25;

/**
 * Shares of the variance between records that are noise: of the base chains, and of the paired chains. With a signal of variance S and
 * noise B + P, two evaluations agree to S / (S + B + P), and to (S + P) / (S + B + P) when they share the paired chains.
 */
function noiseShares({ all, base }: Agreement): { base: number; pairs: number } {
  return { base: Math.max(0, 1 - base), pairs: Math.max(0, base - all) };
}

/** A power of a positive number, the same on every machine. */
const power = (base: number, exponent: number) => exp(exponent * log(base));

/** What is left of the noise of `now` chains where there are `then`. */
const noiseLeft = (now: number, then: number) => power(now / then, NOISE_FALLS);

/** Chains of which so much of the noise of `now` is left. */
const chainsLeaving = (now: number, left: number) => now * power(left, -1 / NOISE_FALLS);

/**
 * Agreement that other numbers of chains would give: the noise of each kind of chain falls as its number grows.
 *
 * @returns a rank correlation, at most 1
 */
export function expectedWith(found: Agreement, now: ChainNumbers, then: ChainNumbers): number {
  const noise = noiseShares(found);
  const left = noise.base * noiseLeft(now.chains, then.chains) + noise.pairs * noiseLeft(now.pairedChains, then.pairedChains);
  return found.all / (found.all + left);
}

/**
 * The cheapest numbers of chains that should bring the agreement to a target, within a factor of 4 and at least
 * a quarter more of one kind: chains are added where the error is, weighed by what they cost.
 *
 * The sum of noise B (n / n')^g + P (k / k')^g is to fall to a limit at the least cost c_B n' + c_P k', which sets n' proportional to
 * (B n^g / c_B)^(1 / (1 + g)), and k' likewise.
 *
 * @param found agreement with the chains so far, `all` below the target
 * @param target rank correlation, between 0 and 1
 */
export function chainsToReach(target: number, found: Agreement, now: ChainNumbers, costs: ChainCosts): ChainNumbers {
  const noise = noiseShares(found);
  const signal = Math.max(found.all, 0.01);
  const limit = (signal * (1 - target)) / target;
  /** In proportion to the number of chains of a kind that costs least, and their noise where it is that number. */
  const shareOf = (part: number, from: number, cost: number) => {
    const chains = part === 0 ? 0 : power((part * power(from, NOISE_FALLS)) / cost, 1 / (1 + NOISE_FALLS));
    return { chains, noise: chains === 0 ? 0 : part * noiseLeft(from, chains) };
  };
  const ofPairs = costs.pairs > 0 ? noise.pairs : 0;
  const [base, pairs] = [shareOf(noise.base, now.chains, costs.base), shareOf(ofPairs, now.pairedChains, costs.pairs)];
  const scale = chainsLeaving(1, limit / (base.noise + pairs.noise));
  const wanted = { chains: scale * base.chains, pairedChains: ofPairs > 0 ? scale * pairs.chains : now.pairedChains };
  // Chains that are there already stay, so that fewer of the other kind will do.
  if (wanted.chains < now.chains) wanted.pairedChains = ofPairs > 0 ? chainsLeaving(now.pairedChains, (limit - noise.base) / ofPairs) : 0;
  else if (wanted.pairedChains < now.pairedChains) wanted.chains = chainsLeaving(now.chains, (limit - noise.pairs) / noise.base);
  const grown = (from: number, to: number) => Math.ceil(Math.min(Math.max(from, to), LARGEST_GROWTH * from));
  const next = { chains: grown(now.chains, wanted.chains), pairedChains: grown(now.pairedChains, wanted.pairedChains) };
  const least = (from: number) => Math.ceil((1 + SMALLEST_GROWTH) * from);
  const isStep = next.chains >= least(now.chains) || next.pairedChains >= least(now.pairedChains);
  if (isStep) return next;
  // Noise that one more chain of each kind takes away, by its cost.
  const gainOfBase = noise.base / now.chains / costs.base;
  const gainOfPairs = ofPairs > 0 ? noise.pairs / now.pairedChains / costs.pairs : 0;
  return gainOfBase >= gainOfPairs ? { ...next, chains: least(now.chains) } : { ...next, pairedChains: least(now.pairedChains) };
}

/**
 * As many of the chains on the way from `now` to `next` as a limit allows, in equal shares of both steps.
 *
 * @param most base chains and pairs over all datasets together, at most
 * @param datasets datasets that have pairs; 0 when the estimator has none
 * @returns `now` when the limit allows no more
 */
export function withinLimit(now: ChainNumbers, next: ChainNumbers, most: number, datasets: number): ChainNumbers {
  const total = ({ chains, pairedChains }: ChainNumbers) => chains + datasets * pairedChains;
  if (total(next) <= most) return next;
  const share = Math.max(0, most - total(now)) / (total(next) - total(now));
  const part = (from: number, to: number) => from + Math.floor(share * (to - from));
  return { chains: part(now.chains, next.chains), pairedChains: part(now.pairedChains, next.pairedChains) };
}
