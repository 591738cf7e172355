import { readCheckedJson } from '../../artifacts/stored-json.ts';
import type { FitShare } from '../../contracts/cloud/workflow.ts';
import { runKeys } from '../../contracts/keys.ts';
import { planSchema, type Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { aggregateRun } from '../results/aggregate-run.ts';
import type { PhaseTasks } from '../rounds/chains-needed.ts';
import { noteProgress, type RoundReference, readRoundChains } from '../rounds/stored-round.ts';
import { judgeRound } from '../tasks/judge-round.ts';
import { readRoundTasks, storeAssessTasks } from '../tasks/stored-tasks.ts';
import { beginUnnoted, continueRun, timePhase } from './run-state.ts';

/**
 * The chains of a round in two stages, for tasks that share them: those that need no others, and those that go on from
 * datasets, which the first stage makes. Of trees and counts the first stage would not be of independent tasks.
 */
export function stagesOf({ fit, synthesize, augment }: PhaseTasks): readonly [readonly Task[], readonly Task[]] {
  return [[...fit, ...synthesize], augment];
}

/** What of a stage one of the tasks runs that share it: chains in turn, so that each has as many as the others. */
export function shareOf(stages: ReturnType<typeof stagesOf>, { stage, task, of }: FitShare): readonly Task[] {
  return stages[stage - 1]!.filter((_, i) => i % of === task - 1);
}

/** The shares of each stage: as many as are asked for, but none without a chain for each thread of it while others have several. */
export function fitShares(
  stages: ReturnType<typeof stagesOf>,
  tasks: number,
  threads: number,
): readonly [readonly FitShare[], readonly FitShare[]] {
  const sharesOf = (stage: 1 | 2): FitShare[] => {
    const of = Math.min(tasks, Math.ceil(stages[stage - 1].length / threads));
    return Array.from({ length: of }, (_, i) => ({ stage, task: i + 1, of }));
  };
  return [sharesOf(1), sharesOf(2)];
}

/** Phases that come before the batches: all chains of a round, and in the first the datasets. */
const PHASES = ['fit', 'synthesize', 'augment'] as const;

/**
 * Runs one task's share of the chains of a round. It writes nothing into the run's state, since others do their shares at the same time:
 * `beginChains` and `endChains` stand around all of them. Repeated, it does what is missing.
 */
export async function fitShare(
  store: Store,
  reference: RoundReference,
  share: FitShare,
  runAll: (tasks: readonly Task[]) => Promise<void>,
): Promise<void> {
  await runAll(shareOf(stagesOf(await readRoundTasks(store, reference)), share));
  await noteProgress(store, reference);
}

/** Runs every chain of a round, phase after phase. Repeated, it does what is missing. */
export async function fitRun(store: Store, reference: RoundReference, runAll: (tasks: readonly Task[]) => Promise<void>): Promise<void> {
  const { runId } = reference;
  const tasks = await readRoundTasks(store, reference);
  await continueRun(store, runId);
  for (const phase of PHASES) {
    await timePhase(store, runId, phase, () => runAll(tasks[phase]));
    await noteProgress(store, reference);
  }
  await beginUnnoted(store, runId, 'assessingSince');
}

/**
 * Judges a round whose batches are assessed. Either another follows, whose tasks are stored, or the run's results are put together.
 *
 * @returns the number of the round that follows, or null
 */
export async function closeRound(store: Store, { runId, round }: RoundReference): Promise<number | null> {
  const plan = await readCheckedJson(store, runKeys(runId).plan, planSchema);
  const next = await judgeRound(store, plan, await readRoundChains(store, plan, round));
  if (next === null) await aggregateRun(store, { runId });
  else await storeAssessTasks(store, { runId, round: next.round });
  return next?.round ?? null;
}
