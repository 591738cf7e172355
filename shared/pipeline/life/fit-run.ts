import type { FitShare } from '../../contracts/cloud/workflow.ts';
import type { Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import { shareOf, stagesOf } from '../rounds/fit-shares.ts';
import { noteProgress } from '../rounds/stored-progress.ts';
import type { RoundReference } from '../rounds/stored-round.ts';
import { readRoundTasks } from '../tasks/stored-tasks.ts';
import { beginAssessment, continueRun, timePhase } from './run-phase.ts';

/** Phases that come before the batches: all chains of a round, and in the first the datasets. */
const PHASES = ['fit', 'synthesize', 'augment'] as const;

/**
 * Runs one task's share of the chains of a round. It writes nothing into the run's state, since others do their shares at
 * the same time: `beginChains` and `endChains` stand around all of them. Repeated, it does what is missing.
 *
 * @param runAll as of {@link fitRun}
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

/**
 * Runs every chain of a round, phase after phase. Repeated, it does what is missing.
 *
 * @param runAll runs the tasks of a phase, in any order
 */
export async function fitRun(store: Store, reference: RoundReference, runAll: (tasks: readonly Task[]) => Promise<void>): Promise<void> {
  const { runId } = reference;
  const tasks = await readRoundTasks(store, reference);
  await continueRun(store, runId);
  for (const phase of PHASES) {
    await timePhase(store, runId, phase, () => runAll(tasks[phase]));
    await noteProgress(store, reference);
  }
  await beginAssessment(store, runId);
}
