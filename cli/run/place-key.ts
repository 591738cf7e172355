import { join } from 'node:path';
import { obtainPlaceKey, readPlaceKey } from '../../shared/artifacts/stored-keys.ts';
import { RunConflictError } from '../../shared/contracts/errors.ts';
import { newKey, sameKey } from '../../shared/contracts/secret-key.ts';
import { FileStore } from '../../shared/storage/file-store.ts';

/** Where runs are kept that name no folder of their own. */
export const RUNS_FOLDER = 'synthrisk-runs';

/** A folder that was named for one run holds its own key, among what discloses. */
const placeOf = (out: string | undefined) => new FileStore(out === undefined ? RUNS_FOLDER : join(out, 'confidential'));

/** The key of the place where a run is kept. */
export interface PlaceKey {
  readonly key: Uint8Array;
  /** False while the place does not hold it yet: nothing is written there before the run has been checked. */
  readonly stored: boolean;
}

/** The key of the folder that was named for a run, or else of the folder of all runs. */
export async function findPlaceKey(out: string | undefined): Promise<PlaceKey> {
  const stored = await readPlaceKey(placeOf(out));
  return { key: stored ?? newKey(), stored: stored !== null };
}

/**
 * Stores the key of a place, so that the same command finds its run there again.
 *
 * @throws RunConflictError when another run has brought another key in the meantime
 */
export async function keepPlaceKey(out: string | undefined, key: Uint8Array): Promise<void> {
  const place = placeOf(out);
  const stored = await obtainPlaceKey(place, key);
  // The folder of all runs may have other writers.
  if (out !== undefined) await place.removeTemporaryFiles();
  if (sameKey(stored, key)) return;
  throw new RunConflictError('place-taken', 'Another run began here at the same moment. Start this one again.');
}
