import { encodeCheckedJson } from '../../artifacts/stored-json.ts';
import { readColumns } from '../../artifacts/stored-part.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Judgement, RoundChains } from '../../contracts/run/round.ts';
import { openScenarios } from '../../contracts/run/scenarios.ts';
import { expectedAgreement, halfAgreement } from '../../risk/attribute/attribute-summary.ts';
import type { Store } from '../../storage/store.ts';
import { methodOf } from '../methods/methods.ts';
import { type ChainCosts, type ChainNumbers, chainsToReach, expectedWith, withinLimit } from '../rounds/chain-growth.ts';
import { chainCosts, mostChains } from '../rounds/chain-limit.ts';
import { hasAttributeRisk, hasChains } from '../rounds/chains-needed.ts';
import { readRoundChains } from '../rounds/stored-round.ts';

/**
 * A round aims at this part of the disagreement that is allowed: each scores everything anew, so that missing the target
 * by little costs more than a few chains too many.
 */
const MARGIN = 0.85;

/** What the halves of the chains say of each figure on which evaluations can be asked to agree. */
const HALVES = { rank: 'halfRanks', probability: 'halfProbabilities' } as const;

/**
 * Judges a round that has been assessed by the file's own reproducibility, of ranks or of probabilities as the config
 * says, and stores what it came to.
 *
 * @returns the chains of the round that follows, or null when the run goes on to its results
 */
export async function judgeRound(store: Store, plan: Plan, now: RoundChains): Promise<RoundChains | null> {
  if (!hasAttributeRisk(plan) || plan.purpose === 'calibrate') return null;
  if (!hasChains(plan.config)) {
    const none = { of: 'rank', target: null, reproducibility: null, baseReproducibility: null } as const;
    const judgement: Judgement = { ...now, ...none, outcome: 'not-asked', next: null };
    await store.put(runKeys(plan.runId).round(now.round), encodeCheckedJson(judgement), { ifAbsent: true });
    return null;
  }
  const { reproducibility } = plan.config.mcmc;
  const of = reproducibility === 'off' ? 'rank' : reproducibility.of;
  const found: Found[] = [];
  for (const scenario of openScenarios(plan)) {
    const correlations = await halfAgreement(readColumns(store, scenario, now.round, { name: HALVES[of] }));
    const { halves: standFor } = methodOf(plan.config, scenario);
    found.push({ all: expectedAgreement(correlations, standFor), base: expectedAgreement(correlations, standFor, 'base') });
  }
  const judgement = judge(plan, now, of, leastAgreement(found));
  await store.put(runKeys(plan.runId).round(now.round), encodeCheckedJson(judgement), { ifAbsent: true });
  return judgement.outcome === null ? readRoundChains(store, plan, now.round + 1) : null;
}

/** Agreement of two evaluations of one scenario; null where the figure does not vary over rows. */
interface Found {
  readonly all: number | null;
  readonly base: number | null;
}

/** That of the scenario whose evaluations agree the least, among those in which the figure varies. */
function leastAgreement(found: readonly Found[]): Found {
  const defined = found.filter(({ all, base }) => all !== null && base !== null);
  const orLast = (figure: number | null) => figure ?? Infinity;
  // Of scenarios that agree alike, the base chains decide, so that it makes no difference which comes first.
  const [least] = (defined.length > 0 ? defined : found).toSorted(
    (one, other) => orLast(one.all) - orLast(other.all) || orLast(one.base) - orLast(other.base),
  );
  return least!;
}

function judge(plan: Plan, now: RoundChains, of: Judgement['of'], found: Found): Judgement {
  const { reproducibility } = plan.config.mcmc;
  const target = reproducibility === 'off' ? null : reproducibility.target;
  const figures = { ...now, of, target, reproducibility: found.all, baseReproducibility: found.base };
  const asked = target !== null;
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
  const goal = asked && !reached ? 1 - MARGIN * (1 - target) : (1 + Math.max(0, found.all)) / 2;
  const wanted = chainsToReach(goal, agreement, now, costs);
  if (!asked || reached) return { ...figures, outcome: asked ? 'reached' : 'not-asked', next: offer(wanted) };
  const allowed = withinLimit(now, wanted, mostChains(plan), costs.pairs > 0 ? plan.datasets.count : 0);
  const more = allowed.chains > now.chains || allowed.pairedChains > now.pairedChains;
  return more ? { ...figures, outcome: null, next: offer(allowed) } : { ...figures, outcome: 'max-chains', next: offer(wanted) };
}

function work({ chains, pairedChains }: ChainNumbers, costs: ChainCosts): number {
  return chains * costs.base + pairedChains * costs.pairs;
}
