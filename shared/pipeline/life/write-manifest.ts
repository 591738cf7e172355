import { assertCheckedNpy, differs } from '../../arrays/checked-npy.ts';
import { decodeNpz } from '../../arrays/npz.ts';
import { readDatasetSource } from '../../artifacts/stored-dataset.ts';
import { assertCheckedJson, encodeJson, parseArtifact, readCheckedJson } from '../../artifacts/stored-json.ts';
import { PARTS_AT_ONCE } from '../../contracts/cloud/cloud-environment.ts';
import { isReleaseKey, runKeys } from '../../contracts/keys.ts';
import type { ManifestSignature } from '../../contracts/run/manifest-signature.ts';
import { planSchema } from '../../contracts/run/plan.ts';
import { type Manifest, manifestSchema } from '../../contracts/run/run-state.ts';
import { sha256, sha256OfPieces } from '../../contracts/sha256.ts';
import type { OnShare } from '../../contracts/stepwise.ts';
import { PIECE_BYTES, piecesOf } from '../../storage/pieces-of.ts';
import { readAhead } from '../../storage/read-ahead.ts';
import { notFound, type Store } from '../../storage/store.ts';

/** Signs the bytes of a manifest, or says why nobody does. */
export type SignManifest = (manifest: Uint8Array) => Promise<ManifestSignature>;

/** Where there is no key that nobody else can use. */
const unsigned: SignManifest = async () => ({ signed: false, why: 'Only an environment in AWS has a key that signs manifests.' });

/**
 * Writes the manifests of a run, with which it is whole: {@link writeDigests} and {@link signManifests}.
 *
 * @param onShare hears what share is done; files of parts are taken to be as large as those read so far
 */
export async function writeManifest(
  store: Store,
  run: { readonly runId: string },
  { sign = unsigned, onShare }: { readonly sign?: SignManifest; readonly onShare?: OnShare } = {},
): Promise<void> {
  await writeDigests(store, run, onShare);
  await signManifests(store, run, sign);
}

/**
 * Writes the digests of every artifact into `confidential/manifest.json`, but those that depend on time, place or persons (the run's
 * state, what serves its workflow, what it was expected to take, candidate tables of single combinations, decisions of its release)
 * and but the keys.
 *
 * @throws ArtifactError `checksum-differs` when a file with a checksum, or of the release, is not as it was written: a manifest would say of
 * changed bytes that they are the run's; `artifact-not-found` when a dataset that was made is not there to release
 */
export async function writeDigests(store: Store, { runId }: { readonly runId: string }, onShare?: OnShare): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
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
    confidential.prediction,
    confidential.placeKey,
    confidential.records,
  ];
  const listed = (await store.list(keys.root)).filter((key) => !left.some((prefix) => key.startsWith(prefix)) && !isReleaseKey(key));
  const read = async (key: string) => {
    if (!hasChecksum(key)) {
      const { bytes } = (await store.head(key))!;
      if (isInPieces(key, bytes)) return { key, sha256: await sha256OfPieces(piecesOf(store, key, bytes)), bytes };
    }
    const bytes = await store.get(key);
    assertUnchanged(key, bytes);
    return { key, sha256: await sha256(bytes), bytes: bytes.length };
  };
  const isPart = (key: string) => key.startsWith(keys.parts);
  const found = new Map<string, Manifest['artifacts'][string]>();
  const largest = plan.batches.reduce((most, { from, to }) => Math.max(most, to - from), 1);
  const partsAtOnce = Math.min(PARTS_AT_ONCE, Math.ceil(ROWS_AT_ONCE / largest));
  const parts = listed.filter(isPart);
  const others = listed.filter((key) => !isPart(key));
  // Sizes are asked for in order to tell a share: where nobody listens, each would be a request for nothing.
  let ofOthers = 0;
  if (onShare) for await (const size of readAhead(others, async (key) => workOf(key, (await store.head(key))!.bytes))) ofOthers += size;
  let [done, ofParts] = [0, 0];
  // Parts are many and mostly small; draws are not, and are in memory a few at a time.
  for (const entries of [readAhead(parts, read, partsAtOnce), readAhead(others, read)]) {
    for await (const { key, ...entry } of entries) {
      found.set(key, entry);
      done += workOf(key, entry.bytes);
      if (isPart(key)) ofParts = (done / found.size) * parts.length;
      onShare?.(done / (ofParts + ofOthers));
    }
  }
  for (let l = 1; l <= plan.datasets.count; l++) {
    const key = keys.release.dataset(l);
    const entry = found.get(key);
    if (entry === undefined && !found.has(keys.dataset(l).source)) continue;
    const { origin, released } = await readDatasetSource(store, runId, l);
    if (entry === undefined) {
      // What an earlier run made is released there.
      if (released !== undefined && origin === 'synthesized') throw notFound(key);
    } else if (released !== undefined && entry.sha256 !== released) throw differs(key);
  }
  const all: Manifest = { version: plan.version, runId, artifacts: {} };
  for (const key of listed) all.artifacts[key.slice(keys.root.length)] = found.get(key)!;
  await store.put(confidential.manifest, encodeJson(all));
}

/**
 * Writes `manifest.json`, what {@link writeDigests} found of the release alone, and beside each of the two who signed it, or that nobody
 * did. It comes last.
 */
export async function signManifests(store: Store, { runId }: { readonly runId: string }, sign: SignManifest): Promise<void> {
  const { confidential, manifest, release, root, signature } = runKeys(runId);
  const whole = await store.get(confidential.manifest);
  const { artifacts, ...of } = parseArtifact(whole, confidential.manifest, manifestSchema);
  const released = Object.entries(artifacts).filter(([path]) => `${root}${path}`.startsWith(release.root));
  const open = encodeJson({ ...of, artifacts: Object.fromEntries(released) } satisfies Manifest);
  await store.put(confidential.signature, encodeJson(await sign(whole)));
  await store.put(signature, encodeJson(await sign(open)));
  await store.put(manifest, open);
}

/** Rows whose files of parts are in memory at once: batches of a large table have files of 10 MB and more. */
const ROWS_AT_ONCE = 64 * 1024;

/** How many times as long a byte of an object in pieces takes as one of a whole object, whose digest the platform finds. */
const PIECES_TAKE = 4;

/** An object without a checksum that is larger is read in pieces, since tables of results may be larger than memory. */
const isInPieces = (key: string, bytes: number) => !hasChecksum(key) && bytes > PIECE_BYTES;

/** What reading an object and finding its digest takes, in bytes of a whole object. */
const workOf = (key: string, bytes: number) => (isInPieces(key, bytes) ? PIECES_TAKE : 1) * bytes;

const hasChecksum = (key: string) => /\.(npy|npz|json)$/.test(key);

/** Compares a file that has a checksum with it. */
function assertUnchanged(key: string, bytes: Uint8Array): void {
  if (key.endsWith('.npy')) assertCheckedNpy(bytes, key);
  if (key.endsWith('.npz')) decodeNpz(bytes, key);
  if (key.endsWith('.json')) assertCheckedJson(bytes, key);
}
