import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCheckedJson } from '../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { type Plan, planSchema } from '../../shared/contracts/run/plan.ts';
import { type RunState, runStateSchema } from '../../shared/contracts/run/run-state.ts';
import { systemRefusal } from '../../shared/contracts/system-error.ts';
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
    const refusal = systemRefusal(error, join(directory, 'run.json'));
    if (refusal === null) throw error;
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes(refusal.code);
    throw new InvalidConfigError(
      'no-run',
      isAbsent
        ? `${directory} holds no run: name the folder of a run (the one that --out named, or one in synthrisk-runs).`
        : refusal.message,
      { file: directory },
    );
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
