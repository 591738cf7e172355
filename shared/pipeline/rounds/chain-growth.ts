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

/** A step that adds less than this share of chains would seldom be the last. */
const SMALLEST_GROWTH = 0.25;

/**
 * Shares of the variance between records that are noise: of the base chains, and of the paired chains. With a signal of variance S and
 * noise B + P, two evaluations agree to S / (S + B + P), and to (S + P) / (S + B + P) when they share the paired chains.
 */
function noiseShares({ all, base }: Agreement): { base: number; pairs: number } {
  return { base: Math.max(0, 1 - base), pairs: Math.max(0, base - all) };
}

/**
 * Agreement that other numbers of chains would give: the noise of each kind of chain falls as its number grows.
 *
 * @returns a rank correlation, at most 1
 */
export function expectedWith(found: Agreement, now: ChainNumbers, then: ChainNumbers): number {
  const noise = noiseShares(found);
  const left = (noise.base * now.chains) / then.chains + (noise.pairs * now.pairedChains) / then.pairedChains;
  return found.all / (found.all + left);
}

/**
 * The cheapest numbers of chains that should bring the agreement to a target, within a factor of 4 and at least
 * a quarter more of one kind: chains are added where the error is, weighed by what they cost.
 *
 * The sum of noise B n / n' + P k / k' is to fall to a limit at the least cost c_B n' + c_P k', which sets n'
 * proportional to sqrt(B n / c_B), and k' likewise.
 *
 * @param found agreement with the chains so far, `all` below the target
 * @param target rank correlation, between 0 and 1
 */
export function chainsToReach(target: number, found: Agreement, now: ChainNumbers, costs: ChainCosts): ChainNumbers {
  const noise = noiseShares(found);
  const signal = Math.max(found.all, 0.01);
  const limit = (signal * (1 - target)) / target;
  const base = noise.base * now.chains;
  const pairs = costs.pairs > 0 ? noise.pairs * now.pairedChains : 0;
  const scale = (Math.sqrt(base * costs.base) + Math.sqrt(pairs * costs.pairs)) / limit;
  const wanted = {
    chains: scale * Math.sqrt(base / costs.base),
    pairedChains: pairs > 0 ? scale * Math.sqrt(pairs / costs.pairs) : now.pairedChains,
  };
  // Chains that are there already stay, so that fewer of the other kind will do.
  if (wanted.chains < now.chains) wanted.pairedChains = pairs / (limit - noise.base);
  else if (wanted.pairedChains < now.pairedChains) wanted.chains = base / (limit - noise.pairs);
  const grown = (from: number, to: number) => Math.ceil(Math.min(Math.max(from, to), LARGEST_GROWTH * from));
  const next = { chains: grown(now.chains, wanted.chains), pairedChains: grown(now.pairedChains, wanted.pairedChains) };
  const least = (from: number) => Math.ceil((1 + SMALLEST_GROWTH) * from);
  const isStep = next.chains >= least(now.chains) || next.pairedChains >= least(now.pairedChains);
  if (isStep) return next;
  // Noise that one more chain of each kind takes away, by its cost.
  const gainOfBase = noise.base / now.chains / costs.base;
  const gainOfPairs = pairs > 0 ? noise.pairs / now.pairedChains / costs.pairs : 0;
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
