import { scoresCells } from '../../contracts/config/config.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { chainCosts } from './chain-costs.ts';
import type { ChainNumbers } from './chain-growth.ts';
import { chainsNeeded, firstRound, hasAttributeRisk } from './chains-needed.ts';

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
