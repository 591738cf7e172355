import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import type { RunState } from '../../shared/contracts/run/run-state.ts';
import { systemRefusal } from '../../shared/contracts/system-error.ts';
import { openFinishedRun, parseRunState } from '../../shared/pipeline/life/finished-run.ts';
import { FileStore } from '../../shared/storage/file-store.ts';

/** A finished run in a folder. */
export interface OpenedRun {
  readonly plan: Plan;
  readonly store: FileStore;
}

/**
 * How far the run in a folder has come.
 *
 * @throws InvalidConfigError when the folder holds none
 */
export async function readFolderState(directory: string): Promise<RunState> {
  const bytes = await readFile(join(directory, 'run.json')).catch((error) => {
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
  return parseRunState(bytes, directory);
}

/**
 * Opens the folder of a finished run.
 *
 * @throws InvalidConfigError when the folder holds none
 */
export async function openRun(directory: string): Promise<OpenedRun> {
  const state = await readFolderState(directory);
  return openFinishedRun(new FileStore(directory, runKeys(state.runId).root), state, directory);
}
