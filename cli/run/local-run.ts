import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { refuseOtherNames } from '../../shared/artifacts/report-heading.ts';
import { readCheckedJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { chooseReleaseKey } from '../../shared/artifacts/stored-keys.ts';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InterruptedError, RunConflictError, SynthriskError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { factsOf } from '../../shared/contracts/models/models.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { type Plan, planSchema, type Task } from '../../shared/contracts/run/plan.ts';
import type { RunState } from '../../shared/contracts/run/run-state.ts';
import { addSeconds, newRunState, noteMemory, timeWork, writeRunState } from '../../shared/pipeline/life/run-state.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { copyEarlier, planReassessment, type ReassessedRun } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun, RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { storeOpenPlan, storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { calibrateRun, reportCalibration } from '../../shared/pipeline/results/calibrate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { runRounds, withUtility } from '../../shared/pipeline/tasks/run-rounds.ts';
import { taskUnits } from '../../shared/pipeline/tasks/run-task.ts';
import { TaskPool } from '../../shared/pipeline/tasks/task-pool.ts';
import { measureRun } from '../../shared/pipeline/utility/measure-run.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { lockFolder } from './folder-lock.ts';
import { defaultMemoryLimit, requireMemory } from './memory-limit.ts';
import { peakMemoryMiB } from './peak-memory.ts';
import { findPlaceKey, keepPlaceKey, type PlaceKey, RUNS_FOLDER } from './place-key.ts';
import { runSteps, type Step } from './progress.ts';
import { readReleaseKey } from './read-config.ts';
import { readEarlierState } from './run-folder.ts';
import type { RunFolder } from './worker.ts';

/** How a run is carried out here; none of it changes a result. */
export interface LocalOptions {
  /** Folder of the run; default `synthrisk-runs/<runId>`. */
  readonly out?: string;
  readonly jobs?: number;
  /** File of a release key, to repeat the run that had it. */
  readonly releaseKey?: string;
  /** Memory that the run may take (bytes); default: the machine's. */
  readonly memory?: number;
  readonly resume: boolean;
  readonly quiet: boolean;
  /** What to tell a person, on standard error, before the work begins. */
  readonly announce?: (planned: PlannedRun, jobs: number) => string;
}

/** What a run is asked to do, but for its keys. */
export type LocalRequest = Omit<RunRequest, 'placeKey' | 'releaseKey'>;

/** A finished run that is looked at anew under other scenarios. */
export interface LocalReassessment {
  readonly reassessed: ReassessedRun;
  readonly config: Config;
  readonly priorFiles?: readonly Uint8Array[];
  readonly batchSize?: number;
}

/** A run that has finished, and the store that holds what it made. */
export interface CarriedOutRun {
  readonly directory: string;
  readonly store: FileStore;
  readonly state: RunState;
}

/** A run that has finished, with its summary. */
export interface FinishedRun extends CarriedOutRun {
  readonly summary: Summary;
}

/** The phases whose tasks run side by side, with their titles. */
const PHASES = {
  fit: 'Fit the base chains',
  synthesize: 'Synthesize the datasets',
  augment: 'Run the paired chains',
  assess: 'Assess every combination',
} as const;

/** Carries an evaluation, a synthesis, an assessment or a reassessment out, as {@link carryOut} does, and reads its summary. */
export async function runLocally(request: LocalRequest | LocalReassessment, options: LocalOptions): Promise<FinishedRun> {
  const run = await carryOut(request, options);
  const key = runKeys(run.state.runId).confidential.summary;
  return { ...run, summary: await readJson(run.store, key, summarySchema) };
}

/**
 * Carries a run out in a folder, with a pool of worker threads. A finished run is returned at once.
 *
 * @throws InsufficientMemoryError when the run needs more memory than it may take; RunConflictError when the
 * folder holds another run, something else, or this run unfinished and `resume` is not set, or when another process is at
 * work on it; InterruptedError
 * after Ctrl-C; whatever a step throws
 */
export async function carryOut(request: LocalRequest | LocalReassessment, options: LocalOptions): Promise<CarriedOutRun> {
  const jobs = options.jobs ?? availableParallelism();
  const limitBytes = options.memory ?? defaultMemoryLimit();
  const here = await planHere(request, options, { limitBytes, jobs });
  const { directory, store } = here;
  const found = await readEarlierState(here);
  if (found) await refuseNames(here);
  if (found?.status === 'finished') return { directory, store, state: found };
  const lock = await lockFolder(directory);
  try {
    // Another process may have begun, or finished, in between.
    const earlier = await readEarlierState(here);
    return await carryOutLocked(request, options, { ...here, earlier, jobs, limitBytes });
  } finally {
    await lock.release();
  }
}

/** A run that has been planned, and the folder that is to hold it. */
interface RunHere {
  readonly planned: PlannedRun;
  readonly place: PlaceKey;
  readonly directory: string;
  readonly store: FileStore;
  readonly runId: string;
  readonly holdsKey: boolean;
}

async function planHere(
  request: LocalRequest | LocalReassessment,
  options: Pick<LocalOptions, 'out' | 'releaseKey'>,
  memory: { readonly limitBytes: number; readonly jobs: number },
): Promise<RunHere> {
  const given = await readReleaseKey(options.releaseKey);
  const place = await findPlaceKey(options.out);
  const directoryOf = (runId: string) => options.out ?? join(RUNS_FOLDER, runId);
  const storeOf = (runId: string) => new FileStore(directoryOf(runId), runKeys(runId).root);
  const here = { placeKey: place.key, releaseKey: (runId: string) => chooseReleaseKey(storeOf(runId), runId, given), memory };
  const planned =
    'reassessed' in request
      ? await planReassessment(request.reassessed, request.config, { ...request, ...here })
      : await planRun({ ...request, ...here });
  const { runId } = planned.plan;
  const holdsKey = options.out !== undefined && place.stored;
  return { planned, place, directory: directoryOf(runId), store: storeOf(runId), runId, holdsKey };
}

/**
 * Plans a run whose tasks others carry out, in a folder that all of them reach, and stores the plan. One that is there already
 * stays as it is, but that what was removed because its bytes had changed is put back.
 *
 * @returns the folder
 * @throws as {@link carryOut}
 */
export async function planForOthers(request: LocalRequest, options: LocalOptions): Promise<string> {
  const limitBytes = options.memory ?? defaultMemoryLimit();
  const here = await planHere(request, options, { limitBytes, jobs: 1 });
  const { directory, place, planned, store } = here;
  const lock = await lockFolder(directory);
  try {
    const earlier = await readEarlierState(here);
    if (earlier) await refuseNames(here);
    else requireMemory(planned, 1, limitBytes);
    if (earlier?.status === 'finished') return directory;
    await keepPlaceKey(options.out, place.key);
    const stored = await readStoredPlan(store, here.runId);
    await storePlannedRun(store, { ...planned, plan: stored ?? planned.plan });
    if (!earlier) await writeRunState(store, newRunState(planned.plan));
    return directory;
  } finally {
    await lock.release();
  }
}

/** A run in a folder that nobody else is at work on. */
interface LockedRun extends RunHere {
  readonly earlier: RunState | null;
  readonly jobs: number;
  readonly limitBytes: number;
}

async function carryOutLocked(
  request: LocalRequest | LocalReassessment,
  options: LocalOptions,
  { directory, earlier, jobs, limitBytes, place, planned, store }: LockedRun,
): Promise<CarriedOutRun> {
  const { runId } = planned.plan;
  const keys = runKeys(runId);
  if (earlier?.status === 'finished') return { directory, store, state: earlier };
  if (earlier && !options.resume) {
    throw new RunConflictError('unfinished-run', `${directory} holds this run, unfinished. Add --resume to go on with it.`);
  }
  // The stored plan rules: a run that is resumed keeps its batches.
  const stored = await readStoredPlan(store, runId);
  requireMemory({ ...planned, plan: stored ?? planned.plan }, jobs, limitBytes);
  if (options.announce && !options.quiet) process.stderr.write(`${options.announce(planned, jobs)}\n`);
  await store.removeTemporaryFiles();
  const state = earlier ?? newRunState(planned.plan);
  state.status = 'running';
  delete state.error;

  const folder: RunFolder = { directory, keyPrefix: keys.root };
  const worker = new URL('./worker.mjs', import.meta.url);
  const pool = new TaskPool(worker, folder, jobs);
  const interrupt = new AbortController();
  const onInterrupt = () => {
    interrupt.abort(new InterruptedError('interrupted', `Interrupted. The same command with --resume goes on: ${directory}`));
    pool.stop();
  };
  // Not `once`: npm passes Ctrl-C on, so that it comes twice, and the second must not end the tidying up.
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onInterrupt);
  try {
    await keepPlaceKey(options.out, place.key);
    await writeRunState(store, state);
    if ('reassessed' in request) await copyEarlier(request.reassessed, store, stored ?? planned.plan, stored === null);
    if (stored !== null) await storeOpenPlan(store, stored);
    // Of a run that goes on this puts back what was removed because its bytes had changed; the stored plan rules.
    const plan = await storePlannedRun(store, { ...planned, plan: stored ?? planned.plan }, interrupt.signal);
    await runAll(store, plan, pool, state, { signal: interrupt.signal, quiet: options.quiet });
    state.status = 'finished';
    noteMemory(state, peakMemoryMiB());
    await writeRunState(store, state);
    return { directory, store, state };
  } catch (error) {
    state.status = error instanceof InterruptedError ? 'interrupted' : 'failed';
    if (error instanceof SynthriskError && state.status === 'failed') {
      state.error = error.report;
    }
    noteMemory(state, peakMemoryMiB());
    await writeRunState(store, state);
    throw error;
  } finally {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    await pool.close();
  }
}

