import { encodeJson } from '../../artifacts/stored-json.ts';
import { readHalves } from '../../artifacts/stored-part.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Judgement, RoundChains } from '../../contracts/run/round.ts';
import { expectedAgreement } from '../../risk/attribute/attribute-summary.ts';
import type { Store } from '../../storage/store.ts';
import {
  type ChainCosts,
  type ChainNumbers,
  chainsToReach,
  expectedWith,
  withinLimit,
} from './chain-growth.ts';
import { chainsNeeded, hasAttributeRisk } from './chains-needed.ts';
import { readRoundChains } from './stored-judgement.ts';

/** What scoring every combination under one draw costs, in iterations on the table (measured: 6 to 10). */
const ITERATIONS_PER_SCORED_DRAW = 8;

/** An iteration on the table stacked with a dataset, in iterations on the table (measured: 1.7 to 2). */
const ITERATIONS_PER_STACKED = 2;

/** What chains of a plan cost, for deciding which to add. */
function chainCosts(plan: Plan): ChainCosts {
  const { burnIn, draws, thin, pairedDraws, pairedThin } = plan.config.mcmc;
  const { sides } = chainsNeeded(plan);
  const side = { stacked: ITERATIONS_PER_STACKED, alone: 1 };
  const fresh = plan.datasets.origin === 'elsewhere' ? ITERATIONS_PER_STACKED * burnIn : 0;
  const pair = sides.reduce(
    (sum, name) => sum + pairedDraws * (side[name] * pairedThin + ITERATIONS_PER_SCORED_DRAW),
    fresh,
  );
  return {
    base: burnIn + draws * (thin + ITERATIONS_PER_SCORED_DRAW),
    pairs: sides.length > 0 ? plan.datasets.count * pair : 0,
  };
}

/**
 * Judges a round that has been assessed by the file's own reproducibility, and stores what it came to.
 *
 * @returns the chains of the round that follows, or null when the run goes on to its results
 */
export async function judgeRound(store: Store, plan: Plan, now: RoundChains): Promise<RoundChains | null> {
  if (!hasAttributeRisk(plan) || plan.purpose === 'calibrate') return null;
  const halves = await readHalves(store, plan, now.round, 'halfProbabilities');
  const judgement = judge(plan, now, {
    all: expectedAgreement(halves),
    base: expectedAgreement(halves, 'base'),
  });
  await store.put(runKeys(plan.runId).round(now.round), encodeJson(judgement), { ifAbsent: true });
  return judgement.outcome === null ? readRoundChains(store, plan, now.round + 1) : null;
}

function judge(plan: Plan, now: RoundChains, found: { all: number | null; base: number | null }): Judgement {
  const { reproducibility: target, maxChains } = plan.config.mcmc;
  const figures = {
    ...now,
    target: target ?? null,
    reproducibility: found.all,
    baseReproducibility: found.base,
  };
  const asked = target !== undefined;
  if (found.all === null || found.base === null) {
    return { ...figures, outcome: asked ? 'undefined' : 'not-asked', next: null };
  }
  const agreement = { all: found.all, base: found.base };
  const costs = chainCosts(plan);
  const offer = (next: ChainNumbers): NonNullable<Judgement['next']> => ({
    chains: next.chains,
    pairedChains: next.pairedChains,
    reproducibility: expectedWith(agreement, now, next),
    work: work(next, costs) / work(now, costs) - 1,
  });
  const reached = asked && found.all >= target;
  const goal = asked && !reached ? target : (1 + Math.max(0, found.all)) / 2;
  const wanted = chainsToReach(goal, agreement, now, costs);
  if (!asked || reached) return { ...figures, outcome: asked ? 'reached' : 'not-asked', next: offer(wanted) };
  const allowed = withinLimit(now, wanted, maxChains, costs.pairs > 0 ? plan.datasets.count : 0);
  const more = allowed.chains > now.chains || allowed.pairedChains > now.pairedChains;
  return more
    ? { ...figures, outcome: null, next: offer(allowed) }
    : { ...figures, outcome: 'max-chains', next: offer(wanted) };
}

function work({ chains, pairedChains }: ChainNumbers, costs: ChainCosts): number {
  return chains * costs.base + pairedChains * costs.pairs;
}
