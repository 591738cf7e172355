import { join } from 'node:path';
import { chooseReleaseKey, storeReleaseKey } from '../../shared/artifacts/stored-keys.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { KeyedStreams } from '../../shared/random/streams.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { lockFolder } from './folder-lock.ts';
import { keepPlaceKey, type PlaceKey, RUNS_FOLDER } from './place-key.ts';
import { type LastDocument, requireFolderOf } from './run-folder.ts';

/** What a command without chains is about to write, and by which keys. */
interface Request {
  readonly out: string | undefined;
  readonly runId: string;
  readonly place: PlaceKey;
  /** The release key that was named, if any. */
  readonly given: Uint8Array | undefined;
  readonly seed: number;
}

/** Where the results of such a command go, and what it draws by chance. */
export interface OpenResults {
  readonly directory: string;
  readonly store: FileStore;
  readonly streams: KeyedStreams;
}

/**
 * Opens the folder of the results of a command without chains, for this process alone until `work` is done. It keeps the keys, so
 * that the same command finds its results there again.
 *
 * @throws RunConflictError `folder-in-use`, `run-under-way`, `place-taken`
 */
export async function inResults(
  { out, runId, place, given, seed }: Request,
  last: LastDocument,
  work: (results: OpenResults) => Promise<void>,
): Promise<void> {
  const directory = out ?? join(RUNS_FOLDER, runId);
  const store = new FileStore(directory, runKeys(runId).root);
  await requireFolderOf({ directory, store, runId, holdsKey: out !== undefined && place.stored }, last);
  const lock = await lockFolder(directory);
  try {
    // What a write left that was broken off may hold values of the table.
    await store.removeTemporaryFiles();
    const releaseKey = await chooseReleaseKey(store, runId, given);
    await keepPlaceKey(out, place.key);
    await storeReleaseKey(store, runId, releaseKey);
    await work({ directory, store, streams: new KeyedStreams(releaseKey, seed) });
  } finally {
    await lock.release();
  }
}
