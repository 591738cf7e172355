import { encodeJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { InvalidConfigError, RunConflictError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { fetchedSchema } from '../../shared/contracts/release/approval.ts';
import { openPlanSchema } from '../../shared/contracts/run/plan.ts';
import { type Manifest, manifestSchema, type RunState } from '../../shared/contracts/run/run-state.ts';
import { assertListed, requireApproved } from '../../shared/pipeline/release/release-state.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { requireRunState } from './run-status.ts';
import { verifyManifest } from './verify-manifest.ts';

/** What a run has been fetched to. */
export interface FetchedRun {
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
  /** Whether the manifest was signed by the key of the environment, and so verified. */
  readonly signed: boolean;
  /** What the run has used and cost. */
  readonly used: RunState['used'] | null;
}

/** What is fetched, where to, and by which key its manifest is verified. */
export interface FetchRequest {
  readonly directory: string;
  /** Who takes the approved synthetic datasets alone; null for all results. */
  readonly releaseFor: string | null;
  /** As `verifyManifest` takes it. */
  readonly publicKey: Uint8Array | null;
}

/** Of a run that is in the folder already: that it is this one. */
async function requireSameRun(folder: Store, key: string, directory: string, manifest: Manifest) {
  if ((await folder.head(key)) === null) return;
  const earlier = await readJson(folder, key, manifestSchema);
  if (earlier.runId === manifest.runId) return;
  throw new RunConflictError('other-run', `${directory} holds the run ${earlier.runId}. Choose another --out folder.`);
}

/**
 * Notes that an approved release is fetched, before any of it is: a withdrawal that shuts the gate after this counts the note,
 * and one before it is seen here.
 */
async function noteFetch(store: Store, runId: string, by: string): Promise<void> {
  const { manifestSha256 } = await requireApproved(store, runId);
  const note = fetchedSchema.parse({ runId, at: new Date().toISOString(), by, manifestSha256 });
  await store.put(runKeys(runId).tasks.fetched(globalThis.crypto.randomUUID()), encodeJson(note), { ifAbsent: true });
  await requireApproved(store, runId);
}

/**
 * Copies the results of a finished run into a folder, which is then one that `evaluate` could have left, but for what
 * only a run under way needs. The manifest is held to its signature, and every file to the manifest, before it is there;
 * `run.json` comes last, and says that all are. Of a release alone that somebody has approved it.
 *
 * @throws InvalidConfigError when the run has not finished; RunConflictError when the folder holds another;
 * ArtifactError when a file is not what the manifest says, or the manifest not what was signed; NotApprovedError when only
 * the release is wanted, and nobody has approved it
 */
export async function fetchRun(store: Store, runId: string, { directory, publicKey, releaseFor }: FetchRequest): Promise<FetchedRun> {
  const { status, used = null } = await requireRunState(store, runId);
  if (status !== 'finished') {
    throw new InvalidConfigError(
      'unfinished-run',
      `The run ${runId} has not finished; \`synthrisk cloud status ${runId}\` says how it is doing.`,
    );
  }
  const keys = runKeys(runId);
  const folder = new FileStore(directory, keys.root);
  const releaseOnly = releaseFor !== null;
  if (releaseOnly) await noteFetch(store, runId, releaseFor);
  const verify = (listed: { readonly manifest: string; readonly signature: string }) =>
    verifyManifest(store, { ...listed, runId }, publicKey);
  const { confidential } = keys;
  const open = await verify(keys);
  const { manifest, ...whole } = releaseOnly ? open : await verify(confidential);
  await requireSameRun(folder, keys.manifest, directory, manifest);
  const wanted = releaseOnly ? [keys.release.root] : [keys.release.root, confidential.root, keys.chains];
  let [files, bytes] = [0, 0];
  for (const [path, artifact] of Object.entries(manifest.artifacts)) {
    const key = keys.root + path;
    if (!wanted.some((prefix) => key.startsWith(prefix))) continue;
    const content = await store.get(key);
    await assertListed(key, content, artifact);
    await folder.put(key, content);
    files++;
    bytes += content.length;
  }
  if (!releaseOnly) {
    await folder.put(confidential.manifest, whole.bytes);
    if (whole.signature) await folder.put(confidential.signature, whole.signature);
  }
  if (open.signature) await folder.put(keys.signature, open.signature);
  // No manifest lists the plan that is open: what is cut off is not taken. That of an earlier version may have other fields.
  await readJson(store, keys.openPlan, openPlanSchema.pick({ version: true, runId: true }).loose());
  const unlisted = [...(releaseOnly ? [keys.release.approval] : []), keys.openPlan];
  for (const key of unlisted) await folder.put(key, await store.get(key));
  await folder.put(keys.manifest, open.bytes);
  await folder.put(keys.run, await store.get(keys.run));
  return { directory, files, bytes, signed: publicKey !== null, used };
}
