import type { z } from 'zod';
import { readRunModel } from '../artifacts/run-context.ts';
import { readCheckedJson } from '../artifacts/stored-json.ts';
import { readRecordTable } from '../artifacts/stored-table.ts';
import type { EnvironmentSize } from '../contracts/cloud/cloud-environment.ts';
import type { budgetInputSchema } from '../contracts/cloud/workflow.ts';
import { keepsRecords } from '../contracts/config/config.ts';
import { BudgetExceededError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import { planSchema } from '../contracts/run/plan.ts';
import { tableSchema } from '../contracts/schema.ts';
import { dollarsOfRun, estimateCloud } from '../cost/cloud-estimate.ts';
import { cloudOptions } from '../cost/cloud-options.ts';
import { formatDollars } from '../cost/format-dollars.ts';
import { hasCombinations } from '../pipeline/rounds/chains-needed.ts';
import type { RoundReference } from '../pipeline/rounds/stored-round.ts';
import type { MeasuredRun } from '../pipeline/synthesizers/run-sizes.ts';
import type { Store } from '../storage/store.ts';
import { estimateShortly, FAR_BELOW, type RunEstimate } from './estimate-run.ts';
import { refuseObstacles, roundObstacles } from './look-ahead.ts';
import { measuredWork, remainingWork } from './measured-work.ts';

/** Reads a stored run; of its input, which has been read, nothing more will be. */
async function readEstimatedRun(store: Store, runId: string): Promise<MeasuredRun> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const schema = await readCheckedJson(store, keys.table.schema, tableSchema);
  const records = keepsRecords(plan.config) ? await readRecordTable(store, plan) : null;
  const run = { plan, schema, records, inputBytes: 0 };
  if (!hasCombinations(plan.config)) return { ...run, combinations: null, support: null };
  const { support, table } = await readRunModel(store, runId);
  return { ...run, combinations: table.combinations, support: support ? { support } : null };
}

/** What a budget is held against (dollars). */
export interface Spending {
  readonly budget: number;
  /** What the run has cost so far. */
  readonly spent: number;
  /** Tasks that share its chains. */
  readonly fitTasks: number;
}

/**
 * What the round in which a run is will still cost in an environment of this size, storage left out, from the speed of the
 * processor that asks: a second or two of measuring where that is far from what is left, else three or four, more for tables of
 * millions of combinations.
 *
 * @param before what comes next: before the `batches`, the chains are there
 * @param left dollars that the run has left
 */
async function predictRound(
  store: Store,
  { before, ...reference }: z.output<typeof budgetInputSchema>,
  size: EnvironmentSize,
  fitTasks: number,
  left: number,
): Promise<number> {
  const run = await readEstimatedRun(store, reference.runId);
  const remaining = await remainingWork(store, reference);
  const dollarsOf = (speeds: RunEstimate) => {
    const work = measuredWork(run.plan, speeds, remaining);
    return dollarsOfRun(estimateCloud(work, cloudOptions(size, fitTasks)), before === 'chains' ? ['plan'] : ['plan', 'fit']);
  };
  const isFar = (dollars: number) => dollars < left * FAR_BELOW || dollars * FAR_BELOW > left;
  return dollarsOf(estimateShortly(run, (quick) => isFar(dollarsOf(quick))));
}

/**
 * Refuses to go on with a run whose round would cost more than is left of its budget, as far as that can be predicted: so
 * that nothing is begun that it is not expected to pay for. What is stored stays.
 *
 * @throws BudgetExceededError `budget-exceeded`, with what was spent, what was predicted and how to go on
 */
export async function requireBudget(
  store: Store,
  next: z.output<typeof budgetInputSchema>,
  size: EnvironmentSize,
  { budget, fitTasks, spent }: Spending,
): Promise<void> {
  const predicted = await predictRound(store, next, size, fitTasks, budget - spent);
  if (spent + predicted <= budget) return;
  throw new BudgetExceededError(
    'budget-exceeded',
    `The run has cost ${formatDollars(spent)} of its budget of ${formatDollars(budget)}, and the ${next.before} of round ${next.round} with what follows them are predicted to cost ${formatDollars(predicted)}. Go on with a larger one: synthrisk cloud resume ${next.runId} --budget ${Math.ceil(spent + predicted)}.`,
  );
}

/**
 * Refuses a later round that an environment of this size is not expected to end, before its chains are paid for. Of the
 * first, planning has looked ahead.
 *
 * @throws RunTooLargeError `fit-too-long`, `batch-too-long` and the like
 */
export async function requireRoundFits(store: Store, reference: RoundReference, size: EnvironmentSize, fitTasks: number): Promise<void> {
  if (reference.round === 1) return;
  const run = await readEstimatedRun(store, reference.runId);
  refuseObstacles(roundObstacles(run, await remainingWork(store, reference), size, fitTasks), size);
}