async function readStoredPlan(store: FileStore, runId: string): Promise<Plan | null> {
  const { plan } = runKeys(runId);
  return (await store.head(plan)) === null ? null : readCheckedJson(store, plan, planSchema);
}

/** Refuses names for the report of a run that is there already with others. */
const refuseNames = ({ directory, planned, store }: RunHere) =>
  refuseOtherNames(
    store,
    planned.plan,
    `${directory} holds this run with other names for its report. Leave --table-name and --by out; when it has finished, synthrisk report ${directory} takes them.`,
  );

/** Runs rounds of chains until the run's precision is what was asked for, then puts its results together. */
async function runAll(
  store: FileStore,
  plan: Plan,
  pool: TaskPool,
  state: RunState,
  { signal, quiet }: { readonly signal: AbortSignal; readonly quiet: boolean },
): Promise<void> {
  /** Work that adds its time to the run's state, and is neither begun nor gone on from after an interruption. */
  const timed: Timed = (phase, work) => (onShare) =>
    timeWork(
      async () => {
        signal.throwIfAborted();
        await work(onShare);
        signal.throwIfAborted();
      },
      (seconds) => addSeconds(state, phase, seconds),
    );
  const calibrating = plan.purpose === 'calibrate';
  const titles = {
    ...PHASES,
    ...(calibrating ? { assess: 'Score the targets' } : {}),
    ...(factsOf(plan.config.model).method === 'grown' ? { fit: 'Grow the trees' } : {}),
  };
  for await (const { round, tasks: own } of runRounds(store, plan)) {
    const tasks = withUtility(plan, own, round.round);
    const steps = (Object.keys(PHASES) as (keyof typeof PHASES)[])
      .filter((phase) => tasks[phase].length > 0)
      .map((phase): Step => {
        const units = tasks[phase].map((task: Task) => taskUnits(plan, task, round));
        return {
          title: round.round === 1 ? titles[phase] : `${titles[phase]}, round ${round.round}`,
          left: () => pool.secondsLeft(),
          work: timed(phase, () => runTasks(store, plan, pool, tasks[phase], units)),
        };
      });
    await runSteps(steps, quiet);
  }
  const { measuredUtility } = runKeys(plan.runId).confidential;
  if (plan.config.utility !== 'off' && !calibrating && (await store.head(measuredUtility)) === null) {
    const work = timed('aggregate', async () => void (await measureRun(store, plan, null, pool.measure)));
    await runSteps([{ title: 'Measure utility', left: () => pool.secondsLeft(), work }], quiet);
  }
  // What is left runs in this thread: the memory of the others is given back before.
  await pool.close();
  await runSteps(closingSteps(store, plan, timed), quiet);
}

