import { assertCheckedNpy } from '../../arrays/checked-npy.ts';
import { decodeNpz } from '../../arrays/npz.ts';
import { assertCheckedJson, encodeJson, readCheckedJson } from '../../artifacts/stored-json.ts';
import { PARTS_AT_ONCE } from '../../contracts/cloud/cloud-environment.ts';
import { isReleaseKey, runKeys } from '../../contracts/keys.ts';
import type { ManifestSignature } from '../../contracts/run/manifest-signature.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import type { Manifest } from '../../contracts/run/run-state.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { readAhead } from '../../storage/read-ahead.ts';
import type { Store } from '../../storage/store.ts';

/** Signs the bytes of a manifest, or says why nobody does. */
export type SignManifest = (manifest: Uint8Array) => Promise<ManifestSignature>;

/** Where there is no key that nobody else can use. */
const unsigned: SignManifest = async () => ({ signed: false, why: 'Only an environment in AWS has a key that signs manifests.' });

/**
 * Writes the digests of every artifact but those that tell of time and place (the run's state, what serves its workflow,
 * candidate tables of single combinations and decisions of its release, which depend on persons) and but the keys: all of
 * them into `confidential/manifest.json`, those of the release alone into `manifest.json`, which comes last. Beside each
 * stands who signed it, or that nobody did.
 *
 * @throws ArtifactError `checksum-differs` when a file with a checksum is not as it was written: a manifest would say of
 * changed bytes that they are the run's
 */
export async function writeManifest(store: Store, { runId }: { runId: string }, sign: SignManifest = unsigned): Promise<void> {
  const keys = runKeys(runId);
  const { version } = await readCheckedJson(store, keys.plan, planSchema);
  const { confidential } = keys;
  const left = [
    keys.run,
    keys.manifest,
    keys.signature,
    keys.lock,
    keys.tasks.root,
    keys.release.approval,
    confidential.manifest,
    confidential.signature,
    confidential.decisions,
    confidential.placeKey,
    confidential.records,
  ];
  const listed = (await store.list(keys.root)).filter((key) => !left.some((prefix) => key.startsWith(prefix)) && !isReleaseKey(key));
  const read = async (key: string) => {
    const bytes = await store.get(key);
    assertUnchanged(key, bytes);
    return { key, sha256: await sha256(bytes), bytes: bytes.length };
  };
  const isPart = (key: string) => key.startsWith(keys.parts);
  const found = new Map<string, Manifest['artifacts'][string]>();
  // Parts are many and small; draws are not, and are in memory a few at a time.
  for (const entries of [
    readAhead(listed.filter(isPart), read, PARTS_AT_ONCE),
    readAhead(
      listed.filter((key) => !isPart(key)),
      read,
    ),
  ]) {
    for await (const { key, ...entry } of entries) found.set(key, entry);
  }
  const all: Manifest = { version, runId, artifacts: {} };
  const release: Manifest = { version, runId, artifacts: {} };
  for (const key of listed) {
    const path = key.slice(keys.root.length);
    all.artifacts[path] = found.get(key)!;
    if (key.startsWith(keys.release.root)) release.artifacts[path] = found.get(key)!;
  }
  const [whole, open] = [encodeJson(all), encodeJson(release)];
  await store.put(confidential.manifest, whole);
  await store.put(confidential.signature, encodeJson(await sign(whole)));
  await store.put(keys.signature, encodeJson(await sign(open)));
  await store.put(keys.manifest, open);
}

/** Compares a file that has a checksum with it. */
function assertUnchanged(key: string, bytes: Uint8Array): void {
  if (key.endsWith('.npy')) assertCheckedNpy(bytes, key);
  if (key.endsWith('.npz')) decodeNpz(bytes, key);
  if (key.endsWith('.json')) assertCheckedJson(bytes, key);
}
