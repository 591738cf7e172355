import { join } from 'node:path';
import { newKey } from '../shared/contracts/secret-key.ts';
import { obtainPlaceKey, readPlaceKey, storePlaceKey } from '../shared/pipeline/stored-keys.ts';
import { FileStore } from '../shared/storage/file-store.ts';

/** Where runs are kept that name no folder of their own. */
export const RUNS_FOLDER = 'synthrisk-runs';

/** A folder that was named for one run holds its own key, among what discloses. */
const ownPlace = (out: string) => new FileStore(join(out, 'confidential'));

/** The key of the place where a run is kept. */
export interface FoundPlaceKey {
  readonly key: Uint8Array;
  /** False while a folder that was named does not hold it yet: nothing is written there before it is checked. */
  readonly stored: boolean;
}

/** The key of the folder that was named for a run, or else of the folder of all runs. */
export async function findPlaceKey(out: string | undefined): Promise<FoundPlaceKey> {
  if (out === undefined) return { key: await obtainPlaceKey(new FileStore(RUNS_FOLDER)), stored: true };
  const stored = await readPlaceKey(ownPlace(out));
  return { key: stored ?? newKey(), stored: stored !== null };
}

/** Stores the key of a folder that was named, so that the same command finds its run there again. */
export async function keepPlaceKey(out: string | undefined, key: Uint8Array): Promise<void> {
  if (out !== undefined) await storePlaceKey(ownPlace(out), key);
}
