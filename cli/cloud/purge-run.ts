import { ArtifactError, InvalidConfigError, RunConflictError } from '../../shared/contracts/errors.ts';
import { outcomeKey, runKeys, uploadFolder, uploadKeys } from '../../shared/contracts/keys.ts';
import type { Store } from '../../shared/storage/store.ts';
import { readUploadOutcome } from './uploads.ts';

/** A version of an object, or a marker that it was deleted. */
export interface ObjectVersion {
  readonly key: string;
  readonly version: string;
  readonly isLatest: boolean;
  readonly isMarker: boolean;
}

/** A version that was not deleted, with the service's word for it. */
export interface Undeleted {
  readonly key: string;
  readonly version: string;
  readonly why: string;
}

/** Objects with all of their versions, as a bucket keeps them. */
export interface VersionedObjects {
  /** Every version and delete marker of the keys that begin so. */
  versions(prefix: string): Promise<ObjectVersion[]>;
  /**
   * Deletes versions for good; returns those that are still there.
   *
   * @param bypass also such as are locked in governance mode, for who may
   */
  delete(versions: readonly ObjectVersion[], bypass: boolean): Promise<Undeleted[]>;
  /** How long a version is locked, or null. */
  lockedUntil(version: ObjectVersion): Promise<{ readonly mode: string; readonly until: Date } | null>;
}

/** What a run has in a bucket, and what was uploaded for it. */
export interface PurgeableRun {
  readonly runId: string;
  /** Names of the uploads that became this run. */
  readonly uploads: readonly string[];
  readonly versions: readonly ObjectVersion[];
}

/** Between two listings some deletions may have failed for now; so often they are tried again. */
const PASSES = 5;

const nameOf = (runId: string, key: string) => {
  const { upload, uploads } = runKeys(runId).tasks;
  const ending = upload('').slice(uploads.length);
  return key.startsWith(uploads) && key.endsWith(ending) ? key.slice(uploads.length, -ending.length) : null;
};

/** The versions of an upload that became a run: of one whose name was taken for another run since, the older ones alone. */
async function versionsOfUpload(objects: VersionedObjects, store: Store, runId: string, name: string) {
  const folder = uploadFolder(name);
  const outcome = await readUploadOutcome(store, uploadKeys(`${folder}table.csv`)!);
  const taken = outcome !== null && !('runId' in outcome && outcome.runId === runId);
  const found = await objects.versions(folder);
  return taken ? found.filter(({ isLatest }) => !isLatest) : found;
}

/**
 * Lists all that there is of a run: what it stored, also what was overwritten or deleted, and the uploads that became it.
 *
 * @param known uploads of the run that may not be noted any longer
 */
export async function listRun(
  objects: VersionedObjects,
  store: Store,
  runId: string,
  known: readonly string[] = [],
): Promise<PurgeableRun> {
  const versions = await objects.versions(runKeys(runId).root);
  const noted = versions.flatMap(({ key }) => nameOf(runId, key) ?? []);
  const uploads = [...new Set([...known, ...noted])].sort();
  for (const name of uploads) versions.push(...(await versionsOfUpload(objects, store, runId, name)));
  return { runId, uploads, versions };
}

/**
 * Lists all that there is of a run, of which something has to be there.
 *
 * @throws InvalidConfigError `no-run`
 */
export async function requireRun(objects: VersionedObjects, store: Store, runId: string): Promise<PurgeableRun> {
  const run = await listRun(objects, store, runId);
  if (run.versions.length > 0) return run;
  throw new InvalidConfigError('no-run', `The bucket of the environment holds nothing of a run ${runId}.`);
}

/**
 * Lists all versions of an upload that came to no run: of one that did, they go with its run.
 *
 * @throws InvalidConfigError `no-upload`; RunConflictError `upload-of-a-run`
 */
export async function requireUpload(objects: VersionedObjects, store: Store, name: string): Promise<ObjectVersion[]> {
  const versions = await objects.versions(uploadFolder(name));
  if (versions.length === 0) {
    throw new InvalidConfigError('no-upload', `The bucket of the environment holds no run ${name}, and nothing of an upload of that name.`);
  }
  const noted = outcomeKey(`${uploadFolder(name)}table.csv`);
  // Of a name that a store does not take nothing is noted, and no run can have come.
  const outcome = noted === null ? null : await readUploadOutcome(store, { outcome: noted });
  const runs = outcome === null ? [] : [outcome, ...(outcome.earlier ?? [])].flatMap((one) => ('runId' in one ? one.runId : []));
  if (runs.length === 0) return versions;
  throw new RunConflictError(
    'upload-of-a-run',
    `The upload ${name} became ${runs.join(', ')}: purge that run, and it goes as well (\`synthrisk cloud purge ${runs[0]}\`).`,
  );
}

