import { parseArtifact } from '../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { manifestSchema } from '../../shared/contracts/run/run-state.ts';
import { type VerifiedRelease, verifyRelease } from '../../shared/pipeline/release/release-state.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { unzipped } from './archive.ts';
import type { NamedFile } from './questions.ts';

const MANIFEST = 'manifest.json';
const RELEASE = 'release/';

/** Files of a release by their paths in the folder of its run: from an archive, or one by one, where they have lost their folder. */
function placed(files: readonly NamedFile[]): Map<string, Uint8Array> {
  const [only, ...others] = files;
  if (only === undefined || others.length > 0 || !/\.zip$/i.test(only.name)) {
    return new Map(files.map(({ name, bytes }) => [name === MANIFEST ? MANIFEST : RELEASE + name, bytes]));
  }
  const found = unzipped(only);
  const manifests = [...found.keys()].filter((path) => path === MANIFEST || path.endsWith(`/${MANIFEST}`));
  // That of everything lies deeper, in `confidential/`.
  const [manifest] = manifests.sort((a, b) => a.split('/').length - b.split('/').length);
  const folder = manifest?.slice(0, -MANIFEST.length) ?? '';
  return new Map([...found].flatMap(([path, bytes]) => (path.startsWith(folder) ? [[path.slice(folder.length), bytes]] : [])));
}

/**
 * Holds the files of a release to its manifest and to the approval of that, as the command `release` does.
 *
 * @throws InvalidConfigError `no-manifest`, and as `verifyRelease` does
 */
export async function verifyFiles(files: readonly NamedFile[]): Promise<VerifiedRelease> {
  const found = placed(files);
  const manifest = found.get(MANIFEST);
  if (manifest === undefined) {
    throw new InvalidConfigError('no-manifest', `There is no ${MANIFEST} among these files, which says what the release consists of.`);
  }
  const { runId } = parseArtifact(manifest, MANIFEST, manifestSchema);
  const { root } = runKeys(runId);
  const store = new MemoryStore();
  for (const [path, bytes] of found) if (path === MANIFEST || path.startsWith(RELEASE)) await store.put(root + path, bytes);
  return verifyRelease(store, runId);
}
