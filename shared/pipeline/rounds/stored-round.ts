import { encodeJson, readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { type Progress, progressSchema } from '../../contracts/cloud/workflow.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema } from '../../contracts/run/plan.ts';
import { type Judgement, judgementSchema, type RoundChains } from '../../contracts/run/round.ts';
import type { Store } from '../../storage/store.ts';
import { chainsNeeded, firstRound, lesserChains } from './chains-needed.ts';

/** The chains of a round: those of the plan in the first, and in a later one those that the round before asked for. */
export async function readRoundChains(store: Store, plan: Plan, round: number): Promise<RoundChains> {
  if (round === 1) return firstRound(plan);
  const { next } = await readJudgement(store, plan.runId, round - 1);
  if (next === null) throw new RangeError(`round ${round - 1} asked for no other`);
  return { round, chains: next.chains, pairedChains: next.pairedChains };
}

/** What a round came to that has been judged. */
function readJudgement(store: Store, runId: string, round: number): Promise<Judgement> {
  return readCheckedJson(store, runKeys(runId).round(round), judgementSchema);
}

/** What the rounds of an assessed run came to, the last of them with an outcome. */
export async function readJudgements(store: Store, runId: string): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  for (let last = false; !last; last = judgements.at(-1)!.outcome !== null) {
    judgements.push(await readJudgement(store, runId, judgements.length + 1));
  }
  return judgements;
}

/** The round that follows one that was judged; null after the last. */
export async function roundAfter(store: Store, { runId, round }: RoundReference): Promise<number | null> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  return (await currentRound(store, plan)) > round ? round + 1 : null;
}

/** A round of a run, from 1. */
export interface RoundReference {
  readonly runId: string;
  readonly round: number;
}

/** The round in which a run is: the first that has not been judged, or the last when none follows. */
export async function currentRound(store: Store, { runId }: Plan): Promise<number> {
  const { round: key } = runKeys(runId);
  let round = 1;
  while ((await store.head(key(round))) !== null) {
    if ((await readJudgement(store, runId, round)).outcome !== null) return round;
    round++;
  }
  return round;
}

/** Notes how many base and paired chains of a round have left their draws, whole. */
export async function noteProgress(store: Store, { runId, round }: { readonly runId: string; readonly round: number }): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const numbers = await readRoundChains(store, plan, round);
  const { base, pairs, sides } = chainsNeeded(plan, numbers);
  const draws = (await store.list(keys.allDraws)).filter((key) => /\/draws\/(base|stacked|alone|weak)\/.+\.npz$/.test(key));
  const total = base + pairs * sides.length + lesserChains(plan, numbers);
  const progress: Progress = { round, chains: { done: Math.min(total, draws.length), total } };
  await store.put(keys.tasks.progress, encodeJson(progress));
}

/** How far the chains of a run were when it was last noted: when it was planned, phase by phase, and each minute. */
export function readProgress(store: Store, runId: string): Promise<Progress> {
  return readJson(store, runKeys(runId).tasks.progress, progressSchema);
}
