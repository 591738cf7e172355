import { encodeJson, parseArtifact, readJson } from '../../artifacts/stored-json.ts';
import { runLockSchema } from '../../contracts/cloud/workflow.ts';
import { RunConflictError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { type RunState, runStateSchema } from '../../contracts/run/run-state.ts';
import { notFound, type Store } from '../../storage/store.ts';

/** The state of a run, or null when there is none. */
export async function readRunState(store: Store, runId: string): Promise<RunState | null> {
  const key = runKeys(runId).run;
  return (await store.head(key)) === null ? null : readJson(store, key, runStateSchema);
}

/** Stores the state of a run in place of the one before. */
export async function writeRunState(store: Store, state: RunState): Promise<void> {
  await store.put(runKeys(state.runId).run, encodeJson(state));
}

/** Adds the time of a phase to a run's state. */
export function addSeconds(state: RunState, phase: keyof RunState['seconds'], seconds: number): void {
  state.seconds[phase] += seconds;
  state.seconds.total += seconds;
}

/** Does work, and tells how many seconds it took, or took until it failed. */
export async function timeWork<T>(work: () => Promise<T>, tell: (seconds: number) => Promise<void> | void): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    await tell((performance.now() - started) / 1000);
  }
}

/** Notes in a run's state the most memory that this process has taken (MiB), if no other took more. */
export function noteMemory(state: RunState, peakMiB = process.resourceUsage().maxRSS / 1024): void {
  state.peakMemoryMiB = Math.max(state.peakMemoryMiB, peakMiB);
}

/** The state of a run before any of its work. */
export function newRunState({ runId, version, purpose }: Plan): RunState {
  return {
    runId,
    version,
    status: 'running',
    purpose,
    seconds: { fit: 0, synthesize: 0, augment: 0, assess: 0, aggregate: 0, report: 0, total: 0 },
    peakMemoryMiB: 0,
  };
}

/**
 * Changes the state of a run. Steps do so one after the other, and whoever ends or watches it at any time beside them: what
 * another has noted meanwhile stays. `change` may be asked several times.
 *
 * @param from the statuses in which a run is changed; in any other it stays as it is
 * @returns whether it was changed
 */
async function changeState(
  store: Store,
  runId: string,
  change: (state: RunState) => void,
  from?: readonly RunState['status'][],
): Promise<boolean> {
  const key = runKeys(runId).run;
  let changes = true;
  await store.change(key, (bytes) => {
    if (bytes === null) throw notFound(key);
    const state = parseArtifact(bytes, key, runStateSchema);
    changes = from?.includes(state.status) ?? true;
    if (changes) change(state);
    return changes ? encodeJson(state) : null;
  });
  return changes;
}

/** Stores the state of a run that has none, before any of its work. */
export async function beginState(store: Store, state: RunState): Promise<void> {
  await store.put(runKeys(state.runId).run, encodeJson(state), { ifAbsent: true });
}

/** Notes in the run's state that it is under way, whatever happened before, and its budget if it has another now. */
export async function continueRun(store: Store, runId: string, budgetDollars?: number): Promise<void> {
  await changeState(store, runId, (state) => {
    state.status = 'running';
    delete state.error;
    delete state.assessingSince;
    delete state.chainsSince;
    if (budgetDollars !== undefined) state.budgetDollars = budgetDollars;
  });
}

/** Does the work of a phase, and adds the time that it took, or took until it failed, to the run's state. */
export async function timePhase<T>(store: Store, runId: string, phase: keyof RunState['seconds'], work: () => Promise<T>): Promise<T> {
  return timeWork(work, async (seconds) => {
    await changeState(store, runId, (state) => {
      addSeconds(state, phase, seconds);
      noteMemory(state);
    });
  });
}

/** Notes in the run's state what it has used, or what has become of it. */
export async function noteState(
  store: Store,
  runId: string,
  fields: Pick<RunState, 'status' | 'error'> | Pick<RunState, 'used'>,
): Promise<void> {
  await changeState(store, runId, (state) => void Object.assign(state, fields));
}

