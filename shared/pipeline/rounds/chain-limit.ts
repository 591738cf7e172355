import { scoresCells } from '../../contracts/candidates.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { ChainCosts, ChainNumbers } from './chain-growth.ts';
import { chainsNeeded, firstRound, hasAttributeRisk, lesserSets } from './chains-needed.ts';

/** What scoring every combination under one draw costs, in iterations on the table (measured: 6 to 10). */
const ITERATIONS_PER_SCORED_DRAW = 8;

/** An iteration on the table stacked with a dataset, in iterations on the table (measured: 1.7 to 2). */
const ITERATIONS_PER_STACKED = 2;

/** What chains of a plan cost, for deciding which to add. */
export function chainCosts(plan: Plan): ChainCosts {
  const { burnIn, draws, thin, pairedDraws, pairedThin } = plan.config.mcmc;
  const { sides } = chainsNeeded(plan);
  const side = { stacked: ITERATIONS_PER_STACKED, alone: 1 };
  const fresh = plan.datasets.origin === 'elsewhere' ? ITERATIONS_PER_STACKED * burnIn : 0;
  const pair = sides.reduce((sum, name) => sum + pairedDraws * (side[name] * pairedThin + ITERATIONS_PER_SCORED_DRAW), fresh);
  const base = burnIn + draws * (thin + ITERATIONS_PER_SCORED_DRAW);
  // Chains of intruders who know less are on fewer records: at most as dear as those on all.
  const lesser = lesserSets(plan.config);
  const stacked = ITERATIONS_PER_STACKED * (burnIn + draws * thin) + draws * ITERATIONS_PER_SCORED_DRAW;
  return { base: (1 + lesser.alone) * base, pairs: plan.datasets.count * ((sides.length > 0 ? pair : 0) + lesser.stacked * stacked) };
}

/** Whether a run may add chains in rounds: one that is judged by a target. */
export function addsChains(plan: Plan): boolean {
  const isJudged = plan.purpose === 'evaluate' || plan.purpose === 'assess';
  return isJudged && hasAttributeRisk(plan) && plan.config.mcmc.reproducibility !== 'off';
}

/**
 * Base chains and pairs of all datasets together, at most, whatever rounds add to the first. A limit of so many times
 * the first round allows no more than that where the draws of all chains are held in memory at once, as for the
 * candidates `all-cells`: there a number must be named.
 */
export function mostChains(plan: Plan): number {
  const { mcmc, attributeRisk } = plan.config;
  const { base, pairs } = chainsNeeded(plan);
  const first = base + pairs;
  if (!addsChains(plan)) return first;
  if (typeof mcmc.maxChains === 'number') return Math.max(first, mcmc.maxChains);
  const holdsAll = attributeRisk.scenarios.some(({ candidates }) => scoresCells(candidates));
  return holdsAll ? first : Math.floor(mcmc.maxChains.times * first);
}

/** The numbers of chains within the limit that cost most: all that are added are of the dearer kind. */
export function dearestChains(plan: Plan): ChainNumbers {
  const { chains, pairedChains } = firstRound(plan);
  const { base, pairs } = chainsNeeded(plan);
  const added = mostChains(plan) - base - pairs;
  const datasets = plan.datasets.count;
  const costs = chainCosts(plan);
  return costs.pairs / datasets > costs.base && added >= datasets
    ? { chains, pairedChains: pairedChains + Math.floor(added / datasets) }
    : { chains: chains + added, pairedChains };
}
