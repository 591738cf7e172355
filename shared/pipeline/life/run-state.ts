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