/** Runs tasks in a pool; utility is measured in all of its threads, by parts. */
async function runTasks(store: Store, plan: Plan, pool: TaskPool, tasks: readonly Task[], units: readonly number[]): Promise<void> {
  const places = [...tasks.keys()].filter((place) => tasks[place]!.step !== 'measure');
  const work = [
    pool.run(
      places.map((place) => tasks[place]!),
      places.map((place) => units[place]!),
    ),
    ...(places.length < tasks.length ? [measureRun(store, plan, null, pool.measure)] : []),
  ];
  // Threads are at work until both have ended, whatever fails.
  for (const one of work) one.catch(() => pool.stop());
  for (const one of await Promise.allSettled(work)) if (one.status === 'rejected') throw one.reason;
}

/** Does work of a phase, in whose time it counts. */
type Timed = (phase: keyof RunState['seconds'], work: Step['work']) => Step['work'];

/** What is left of a run when its last round has been judged. */
export function closingSteps(store: Store, plan: Plan, timed: Timed): Step[] {
  const { purpose, runId } = plan;
  const single = (title: string, phase: 'aggregate' | 'report', work: Step['work']): Step => ({ title, work: timed(phase, work) });
  const [aggregate, report] = purpose === 'calibrate' ? [calibrateRun, reportCalibration] : [aggregateRun, reportRun];
  return [
    single('Put the results together', 'aggregate', (onShare) => aggregate(store, { runId }, onShare)),
    ...(purpose === 'synthesize' ? [] : [single('Write the report', 'report', (onShare) => report(store, { runId }, onShare))]),
    single('Write the manifest', 'aggregate', (onShare) => writeManifest(store, plan, { onShare })),
  ];
}
