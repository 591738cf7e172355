import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { type Judgement, judgementSchema, type RoundChains } from '../../contracts/run/round.ts';
import type { Store } from '../../storage/store.ts';
import { firstRound } from './chains-needed.ts';

/** The chains of a round: those of the plan in the first, and in a later one those that the round before asked for. */
export async function readRoundChains(store: Store, plan: Plan, round: number): Promise<RoundChains> {
  if (round === 1) return firstRound(plan);
  const { next } = await readJudgement(store, plan.runId, round - 1);
  if (next === null) throw new RangeError(`round ${round - 1} asked for no other`);
  return { round, chains: next.chains, pairedChains: next.pairedChains };
}

/** What a round came to that has been judged. */
export function readJudgement(store: Store, runId: string, round: number): Promise<Judgement> {
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