/**
 * Notes in the run's state that it was ended, unless it has come to another end by then.
 *
 * @param from the states that it may be in: the results of a run that has finished are whole, whatever happens afterwards
 * @returns whether it is noted
 */
export function noteEnd(
  store: Store,
  runId: string,
  end: Pick<RunState, 'status' | 'error'>,
  from: readonly RunState['status'][],
): Promise<boolean> {
  return changeState(store, runId, (state) => void Object.assign(state, end), from);
}

/** Notes in the run's state that functions are at work from now on which note nothing there: on chains, or on batches. */
export async function beginUnnoted(store: Store, runId: string, since: 'chainsSince' | 'assessingSince'): Promise<void> {
  await changeState(store, runId, (state) => {
    state[since] = new Date().toISOString();
  });
}

/**
 * Adds the time since a phase began whose functions note nothing there; none when its end is noted once more, or by a clock
 * that is behind the one that noted the beginning.
 */
function addSince(state: RunState, phase: keyof RunState['seconds'], since: 'chainsSince' | 'assessingSince'): boolean {
  const began = state[since];
  if (began === undefined) return false;
  addSeconds(state, phase, Math.max(0, Date.now() - Date.parse(began)) / 1000);
  delete state[since];
  return true;
}

/** Notes in the run's state that these chains are there, how long they took, and that batches are assessed from now on. */
export async function endChains(store: Store, runId: string): Promise<void> {
  await changeState(store, runId, (state) => {
    // When one task has run them, it has noted the time itself.
    if (addSince(state, 'fit', 'chainsSince')) state.assessingSince = new Date().toISOString();
  });
}

/** Notes in the run's state that its batches are assessed, and how long it took. */
export async function endAssessment(store: Store, runId: string): Promise<void> {
  await changeState(store, runId, (state) => {
    addSince(state, 'assess', 'assessingSince');
  });
}

/**
 * Takes the lock of a run for an execution of the workflow. Asked again by the same execution, the answer is yes again.
 *
 * @param from the execution that may have it: null for none, and `any` when a person says that any other is at an end
 * @returns whether the execution has the lock
 */
export async function takeRunLock(
  store: Store,
  runId: string,
  { id: holder, code }: { readonly id: string; readonly code: string },
  from: string | 'any' | null = null,
): Promise<boolean> {
  const { lock } = runKeys(runId);
  let taken = true;
  await store.change(lock, (bytes) => {
    const present = bytes && parseArtifact(bytes, lock, runLockSchema).holder;
    taken = present === holder || present === from || from === 'any';
    return taken && present !== holder ? encodeJson({ holder, code }) : null;
  });
  return taken;
}

/** Whether a run is there that an execution carries out. */
export async function isHeldBy(store: Store, runId: string, execution: string): Promise<boolean> {
  const { lock } = runKeys(runId);
  return (await store.head(lock)) !== null && (await readJson(store, lock, runLockSchema)).holder === execution;
}

/**
 * Refuses to go on with a run that another execution has taken over.
 *
 * @throws RunConflictError `other-execution`
 */
export async function requireHolder(store: Store, runId: string, execution: string): Promise<void> {
  if (await isHeldBy(store, runId, execution)) return;
  throw new RunConflictError('other-execution', `Another execution goes on with the run ${runId}: this one ends here.`);
}

/**
 * Holds a step to the code that its run began with: steps of two codes in one run would give results of neither.
 *
 * @param code digest of the code of the step
 * @throws RunConflictError `other-code`
 */
export async function requireOwnCode(store: Store, runId: string, code: string): Promise<void> {
  const began = (await readJson(store, runKeys(runId).lock, runLockSchema)).code;
  if (began === code) return;
  throw new RunConflictError(
    'other-code',
    `The run ${runId} began with ${began === undefined ? 'code that is not known' : `the code ${began.slice(0, 12)}`}, and this is ${code.slice(0, 12)}: \`synthrisk cloud resume\` and a redrive go on with the former where it is still deployed; else upload the table again.`,
  );
}
