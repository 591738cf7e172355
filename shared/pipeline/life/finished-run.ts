import { readCheckedJson } from '../../artifacts/stored-json.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Plan, planSchema } from '../../contracts/run/plan.ts';
import { type RunState, runStateSchema } from '../../contracts/run/run-state.ts';
import type { Store } from '../../storage/store.ts';

/**
 * How far a run has come, by its `run.json`.
 *
 * @param place what holds it, as its user calls that
 * @throws InvalidConfigError `no-run`
 */
export function parseRunState(bytes: Uint8Array, place: string): RunState {
  const read = () => runStateSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  let parsed: ReturnType<typeof read> | null;
  try {
    parsed = read();
  } catch {
    // It is no JSON at all.
    parsed = null;
  }
  if (parsed?.success) return parsed.data;
  throw new InvalidConfigError('no-run', `${place} holds a run.json that is not of a run.`);
}

/**
 * Refuses a run that has not finished.
 *
 * @param place what holds it, as its user calls that
 * @throws InvalidConfigError `unfinished-run`
 */
export function requireFinished({ status }: RunState, place: string): void {
  if (status === 'finished') return;
  throw new InvalidConfigError(
    'unfinished-run',
    `The run in ${place} is not finished (${status}). Its own command with --resume goes on with it.`,
  );
}

/** Opens a run that has finished, from the store that holds it. Throws as {@link requireFinished}. */
export async function openFinishedRun<S extends Store>(store: S, state: RunState, place: string): Promise<{ plan: Plan; store: S }> {
  requireFinished(state, place);
  return { plan: await readCheckedJson(store, runKeys(state.runId).plan, planSchema), store };
}
