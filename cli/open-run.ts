import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidConfigError } from '../shared/contracts/errors.ts';
import { runKeys } from '../shared/contracts/keys.ts';
import { type Plan, planSchema } from '../shared/contracts/plan.ts';
import { readRunState } from '../shared/pipeline/run-state.ts';
import { readJson } from '../shared/pipeline/stored-json.ts';
import { FileStore } from '../shared/storage/file-store.ts';

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
  let runId: unknown;
  try {
    runId = JSON.parse(await readFile(join(directory, 'run.json'), 'utf8')).runId;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'its run.json is not JSON';
    throw new InvalidConfigError('no-run', `${directory} holds no run (${reason}).`);
  }
  const root = runKeys(String(runId)).root;
  const store = new FileStore(directory, root);
  const state = await readRunState(store, String(runId));
  if (state?.status !== 'finished') {
    throw new InvalidConfigError('unfinished-run', `The run in ${directory} is not finished.`);
  }
  return { plan: await readJson(store, runKeys(state.runId).plan, planSchema), store };
}
