import { readJson } from '../../shared/artifacts/stored-json.ts';
import { ArtifactError, InvalidConfigError, RunConflictError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { type Manifest, manifestSchema, type RunState } from '../../shared/contracts/run/run-state.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { requireRunState } from './run-status.ts';

/** What a run has been fetched to. */
export interface FetchedRun {
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
  /** What the run has used and cost. */
  readonly used: RunState['used'] | null;
}

/** Of a run that is in the folder already: that it is this one. */
async function requireSameRun(folder: Store, key: string, directory: string, manifest: Manifest) {
  if ((await folder.head(key)) === null) return;
  const earlier = await readJson(folder, key, manifestSchema);
  if (earlier.runId === manifest.runId) return;
  throw new RunConflictError(
    'other-run',
    `${directory} holds the run ${earlier.runId}. Choose another --out folder.`,
  );
}

/**
 * Copies the results of a finished run into a folder, which is then one that `evaluate` could have left, but for what
 * only a run under way needs. Every file is checked against the manifest before it is there; `run.json` comes last, and
 * says that all are.
 *
 * @param releaseOnly the synthetic datasets alone, for those who may not read what discloses
 * @throws InvalidConfigError when the run has not finished; RunConflictError when the folder holds another;
 * ArtifactError when a file is not what the manifest says
 */
export async function fetchRun(
  store: Store,
  runId: string,
  { directory, releaseOnly }: { readonly directory: string; readonly releaseOnly: boolean },
): Promise<FetchedRun> {
  const { status, used = null } = await requireRunState(store, runId);
  if (status !== 'finished') {
    throw new InvalidConfigError(
      'unfinished-run',
      `The run ${runId} has not finished; \`synthrisk cloud status ${runId}\` says how it is doing.`,
    );
  }
  const keys = runKeys(runId);
  const folder = new FileStore(directory, keys.root);
  const listed = releaseOnly ? keys.manifest : keys.confidential.manifest;
  const manifest = await readJson(store, listed, manifestSchema);
  await requireSameRun(folder, keys.manifest, directory, manifest);
  const wanted = releaseOnly ? [keys.release.root] : [keys.release.root, keys.confidential.root, keys.chains];
  let [files, bytes] = [0, 0];
  for (const [path, artifact] of Object.entries(manifest.artifacts)) {
    const key = keys.root + path;
    if (!wanted.some((prefix) => key.startsWith(prefix))) continue;
    const content = await store.get(key);
    if ((await sha256(content)) !== artifact.sha256) {
      throw new ArtifactError('artifact-changed', `${key} is not the file that the manifest describes.`);
    }
    await folder.put(key, content);
    files++;
    bytes += content.length;
  }
  const unlisted = releaseOnly ? [] : [keys.confidential.manifest];
  for (const key of [...unlisted, keys.openPlan, keys.manifest, keys.run]) {
    await folder.put(key, await store.get(key));
  }
  return { directory, files, bytes, used };
}
