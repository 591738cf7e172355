import { contextOfScenario, readRunContext } from '../../artifacts/run-context.ts';
import { readCheckedJson } from '../../artifacts/stored-json.ts';
import {
  type PartReference,
  writeBeside,
  writeCellPart,
  writeDatasetSums,
  writeDensities,
  writeLikeliest,
  writeMembership,
  writePart,
  writeValuePart,
} from '../../artifacts/stored-part.ts';
import { NumericalError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema, type Task } from '../../contracts/run/plan.ts';
import { openScenario } from '../../contracts/run/scenarios.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import { NoEstimate } from '../../risk/attribute/posterior.ts';
import type { Store } from '../../storage/store.ts';
import { scoreTargets } from '../assess/score-targets.ts';
import { methodOf } from '../methods/methods.ts';
import type { RiskPart } from '../methods/risk-method.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';
import { readRoundChains } from '../rounds/stored-round.ts';
import type { DoneStep, FitTask } from '../synthesizers/synthesizer.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { inThisThread, measureRun, utilityRunUnits } from '../utility/measure-run.ts';
import { isDone } from './task-objects.ts';

/** Units of work of reading what a batch needs, and of storing what it finds: most of the work of one of a few rows. */
const STORED_UNITS = 40_000;

/**
 * Attribute risk of one batch of rows, which are combinations, or records of partially synthetic data, by the method of its scenario;
 * stores its part. A part that is there already, whole, is left alone.
 *
 * @throws NumericalError naming the batch when an estimate is not a number
 */
export async function assessBatch(store: Store, task: Extract<Task, { step: 'assess' }>, onUnits: OnUnits): Promise<void> {
  const { runId, round, batch } = task;
  const plan = await readPlan(store, runId);
  if (await isDone(store, plan, task)) return;
  const whole = await readRunContext(store, plan);
  const { scenario, from, to } = plan.batches[batch - 1]!;
  const context = contextOfScenario(whole, scenario);
  const chains = await readRoundChains(store, plan, round);
  try {
    const method = methodOf(plan.config, context.scenario);
    const part = await method.assess(store, context, { from, to, chains }, onUnits);
    await storeRiskPart(store, { runId, round, batch }, part);
    onUnits(STORED_UNITS);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const what =
      error instanceof NoEstimate
        ? `row ${from + error.combination + 1} has no finite estimate. The model finds its values all but impossible given all other records. Look for a mistake in them, or let the model have more classes (--classes)`
        : error.message;
    throw new NumericalError('assessment-failed', `Batch ${batch} (from row ${from + 1}): ${what}.`);
  }
}

const readPlan = (store: Store, runId: string) => readCheckedJson(store, runKeys(runId).plan, planSchema);

/** Runs one task of a run, unless all is there that it makes; of what it makes, what is there stays. `onUnits` hears of {@link taskUnits} at most. */
export async function runTask(store: Store, task: Task, onUnits: OnUnits): Promise<void> {
  if (task.step === 'assess') return assessBatch(store, task, onUnits);
  if (task.step === 'score') return scoreTargets(store, task, () => onUnits());
  const plan = await readPlan(store, task.runId);
  if (task.step === 'measure') return void (await measureRun(store, plan, null, inThisThread(plan, onUnits)));
  if (await isDone(store, plan, task)) return;
  return stepOf(plan, task).run(store, plan, task, () => onUnits());
}

/** How the synthesizer of a run does the step of a task. Throws RangeError for one that it does not have. */
function stepOf(plan: Plan, { step }: FitTask): DoneStep {
  const done = synthesizerOf(plan.config).steps[step] as DoneStep | undefined;
  if (done === undefined) throw new RangeError(`the model ${plan.config.model.name} has no step ${step}`);
  return done;
}

/**
 * Units of work of a task, for progress: iterations of a chain, chains scored for targets, or one tree or dataset; about microseconds of a
 * batch or of utility, which are at work side by side.
 */
export function taskUnits(plan: Plan, task: Task, numbers: ChainNumbers): number {
  if (task.step === 'measure') return utilityRunUnits(plan);
  if (task.step !== 'assess' && task.step !== 'score') return stepOf(plan, task).units(plan, task);
  if (task.step === 'score') {
    const { base, pairs, sides } = chainsNeeded(plan, numbers);
    return base + pairs * sides.length;
  }
  const { scenario: number, from, to } = plan.batches[task.batch - 1]!;
  const scenario = openScenario(plan, number);
  return methodOf(plan.config, scenario).units(plan, scenario, numbers, to - from) + STORED_UNITS;
}

/** Stores a part. The risk comes last, and says that all is there. */
async function storeRiskPart(store: Store, reference: PartReference, part: RiskPart): Promise<void> {
  if ('cells' in part) {
    await writeCellPart(store, reference, part.cells);
  } else {
    if (part.datasetSums) await writeDatasetSums(store, reference, part.datasetSums);
    await writeValuePart(store, reference, part.risk.values);
    if (part.risk.densities) await writeDensities(store, reference, part.risk.densities);
    await writeLikeliest(store, reference, part.risk.likeliest);
    if (part.membership) await writeMembership(store, reference, part.membership);
    if (part.beside) await writeBeside(store, reference, part.beside);
  }
  await writePart(store, reference, part.risk);
}
