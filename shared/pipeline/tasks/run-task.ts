import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { scoresCells, searchedCells } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../../contracts/run/plan.ts';
import { openScenario, type Scenario } from '../../contracts/run/scenarios.ts';
import { cellPasses } from '../../risk/cells/cell-prior.ts';
import { blocksOf } from '../../risk/cells/cell-scorer.ts';
import type { Store } from '../../storage/store.ts';
import { assessBatch } from '../assess/assess-batch.ts';
import { scoreTargets } from '../assess/score-targets.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { chainsNeeded, hasChains } from '../rounds/chains-needed.ts';
import { lesserChains } from '../rounds/lesser-chains.ts';
import type { DoneStep, FitTask } from '../synthesizers/synthesizer.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';

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
 * Blocks of cells that are scored for a batch, at most: where they are searched for, once more to find them; where a prior is
 * not uniform, once more for its part in the error.
 */
function cellBlocks({ candidates, prior, candidatesPerCombination }: Scenario): number {
  const most = searchedCells(candidates);
  return (most === null ? 0 : blocksOf(most)) + cellPasses(prior) * blocksOf(candidatesPerCombination);
}

/**
 * Units of work of a task, for progress: iterations of a chain, chains scored for a batch, blocks of cells, or one tree
 * or dataset.
 *
 * @param numbers of chains in the task's round
 */
export function taskUnits(plan: Plan, task: Task, numbers: ChainNumbers): number {
  if (task.step !== 'assess' && task.step !== 'score') return stepOf(plan, task).units(plan, task);
  const { base, pairs, sides } = chainsNeeded(plan, numbers);
  if (task.step === 'score') return base + pairs * sides.length;
  if (!hasChains(plan.config)) return 1;
  const scenario = openScenario(plan, plan.batches[task.batch - 1]!.scenario);
  const allCells = scoresCells(scenario.candidates);
  if (scenario.knows) return lesserChains(plan, numbers, [scenario.knows]);
  // A block of cells takes about as long as any other unit, however many cells there are. The base chains are read for
  // them where they are the prior.
  const readBase = !allCells || scenario.prior === 'model';
  return pairs * sides.length + (readBase ? base : 0) + (allCells ? cellBlocks(scenario) : 0);
}
