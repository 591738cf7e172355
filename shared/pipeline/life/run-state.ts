import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { type RunState, runStateSchema } from '../../contracts/run/run-state.ts';
import type { Store } from '../../storage/store.ts';

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

/** Notes in a run's state the most memory that this process has taken, if no other took more. */
export function noteMemory(state: RunState): void {
  state.peakMemoryMiB = Math.max(state.peakMemoryMiB, process.resourceUsage().maxRSS / 1024);
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
