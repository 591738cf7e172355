import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../../contracts/run/plan.ts';
import { openScenario } from '../../contracts/run/scenarios.ts';
import type { Store } from '../../storage/store.ts';
import { scoreTargets } from '../assess/score-targets.ts';
import { methodOf } from '../methods/methods.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';
import type { DoneStep, FitTask } from '../synthesizers/synthesizer.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { assessBatch } from './assess-batch.ts';

/** Runs one task of a run; what it makes is in the store. `onUnit` is called {@link taskUnits} times at most. */
export async function runTask(store: Store, task: Task, onUnit: () => void): Promise<void> {
  if (task.step === 'assess') return assessBatch(store, task, onUnit);
  if (task.step === 'score') return scoreTargets(store, task, onUnit);
  const plan = await readCheckedJson(store, runKeys(task.runId).plan, planSchema);
  return stepOf(plan, task).run(store, plan, task, onUnit);
}

/** How the synthesizer of a run does the step of a task. Throws RangeError for one that it does not have. */
function stepOf(plan: Plan, { step }: FitTask): DoneStep {
  const done = synthesizerOf(plan.config).steps[step] as DoneStep | undefined;
  if (done === undefined) throw new RangeError(`the model ${plan.config.model.name} has no step ${step}`);
  return done;
}

/**
 * Units of work of a task, for progress: iterations of a chain, chains scored for a batch, blocks of cells, or one tree
 * or dataset.
 *
 * @param numbers of chains in the task's round
 */
export function taskUnits(plan: Plan, task: Task, numbers: ChainNumbers): number {
  if (task.step !== 'assess' && task.step !== 'score') return stepOf(plan, task).units(plan, task);
  if (task.step === 'score') {
    const { base, pairs, sides } = chainsNeeded(plan, numbers);
    return base + pairs * sides.length;
  }
  const scenario = openScenario(plan, plan.batches[task.batch - 1]!.scenario);
  return methodOf(plan.config, scenario).units(plan, scenario, numbers);
}
