import { encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { planSchema, type Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import type { PhaseTasks } from '../rounds/chains-needed.ts';
import { noteProgress, type RoundReference, readRoundChains } from '../rounds/stored-round.ts';
import { roundTasks } from '../synthesizers/round-tasks.ts';

/** The tasks of a round, from what the rounds before it came to. */
export async function readRoundTasks(store: Store, { runId, round }: RoundReference): Promise<PhaseTasks> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const now = await readRoundChains(store, plan, round);
  return round === 1 ? roundTasks(plan, now) : roundTasks(plan, now, await readRoundChains(store, plan, round - 1));
}

/** The assess tasks of a round whose parts are not there. */
export async function missingAssessTasks(store: Store, reference: RoundReference): Promise<readonly Task[]> {
  const { runId, round } = reference;
  const keys = runKeys(runId);
  const present = new Set(await store.list(keys.parts));
  const { assess } = await readRoundTasks(store, reference);
  return assess.filter((task) => task.step === 'assess' && !present.has(keys.part(round, task.batch).columns));
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
