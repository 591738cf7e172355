import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { readJudgement } from './stored-judgement.ts';

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
