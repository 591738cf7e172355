import { encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { type PhaseTasks, roundTasks } from './chains-needed.ts';
import { readJudgement, readRoundChains } from './stored-judgement.ts';
import { noteProgress } from './stored-progress.ts';

/** A round of a run, from 1. */
export interface RoundReference {
  readonly runId: string;
  readonly round: number;
}

/** The tasks of a round, from what the rounds before it came to. */
export async function readRoundTasks(store: Store, { runId, round }: RoundReference): Promise<PhaseTasks> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const now = await readRoundChains(store, plan, round);
  return round === 1
    ? roundTasks(plan, now)
    : roundTasks(plan, now, await readRoundChains(store, plan, round - 1));
}

/** The assess tasks of a round whose parts are not there. */
export async function missingAssessTasks(store: Store, reference: RoundReference): Promise<readonly Task[]> {
  const { runId, round } = reference;
  const keys = runKeys(runId);
  const present = new Set(await store.list(keys.parts));
  const { assess } = await readRoundTasks(store, reference);
  return assess.filter(
    (task) => task.step === 'assess' && !present.has(keys.part(round, task.batch).columns),
  );
}

/**
 * Stores the assess tasks of a round whose parts are not there yet, as the array that the workflow maps over, and how many
 * of the round's chains are there.
 */
export async function storeAssessTasks(store: Store, reference: RoundReference): Promise<void> {
  const missing = await missingAssessTasks(store, reference);
  await store.put(runKeys(reference.runId).tasks.assess(reference.round), encodeJson(missing));
  await noteProgress(store, reference);
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
