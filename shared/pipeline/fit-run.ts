import { runKeys } from '../contracts/keys.ts';
import { planSchema, type Task } from '../contracts/plan.ts';
import type { Store } from '../storage/store.ts';
import { runTasks } from './chains-needed.ts';
import { beginAssessment, continueRun, timePhase } from './run-phase.ts';
import { readJson } from './stored-json.ts';

/** Phases that come before the batches: all chains of a run, and its datasets. */
const PHASES = ['fit', 'synthesize', 'augment'] as const;

/**
 * Runs every chain of a run, phase after phase. Repeated, it does what is missing.
 *
 * @param runAll runs the tasks of a phase, in any order
 */
export async function fitRun(
  store: Store,
  { runId }: { runId: string },
  runAll: (tasks: readonly Task[]) => Promise<void>,
): Promise<void> {
  const tasks = runTasks(await readJson(store, runKeys(runId).plan, planSchema));
  await continueRun(store, runId);
  for (const phase of PHASES) await timePhase(store, runId, phase, () => runAll(tasks[phase]));
  await beginAssessment(store, runId);
}
