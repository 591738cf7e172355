import { encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { chainsNeeded, lesserChain, type PhaseTasks } from '../rounds/chains-needed.ts';
import { noteProgress, type RoundReference, readRoundChains } from '../rounds/stored-round.ts';
import { roundTasks } from '../synthesizers/round-tasks.ts';

/** The tasks of a round, from what the rounds before it came to. */
export async function readRoundTasks(store: Store, { runId, round }: RoundReference): Promise<PhaseTasks> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const now = await readRoundChains(store, plan, round);
  return round === 1 ? roundTasks(plan, now) : roundTasks(plan, now, await readRoundChains(store, plan, round - 1));
}

/** The datasets (from 1) that a task makes. */
export function datasetsOf({ config: { synthesis } }: Plan, task: Task): number[] {
  if (task.step === 'drop' || task.step === 'draw') return [task.dataset];
  if (task.step !== 'synthesize') return [];
  return synthesis.chains === 'own' ? [task.chain] : Array.from({ length: synthesis.datasets }, (_, l) => l + 1);
}

/** The object that a task writes last: where it is there, so is all that the task makes. */
function lastObject(plan: Plan, task: Task): string {
  const keys = runKeys(plan.runId);
  switch (task.step) {
    case 'fit':
      return keys.draws(`base/${task.chain}`);
    case 'pair':
      return keys.draws(`${chainsNeeded(plan).sides.at(-1)}/${task.dataset}/${task.chain}`);
    case 'learn':
      return keys.draws(lesserChain(plan.config.attributeRisk.scenarios[task.scenario - 1]!.knows!, task.dataset, task.chain));
    case 'weigh':
      return keys.logWeights(task.chain);
    case 'grow':
      return keys.tree(task.place).nodes;
    case 'synthesize':
    case 'drop':
    case 'draw':
      return keys.dataset(datasetsOf(plan, task).at(-1)!).source;
    case 'assess':
      return keys.part(task.round, task.batch).columns;
    case 'score':
      return keys.scores(task.batch);
    case 'measure':
      return keys.confidential.measuredUtility;
  }
}

/** Which of some tasks of a run have not left their results, as far as these are there now. */
export async function missingTasks(store: Store, plan: Plan): Promise<(tasks: readonly Task[]) => Task[]> {
  const keys = runKeys(plan.runId);
  const lists = [keys.allDraws, keys.allTrees, keys.synthesis, keys.parts, keys.confidential.measuredUtility].map((prefix) =>
    store.list(prefix),
  );
  const stored = new Set((await Promise.all(lists)).flat());
  return (tasks) => tasks.filter((task) => !stored.has(lastObject(plan, task)));
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
