import { readCheckedJson } from '../artifacts/stored-json.ts';
import { runKeys } from '../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../contracts/run/plan.ts';
import { chainsNeeded, type PhaseTasks } from '../pipeline/rounds/chains-needed.ts';
import { lesserChain } from '../pipeline/rounds/lesser-chains.ts';
import { readRoundChains } from '../pipeline/rounds/stored-judgement.ts';
import type { RoundReference } from '../pipeline/rounds/stored-round.ts';
import { readRoundTasks } from '../pipeline/tasks/stored-tasks.ts';
import type { Store } from '../storage/store.ts';
import type { RoundWork } from './measured-work.ts';

/** The object that a task leaves when it has ended. */
function lastObject(plan: Plan, task: Task): string {
  const keys = runKeys(plan.runId);
  switch (task.step) {
    case 'fit':
      return keys.draws(`base/${task.chain}`);
    case 'synthesize':
      return keys.draws(`synthesis/${task.chain}`);
    case 'pair':
      return keys.draws(`${chainsNeeded(plan).sides.at(-1)}/${task.dataset}/${task.chain}`);
    case 'learn':
      return keys.draws(lesserChain(plan.config.attributeRisk.scenarios[task.scenario - 1]!.knows!, task.dataset, task.chain));
    case 'weigh':
      return keys.logWeights(task.chain);
    case 'grow':
      return keys.tree(task.place).nodes;
    case 'drop':
    case 'draw':
      return keys.dataset(task.dataset).source;
    case 'assess':
      return keys.part(task.round, task.batch).columns;
    case 'score':
      return keys.scores(task.batch);
  }
}

/** What a round of a run still has to do: its tasks without those whose results are stored. */
export async function remainingWork(store: Store, reference: RoundReference): Promise<RoundWork> {
  const keys = runKeys(reference.runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const tasks = await readRoundTasks(store, reference);
  const lists = [keys.allDraws, keys.allTrees, keys.synthesis, keys.parts].map((prefix) => store.list(prefix));
  const stored = new Set((await Promise.all(lists)).flat());
  const missing = (phase: readonly Task[]) => phase.filter((task) => !stored.has(lastObject(plan, task)));
  const left: PhaseTasks = {
    fit: missing(tasks.fit),
    synthesize: missing(tasks.synthesize),
    augment: missing(tasks.augment),
    assess: missing(tasks.assess),
  };
  return { tasks: left, chains: await readRoundChains(store, plan, reference.round) };
}
