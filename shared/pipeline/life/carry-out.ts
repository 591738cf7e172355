import { readJson } from '../../artifacts/stored-json.ts';
import { InterruptedError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Summary, summarySchema } from '../../contracts/results/summary.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { Store } from '../../storage/store.ts';
import type { PlannedRun } from '../plan/planned-run.ts';
import { storePlannedRun } from '../plan/store-planned-run.ts';
import { aggregateRun } from '../results/aggregate-run.ts';
import { reportRun } from '../results/report-run.ts';
import type { PhaseTasks } from '../rounds/chains-needed.ts';
import { runRounds, withUtility } from '../tasks/run-rounds.ts';
import { taskUnits } from '../tasks/run-task.ts';
import { newRunState, noteState, readRunState, writeRunState } from './run-state.ts';
import { writeManifest } from './write-manifest.ts';

/** What a run does one after the other: the phases of its rounds, and its report. */
export type Phase = keyof PhaseTasks | 'report';

/** How a run is carried out. */
export interface Carrier {
  /** Runs the tasks of a phase, in any order and beside each other. `units` has the units of work of each. */
  runTasks(phase: keyof PhaseTasks, tasks: readonly Task[], units: readonly number[]): Promise<void>;
  /** Hears that results are being put together, and when they are. */
  onReport(isDone: boolean): void;
  readonly signal: AbortSignal | undefined;
}

const PHASES = ['fit', 'synthesize', 'augment', 'assess'] as const;

/** What a run came to. */
export interface CarriedOut {
  readonly plan: Plan;
  readonly summary: Summary;
}

/**
 * Carries out in a store a run that has been planned; what an earlier call has stored there is not done again.
 *
 * @throws InterruptedError when the signal ends it; whatever a step throws
 */
export async function carryOut(store: Store, planned: PlannedRun, { runTasks, onReport, signal }: Carrier): Promise<CarriedOut> {
  const { runId } = planned.plan;
  const goOn = () => {
    if (signal?.aborted) throw new InterruptedError('interrupted', 'The run was ended. The same call over the same store goes on with it.');
  };
  const state = await readRunState(store, runId);
  const plan = await storePlannedRun(store, planned);
  const finished = async () => ({ plan, summary: await readJson(store, runKeys(runId).confidential.summary, summarySchema) });
  if (state?.status === 'finished') return finished();
  if (state === null) await writeRunState(store, newRunState(plan));
  for await (const { round, tasks: own } of runRounds(store, plan)) {
    const tasks = withUtility(plan, own, round.round);
    for (const phase of PHASES) {
      goOn();
      const units = tasks[phase].map((task) => taskUnits(plan, task, round));
      await runTasks(phase, tasks[phase], units);
    }
  }
  goOn();
  onReport(false);
  await aggregateRun(store, plan);
  if (plan.purpose !== 'synthesize') await reportRun(store, plan);
  await writeManifest(store, plan);
  await noteState(store, runId, { status: 'finished' });
  onReport(true);
  return finished();
}
