import type { z } from 'zod';
import { childType, type EnvironmentSize } from '../contracts/cloud/cloud-environment.ts';
import type { budgetInputSchema } from '../contracts/cloud/workflow.ts';
import { BudgetExceededError } from '../contracts/errors.ts';
import { dollarsOfRun, estimateCloud } from '../cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS, type CloudOptions } from '../cost/cloud-options.ts';
import type { Store } from '../storage/store.ts';
import { estimateRun } from './estimate-run.ts';
import { readEstimatedRun } from './estimated-run.ts';
import { measuredWork } from './measured-work.ts';
import { remainingWork } from './remaining-work.ts';

/** How an environment of this size carries runs out. */
function optionsOf(size: EnvironmentSize): CloudOptions {
  const { assessMemoryMiB, engine, fitVcpu: vcpus, mapConcurrency: concurrency, stepMemoryMiB } = size;
  return {
    ...CLOUD_DEFAULTS,
    engine,
    vcpus,
    concurrency,
    child: childType(size),
    assessMemoryMiB,
    stepMemoryMiB,
  };
}

/** What a budget is held against (dollars). */
export interface Spending {
  readonly budget: number;
  /** What the run has cost so far. */
  readonly spent: number;
}

/**
 * What the round in which a run is will still cost in an environment of this size, storage left out, from the speed of the
 * processor that asks: two or three seconds of measuring, more for tables of millions of combinations.
 *
 * @param before what comes next: before the `batches`, the chains are there
 */
async function predictRound(
  store: Store,
  { before, ...reference }: z.output<typeof budgetInputSchema>,
  size: EnvironmentSize,
): Promise<number> {
  const run = await readEstimatedRun(store, reference.runId);
  const speeds = estimateRun(run, 1);
  const work = measuredWork(run.plan, speeds, await remainingWork(store, reference));
  return dollarsOfRun(estimateCloud(work, optionsOf(size)), before === 'chains' ? ['plan'] : ['plan', 'fit']);
}

const inDollars = (amount: number) => `$${amount.toFixed(amount < 0.095 ? 4 : 2)}`;

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
  { budget, spent }: Spending,
): Promise<void> {
  const predicted = await predictRound(store, next, size);
  if (spent + predicted <= budget) return;
  throw new BudgetExceededError(
    'budget-exceeded',
    `The run has cost ${inDollars(spent)} of its budget of ${inDollars(budget)}, and the ${next.before} of round ${next.round} with what follows them are predicted to cost ${inDollars(predicted)}. Go on with a larger one: synthrisk cloud resume ${next.runId} --budget ${Math.ceil(spent + predicted)}.`,
  );
}
