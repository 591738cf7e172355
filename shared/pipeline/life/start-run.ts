import { refuseOtherNames } from '../../artifacts/report-heading.ts';
import { encodeJson, readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { chooseReleaseKey, obtainPlaceKey, storeReleaseKey } from '../../artifacts/stored-keys.ts';
import { MOST_FIT_TASKS } from '../../contracts/cloud/cloud-environment.ts';
import { parseJson, type UploadBudget, uploadBudgetSchema } from '../../contracts/cloud/workflow.ts';
import { InvalidConfigError, RunConflictError } from '../../contracts/errors.ts';
import { runKeys, type UploadKeys } from '../../contracts/keys.ts';
import { openPlanOf, planSchema } from '../../contracts/run/plan.ts';
import { parseKey } from '../../contracts/secret-key.ts';
import { completeConfig, parseSettings } from '../../contracts/settings/complete-config.ts';
import { VERSION } from '../../contracts/version.ts';
import type { Store } from '../../storage/store.ts';
import { planRun } from '../plan/plan-run.ts';
import type { PlannedRun, RunRequest } from '../plan/planned-run.ts';
import { storePlannedRun } from '../plan/store-planned-run.ts';
import { currentRound } from '../rounds/stored-round.ts';
import { storeAssessTasks } from '../tasks/stored-tasks.ts';
import { beginState, continueRun, newRunState, readRunState, requireOwnCode, takeRunLock } from './run-state.ts';
import { readUploadedFiles } from './uploaded-files.ts';

/** What becomes of a run when it is started: see `planOutputSchema`. */
export interface StartedRun {
  readonly runId: string;
  readonly outcome: 'planned' | 'duplicate' | 'finished';
  /** The round with which a planned run goes on. */
  readonly round: number;
}

/** An execution of the workflow, and how it plans. */
export interface Execution {
  readonly id: string;
  /** Digest of the code of the steps that it calls. */
  readonly code: string;
  /** Combinations in a batch; by default as `planRun` decides. */
  readonly batchSize?: number;
  /** What a run may cost (dollars), where nobody says otherwise: of a new run, or in place of what it had. */
  readonly budgetDollars?: number;
}

/** What is decided of the container tasks of a run before it begins. */
interface RunTasks {
  /** How many share its chains. */
  readonly fitTasks: number;
  /** Whether one puts its results together. */
  readonly closesInTask: boolean;
}

/**
 * A planned run as it can be carried out where it is started, and with which tasks; what cannot be is refused.
 *
 * @param asked tasks that are to share its chains, if the upload says so
 */
export type PrepareRun = (planned: PlannedRun, asked: UploadBudget['fitTasks']) => RunTasks & { readonly run: PlannedRun };

/** A table that was uploaded, as it was put. */
export interface UploadedTable {
  readonly bytes: Uint8Array;
  /** Throws InvalidConfigError where a file beside it is there that was put for another table. */
  assertItsFiles(): Promise<void>;
}

/** What {@link startRun} works with, beside the store. */
export interface UploadedRun {
  readonly table: UploadedTable;
  /** Is asked for a run that has not begun, before anything is done for it. */
  readonly prepare: PrepareRun;
  /** Hears which run it is, when that has its state and its tasks. */
  found(runId: string): Promise<void>;
}

/**
 * Starts the evaluation of an uploaded table, unless another execution has: plans it with the `run.yaml` that lies beside the table, if
 * there is one, and the files that this names, and stores the plan, the table and the tasks. A release key that lies there repeats the run
 * that had it.
 */
export async function startRun(
  store: Store,
  upload: UploadKeys,
  execution: Execution,
  { found, prepare, table }: UploadedRun,
): Promise<StartedRun> {
  const { config } = upload;
  const settings = (await store.head(config)) === null ? {} : parseSettings(await store.get(config), config);
  const given =
    (await store.head(upload.releaseKey)) === null ? undefined : parseKey(await store.get(upload.releaseKey), upload.releaseKey);
  const complete = completeConfig(settings);
  const request: RunRequest = {
    purpose: 'evaluate',
    config: complete,
    table: table.bytes,
    ...(await readUploadedFiles(store, complete, upload)),
    placeKey: await obtainPlaceKey(store),
    releaseKey: (runId) => chooseReleaseKey(store, runId, given),
    ...(execution.batchSize === undefined ? {} : { batchSize: execution.batchSize }),
  };
  const planned = await planRun(request);
  const limits = await readLimits(store, upload);
  await table.assertItsFiles();
  const { runId } = planned.plan;
  await refuseOtherNames(
    store,
    planned.plan,
    `The run ${runId} is there with other names for its report. Leave report out of run.yaml; synthrisk report takes names for what cloud fetch brings.`,
  );
  if (await isFinished(store, runId)) {
    await found(runId);
    return { runId, outcome: 'finished', round: 1 };
  }
  let tasks: RunTasks | undefined;
  // A run that has begun keeps its plan.
  if ((await readRunState(store, runId)) === null) {
    let prepared = prepare(planned, limits.fitTasks);
    // Of several that plan it at once with keys of their own, all but one plan again with the key that was stored first.
    const isOwn = await storeReleaseKey(store, runId, planned.releaseKey);
    if (!isOwn) prepared = prepare(await planRun(request), limits.fitTasks);
    tasks = prepared;
    // Before the lock, so that a run that is locked can always be resumed. Of two that come at once, one has stored its plan.
    await storePlannedRun(store, prepared.run);
  }
  // Of several that come first with keys of their own, one has stored its key.
  if (given) await chooseReleaseKey(store, runId, given);
  const isHeld = await takeRunLock(store, runId, execution);
  const budgetDollars = limits.dollars ?? execution.budgetDollars;
  const round = isHeld ? await begin(store, runId, { budgetDollars, tasks }) : 1;
  // Last, so that who hears of the run finds its state, and whoever ends it then has the last word there.
  await found(runId);
  return { runId, outcome: isHeld ? 'planned' : 'duplicate', round };
}

/** What lies beside an upload about what its run may cost, and how its chains are shared. Throws InvalidConfigError `malformed-budget`. */
async function readLimits(store: Store, { budget }: UploadKeys): Promise<UploadBudget> {
  if ((await store.head(budget)) === null) return {};
  const { data } = uploadBudgetSchema.safeParse(parseJson(new TextDecoder().decode(await store.get(budget))));
  if (data !== undefined) return data;
  throw new InvalidConfigError(
    'malformed-budget',
    `${budget}: expected {"dollars": 20, "fitTasks": 4}, either or both. dollars is above 0; fitTasks is 1 to ${MOST_FIT_TASKS}, or "auto". Correct it and upload under another name.`,
  );
}

/**
 * Goes on with a run whose execution is at an end. What its tasks have stored stays.
 *
 * @throws RunConflictError when another version planned it (`other-version`), or it began with other code (`other-code`): its
 *   bytes may be others
 */
export async function resumeRun(store: Store, runId: string, execution: Execution & { readonly after?: string }): Promise<StartedRun> {
  if (await isFinished(store, runId)) return { runId, outcome: 'finished', round: 1 };
  // Of an earlier version it may have no checksum.
  const { version } = await readJson(store, runKeys(runId).plan, planSchema);
  if (version !== VERSION) {
    throw new RunConflictError(
      'other-version',
      `Version ${version} planned the run ${runId}, and this is ${VERSION}: upload the table again.`,
    );
  }
  await requireOwnCode(store, runId, execution.code);
  if (!(await takeRunLock(store, runId, execution, execution.after ?? 'any'))) {
    throw new RunConflictError('resumed-meanwhile', `Somebody else has just gone on with the run ${runId}.`);
  }
  return { runId, outcome: 'planned', round: await begin(store, runId, execution) };
}

async function isFinished(store: Store, runId: string): Promise<boolean> {
  return (await readRunState(store, runId))?.status === 'finished';
}

/** Stores the tasks that the run still has to do, and that it is under way. Returns the round in which it is. */
async function begin(
  store: Store,
  runId: string,
  { budgetDollars, tasks }: { readonly budgetDollars?: number | undefined; readonly tasks?: RunTasks | undefined },
): Promise<number> {
  // The stored plan rules: a run that is resumed keeps its batches.
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  // First, so that whatever ends this can be noted there.
  if ((await readRunState(store, runId)) === null) {
    const { closesInTask = false, fitTasks = 1 } = tasks ?? {};
    const unusual = { ...(fitTasks === 1 ? {} : { fitTasks }), ...(closesInTask ? { closesInTask } : {}) };
    await beginState(store, { ...newRunState(plan), ...unusual });
  }
  // Of two that were planned at once, what is open may be of the other.
  await store.put(keys.openPlan, encodeJson(openPlanOf(plan)));
  const round = await currentRound(store, plan);
  await storeAssessTasks(store, { runId, round });
  await continueRun(store, runId, budgetDollars);
  return round;
}
