import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCheckedJson } from '../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { type Plan, planSchema } from '../../shared/contracts/run/plan.ts';
import { type RunState, runStateSchema } from '../../shared/contracts/run/run-state.ts';
import { FileStore } from '../../shared/storage/file-store.ts';

/** A finished run in a folder. */
export interface OpenedRun {
  readonly plan: Plan;
  readonly store: FileStore;
}

/**
 * Opens the folder of a finished run.
 *
 * @throws InvalidConfigError when the folder holds none
 */
export async function openRun(directory: string): Promise<OpenedRun> {
  const text = await readFile(join(directory, 'run.json'), 'utf8').catch((error) => {
    throw new InvalidConfigError('no-run', `${directory} holds no run (run.json: ${error.code}).`);
  });
  const state = parseRunState(text);
  if (state === null) {
    throw new InvalidConfigError('no-run', `${directory} holds a run.json that is not of a run.`);
  }
  if (state.status !== 'finished') {
    throw new InvalidConfigError(
      'unfinished-run',
      `The run in ${directory} is not finished (${state.status}). Its own command with --resume goes on with it.`,
    );
  }
  const keys = runKeys(state.runId);
  const store = new FileStore(directory, keys.root);
  return { plan: await readCheckedJson(store, keys.plan, planSchema), store };
}

function parseRunState(text: string): RunState | null {
  try {
    return runStateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
