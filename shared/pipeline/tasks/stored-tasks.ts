import { encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import type { PhaseTasks } from '../rounds/chains-needed.ts';
import { noteProgress, type RoundReference, readRoundChains } from '../rounds/stored-round.ts';
import { roundTasks } from '../synthesizers/round-tasks.ts';
import { objectsOfTasks } from './task-objects.ts';

/** The tasks of a round, from what the rounds before it came to. */
export async function readRoundTasks(store: Store, { runId, round }: RoundReference): Promise<PhaseTasks> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const now = await readRoundChains(store, plan, round);
  return round === 1 ? roundTasks(plan, now) : roundTasks(plan, now, await readRoundChains(store, plan, round - 1));
}

/** Which of some tasks of a run have not left their results, as far as these are there now. */
export async function missingTasks(store: Store, plan: Plan): Promise<(tasks: readonly Task[]) => Promise<Task[]>> {
  const keys = runKeys(plan.runId);
  const lists = [keys.allDraws, keys.allTrees, keys.synthesis, keys.parts, keys.confidential.measuredUtility].map((prefix) =>
    store.list(prefix),
  );
  const stored = new Set((await Promise.all(lists)).flat());
  const objectsOf = objectsOfTasks(store, plan);
  return async (tasks) => {
    const missing: Task[] = [];
    for (const task of tasks) if (!(await objectsOf(task)).every((key) => stored.has(key))) missing.push(task);
    return missing;
  };
}

/** The assess tasks of a round whose parts are not there. */
export async function missingAssessTasks(store: Store, reference: RoundReference): Promise<readonly Task[]> {
  const plan = await readCheckedJson(store, runKeys(reference.runId).plan, planSchema);
  const { assess } = await readRoundTasks(store, reference);
  return (await missingTasks(store, plan))(assess);
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
