import { ArtifactError, RunConflictError } from '../contracts/errors.ts';
import { PLACE_KEY, runKeys } from '../contracts/keys.ts';
import type { Plan } from '../contracts/run/plan.ts';
import { encodeKey, isKey, newKey, parseKey, sameKey } from '../contracts/secret-key.ts';
import { sha256 } from '../contracts/sha256.ts';
import { KeyedStreams } from '../random/streams.ts';
import type { Store } from '../storage/store.ts';

/** @throws ArtifactError `checksum-differs` where what is stored is no key any longer */
async function getKey(store: Store, key: string): Promise<Uint8Array> {
  const bytes = await store.get(key);
  if (!isKey(new TextDecoder().decode(bytes))) throw changedKey(key);
  return parseKey(bytes, key);
}

async function readKey(store: Store, key: string): Promise<Uint8Array | null> {
  return (await store.head(key)) === null ? null : getKey(store, key);
}

const changedKey = (name: string) =>
  new ArtifactError(
    'checksum-differs',
    `${name} is not the key that was stored: its bytes have changed. Put it back from a copy, or begin the run again in another folder.`,
  );

/** The key of a place where runs are kept, or null where it has none. */
export function readPlaceKey(store: Store): Promise<Uint8Array | null> {
  return readKey(store, PLACE_KEY);
}

/** The key of a place where runs are kept: the one that it has, or else this one, which is stored there. */
export async function obtainPlaceKey(store: Store, otherwise: Uint8Array = newKey()): Promise<Uint8Array> {
  const stored = await readPlaceKey(store);
  if (stored) return stored;
  await store.put(PLACE_KEY, encodeKey(otherwise), { ifAbsent: true });
  // Of several that come first, one has written.
  return (await readPlaceKey(store))!;
}

/** The release key of a run, or null where its folder has none. */
export function readRunKey(store: Store, runId: string): Promise<Uint8Array | null> {
  return readKey(store, runKeys(runId).confidential.releaseKey);
}

/**
 * The release key with which a run is planned: the one that it has, or else the one that was given, or a new one.
 *
 * @throws RunConflictError `other-release-key` when it has another than was given
 */
export async function chooseReleaseKey(store: Store, runId: string, given: Uint8Array | undefined): Promise<Uint8Array> {
  const stored = await readRunKey(store, runId);
  if (stored && given && !sameKey(stored, given)) {
    throw new RunConflictError(
      'other-release-key',
      `The run ${runId} is there under another release key, and so with other random numbers. Keep it, or repeat it elsewhere.`,
    );
  }
  return stored ?? given ?? newKey();
}

/** Keys of a run that is planned only to look at its plan: its id is one by chance. */
export function newKeys() {
  return { placeKey: newKey(), releaseKey: async () => newKey() };
}

/**
 * Stores the release key of a run, unless it has one.
 *
 * @returns whether this is the key that it has now
 */
export async function storeReleaseKey(store: Store, runId: string, key: Uint8Array): Promise<boolean> {
  await store.put(runKeys(runId).confidential.releaseKey, encodeKey(key), { ifAbsent: true });
  return sameKey((await readRunKey(store, runId))!, key);
}

/** By which a key is known again that has lost a bit: 32 bits of its digest, which give none of the key away that could be used. */
export const keyCheck = async (key: Uint8Array): Promise<string> => (await sha256(key)).slice(0, 8);

/**
 * Refuses to go on with a planned run under another key than it began with: its random numbers would be others from here.
 *
 * @throws ArtifactError `checksum-differs`
 */
export async function refuseOtherKey({ runId, keyCheck: noted }: Plan, key: Uint8Array): Promise<void> {
  if (noted === undefined || noted === (await keyCheck(key))) return;
  throw new ArtifactError(
    'checksum-differs',
    `${runKeys(runId).confidential.releaseKey} is gone, or is not the key with which the run began. Put it back from a copy, or begin the run again in another folder.`,
  );
}

/**
 * The random streams of a run, which its release key opens.
 *
 * @throws ArtifactError `checksum-differs` where it is another key than the run began with
 */
export async function readStreams(store: Store, { runId, config, keyCheck: noted }: Plan): Promise<KeyedStreams> {
  const name = runKeys(runId).confidential.releaseKey;
  const key = await getKey(store, name);
  if (noted !== undefined && noted !== (await keyCheck(key))) throw changedKey(name);
  return new KeyedStreams(key, config.seed);
}
