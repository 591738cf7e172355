import type { Plan } from '../../contracts/run/plan.ts';
import type { ChainCosts } from './chain-growth.ts';
import { chainsNeeded } from './chains-needed.ts';
import { lesserSets } from './lesser-chains.ts';

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