/** Deletes an upload that came to no run, and lists it again until nothing is left. Throws as {@link requireUpload}, and ArtifactError `not-purged`. */
export async function purgeUpload(
  objects: VersionedObjects,
  store: Store,
  { bypass, name }: { readonly name: string; readonly bypass: boolean },
): Promise<ObjectVersion[]> {
  const all = await requireUpload(objects, store, name);
  let versions = all;
  for (let pass = 0; pass < PASSES && versions.length > 0; pass++) {
    await objects.delete(versions, bypass);
    versions = await objects.versions(uploadFolder(name));
  }
  if (versions.length === 0) return all;
  throw new ArtifactError('not-purged', `${versions.length} versions of the upload ${name} are still there. Purge it again.`);
}

/** What says that a run is there, and which uploads it was: the last to go, so that a purge that broke off can be repeated. */
function isLast(runId: string, key: string): boolean {
  const { lock, run, tasks } = runKeys(runId);
  return key === run || key === lock || key.startsWith(tasks.uploads);
}

/** Says of a version that could not be deleted why, and until when. */
async function refusal(objects: VersionedObjects, run: PurgeableRun, left: readonly Undeleted[]): Promise<Error> {
  const [first] = left as [Undeleted];
  const version = run.versions.find((one) => one.key === first.key && one.version === first.version);
  const lock = version && first.why === 'AccessDenied' ? await objects.lockedUntil(version) : null;
  const count = `${left.length} ${left.length === 1 ? 'version' : 'versions'} of the run ${run.runId} ${left.length === 1 ? 'is' : 'are'} still there`;
  if (lock === null) return new ArtifactError('not-purged', `${count}: ${first.why}. Purge it again.`);
  const until = lock.until.toISOString();
  return new RunConflictError(
    'locked-versions',
    lock.mode === 'COMPLIANCE'
      ? `${count}: locked in compliance mode, the first of them until ${until}. Nobody can delete them before, the account's root neither. What is not locked is gone.`
      : `${count}: locked in governance mode, the first of them until ${until}. --bypass-governance deletes them. What is not locked is gone.`,
  );
}

/**
 * Deletes a run and the uploads that became it, with all versions and delete markers, and lists them again until nothing is
 * left: what it returns has been proven gone.
 *
 * @param isRunning whether an execution carries the run out
 * @param bypass also what is locked in governance mode
 * @throws InvalidConfigError `no-run`; RunConflictError `run-under-way`, `locked-versions`; ArtifactError `not-purged`
 */
export async function purgeRun(
  objects: VersionedObjects,
  store: Store,
  { bypass, isRunning, runId }: { readonly runId: string; readonly isRunning: () => Promise<boolean>; readonly bypass: boolean },
): Promise<PurgeableRun> {
  const refuseRunning = async () => {
    if (!(await isRunning())) return;
    throw new RunConflictError('run-under-way', `The run ${runId} is under way: stop it first (\`synthrisk cloud cancel ${runId}\`).`);
  };
  const all = await requireRun(objects, store, runId);
  await refuseRunning();
  let run = all;
  let left: Undeleted[] = [];
  for (let pass = 0; pass < PASSES && run.versions.length > 0; pass++) {
    const [last, others] = [true, false].map((wanted) => run.versions.filter(({ key }) => isLast(runId, key) === wanted)) as [
      ObjectVersion[],
      ObjectVersion[],
    ];
    left = await objects.delete(others, bypass);
    if (left.length === 0) {
      // Somebody may have gone on with it in the meantime.
      await refuseRunning();
      left = await objects.delete(last, bypass);
    }
    run = await listRun(objects, store, runId, all.uploads);
    if (left.length > 0 && left.every(({ why }) => why === 'AccessDenied')) break;
  }
  if (run.versions.length > 0) {
    const unknown = run.versions.map(({ key, version }) => ({ key, version, why: 'there again' }));
    throw await refusal(objects, run, left.length > 0 ? left : unknown);
  }
  return all;
}
