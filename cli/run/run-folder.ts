import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { ArtifactError, RunConflictError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { RunState } from '../../shared/contracts/run/run-state.ts';
import { readRunState } from '../../shared/pipeline/life/run-state.ts';
import { FileStore, TEMPORARY } from '../../shared/storage/file-store.ts';
import { isLockEntry } from './folder-lock.ts';

/** A folder that is to hold the results of one run, as that run sees it. */
interface ResultFolder {
  readonly directory: string;
  readonly store: FileStore;
  readonly runId: string;
  /** With its key alone a folder was left before there was anything else. */
  readonly holdsKey: boolean;
}

function folderInUse(directory: string, what: string): RunConflictError {
  return new RunConflictError('folder-in-use', `${directory} ${what}. Choose an empty --out folder.`);
}

/** What is in a folder, which need not be there yet. */
async function entriesOf(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? folderInUse(directory, 'is not a folder') : error;
  });
}

/** Whether a folder holds more than what a write left that was broken off. */
async function holdsFiles(directory: string): Promise<boolean> {
  for (const entry of await entriesOf(directory)) {
    if (entry === TEMPORARY || isLockEntry(entry)) continue;
    // The first write is that of the place's key, in a folder of its own.
    if (entry !== 'confidential' || (await holdsFiles(join(directory, entry)))) return true;
  }
  return false;
}

/**
 * Refuses a folder that holds anything, but for what a write left that was broken off, which is removed.
 *
 * @throws RunConflictError `folder-in-use`
 */
export async function requireEmptyFolder(directory: string): Promise<void> {
  if ((await entriesOf(directory)).some((entry) => entry !== TEMPORARY)) throw folderInUse(directory, 'holds files');
  await new FileStore(directory).removeTemporaryFiles();
}

/**
 * How far the run in a folder has come; null where it has not begun, and nothing else is there.
 *
 * @throws RunConflictError `folder-in-use`, `other-run`
 */
export async function readEarlierState({ directory, store, runId, holdsKey }: ResultFolder): Promise<RunState | null> {
  const state = await readRunState(store, runId).catch((error) => {
    throw error instanceof ArtifactError ? folderInUse(directory, 'holds a run.json that is not of a run') : error;
  });
  if (state && state.runId !== runId) {
    throw new RunConflictError(
      'other-run',
      `${directory} holds another run (of another table, config or version, or its place-key has changed). Choose another --out folder.`,
    );
  }
  if (!state && !holdsKey && (await holdsFiles(directory))) {
    throw folderInUse(directory, 'holds files that are not of a run');
  }
  if (!state) await refuseOtherResults({ directory, store, runId });
  return state;
}

/** Refuses a folder whose key is of another command, by what says that this one has been at work. */
async function refuseOtherResults({ directory, store, runId }: Omit<ResultFolder, 'holdsKey'>): Promise<void> {
  const { run, confidential } = runKeys(runId);
  for (const key of [run, confidential.inherent, confidential.masking, confidential.linkage]) {
    if ((await store.head(key)) !== null) throw folderInUse(directory, 'holds what another command made');
  }
}

/**
 * Refuses as a folder of several runs one that a single run has, or a command without chains.
 *
 * @throws RunConflictError `folder-in-use`
 */
export async function requireFolderOfRuns(directory: string): Promise<void> {
  // In a folder of its own a key has the same file whatever the run is called.
  const runId = 'any';
  await refuseOtherResults({ directory, store: new FileStore(directory, runKeys(runId).root), runId });
}

/** The document that a command without chains writes last, as its folder is known by it. */
export interface LastDocument {
  readonly key: string;
  readonly schema: z.ZodType<{ runId: string }>;
  /** What it holds, for the message. */
  readonly what: string;
}

/**
 * Lets the results of the same request be written again, and nothing else be written over or beside.
 *
 * @throws RunConflictError `folder-in-use`
 */
export async function requireFolderOf(
  { directory, store, runId, holdsKey }: ResultFolder,
  { key, schema, what }: LastDocument,
): Promise<void> {
  if (!(await holdsFiles(directory))) return;
  if (holdsKey && (await store.head(key)) === null) return refuseOtherResults({ directory, store, runId });
  const earlier = await readJson(store, key, schema).catch((error) => {
    throw error instanceof ArtifactError ? folderInUse(directory, 'holds other files') : error;
  });
  if (earlier.runId !== runId) throw folderInUse(directory, `holds ${what} of another table or settings`);
}
