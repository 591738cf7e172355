import { readJson } from '../../artifacts/stored-json.ts';
import { PARTS_AT_ONCE } from '../../contracts/cloud/cloud-environment.ts';
import { parseJson } from '../../contracts/cloud/workflow.ts';
import { ArtifactError, NotApprovedError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import {
  type Approval,
  approvalSchema,
  fetchedSchema,
  type ReleaseDecision,
  releaseDecisionSchema,
} from '../../contracts/release/approval.ts';
import { type Summary, summarySchema } from '../../contracts/results/summary.ts';
import { type Manifest, manifestSchema } from '../../contracts/run/run-state.ts';
import { sha256, sha256OfPieces } from '../../contracts/sha256.ts';
import { piecesOf } from '../../storage/pieces-of.ts';
import { readAhead } from '../../storage/read-ahead.ts';
import type { Store } from '../../storage/store.ts';

function changed(key: string): ArtifactError {
  return new ArtifactError(
    'artifact-changed',
    `${key} is not the file that the manifest describes. Put back the file as the run wrote it, or repeat the run by its release key (--release-key) in another folder.`,
  );
}

/** Compares a file with the digest that a manifest has of it. Throws ArtifactError `artifact-changed`. */
export async function assertListed(key: string, bytes: Uint8Array, entry: Manifest['artifacts'][string] | undefined): Promise<void> {
  if (entry?.sha256 !== (await sha256(bytes))) throw changed(key);
}

/** SHA-256 of the manifest of a release. */
async function releaseDigest(store: Store, runId: string): Promise<string> {
  return sha256(await store.get(runKeys(runId).manifest));
}

/** Reads the manifest of a release, and holds its files to that and to another. Throws as {@link checkRelease}. */
async function holdRelease(store: Store, runId: string, other?: Manifest): Promise<{ readonly open: Manifest; readonly paths: string[] }> {
  const keys = runKeys(runId);
  const open = await readJson(store, keys.manifest, manifestSchema);
  const paths = Object.keys(open.artifacts);
  const manifests = other === undefined ? [open] : [open, other];
  if (manifests.some((manifest) => manifest.runId !== runId)) throw changed(keys.manifest);
  for (const path of paths) {
    const key = keys.root + path;
    if (!key.startsWith(keys.release.root)) throw changed(keys.manifest);
    const bytes = await store.get(key);
    for (const { artifacts } of manifests) await assertListed(key, bytes, artifacts[path]);
  }
  return { open, paths };
}

/** Files beside those of a release, by their paths in the folder of the run: nobody has assessed them. */
async function unlistedFiles(store: Store, runId: string, paths: readonly string[]): Promise<string[]> {
  const { root, release } = runKeys(runId);
  const known = new Set([...paths.map((path) => root + path), release.approval]);
  return (await store.list(release.root)).filter((key) => !known.has(key)).map((key) => key.slice(root.length));
}

/** Refuses a release with files beside it, which would leave with it. Throws as {@link checkRelease}. */
async function refuseUnlisted(store: Store, runId: string, paths: readonly string[]): Promise<void> {
  const [first] = await unlistedFiles(store, runId, paths);
  if (first === undefined) return;
  throw new ArtifactError('artifact-unlisted', `${first} is not of the run, and nobody has assessed it. Take it out of that folder.`);
}

/** A release whose files are what its manifest describes. */
export interface VerifiedRelease {
  readonly runId: string;
  /** How it stands; null where nobody has decided. One that is approved is what was approved. */
  readonly approval: Approval | null;
  /** The last decision on record among what only the owner has, with its file; null where there is none. */
  readonly recorded: (Pick<ReleaseDecision, 'decision' | 'at' | 'by'> & { readonly file: string }) | null;
  readonly manifestSha256: string;
  /** Files that the manifest describes, by their paths in the folder of the run. */
  readonly files: readonly string[];
  /** Files beside them that it does not know, and nobody has approved. */
  readonly unlisted: readonly string[];
}

/**
 * Holds the files of a release to its manifest, and where it is approved the manifest to the approval. What only the owner of the
 * run has is not needed.
 *
 * @throws ArtifactError `artifact-changed`, `artifact-not-found`; NotApprovedError `approval-outdated`
 */
export async function verifyRelease(store: Store, runId: string): Promise<VerifiedRelease> {
  const { paths: files } = await holdRelease(store, runId);
  const approval = await readApproval(store, runId);
  if (approval?.status === 'approved') await requireApproved(store, runId);
  const unlisted = await unlistedFiles(store, runId, files);
  const recorded = await lastRecorded(store, runId);
  return { runId, approval, recorded, manifestSha256: await releaseDigest(store, runId), files, unlisted };
}

async function lastRecorded(store: Store, runId: string): Promise<VerifiedRelease['recorded']> {
  const { root, confidential } = runKeys(runId);
  const last = await readLastDecision(store, runId);
  if (last === null) return null;
  const { decision, at, by } = last.decision;
  return { decision, at, by, file: confidential.decision(last.number).slice(root.length) };
}

/**
 * Reads both manifests of a run, and holds every file of its release, and the summary by which it is judged, to them.
 *
 * @throws ArtifactError `artifact-changed`, `artifact-not-found`, `artifact-unlisted`, `nothing-to-release`
 */
export async function checkRelease(store: Store, runId: string) {
  const keys = runKeys(runId);
  const { confidential } = keys;
  const whole = await readJson(store, confidential.manifest, manifestSchema);
  const { open, paths } = await holdRelease(store, runId, whole);
  if (paths.length === 0) {
    throw new ArtifactError('nothing-to-release', `The run ${runId} has no file to release.`);
  }
  await refuseUnlisted(store, runId, paths);
  const summaryPath = confidential.summary.slice(keys.root.length);
  const assessed = whole.artifacts[summaryPath];
  if (assessed) await assertListed(confidential.summary, await store.get(confidential.summary), assessed);
  const summary = assessed ? await readJson(store, confidential.summary, summarySchema) : null;
  return {
    version: open.version,
    manifestSha256: await releaseDigest(store, runId),
    runManifestSha256: await sha256(await store.get(confidential.manifest)),
    files: [...paths.map((path) => keys.root + path), keys.manifest, keys.signature],
    verdict: verdictOf(summary),
    acceptance: summary?.acceptance ?? [],
  };
}

/** Results in files without a checksum of their own, but for those that a report adds, by their paths in the folder of the run. */
const RESULTS = /^confidential\/(?:(?:summary|utility)\.json|[\w-]+\.(?:csv|parquet))$/;

/** Files of which a report would be silent where they are not there, by their paths in the folder of the run. */
const REPORTED = /^(?:parts\/|diagnostics\/|confidential\/inherent\.json$)/;

/** Refuses a run of whose files some are missing that a report shows; one without any parts, as `cloud fetch` leaves it, is another matter. */
function refuseMissing(whole: Manifest, root: string, keys: ReadonlySet<string>): void {
  const reported = Object.keys(whole.artifacts).filter((path) => REPORTED.test(path));
  const isPart = (path: string) => path.startsWith('parts/');
  const hasParts = reported.some((path) => isPart(path) && keys.has(root + path));
  const missing = reported.filter((path) => !keys.has(root + path) && (hasParts || !isPart(path)));
  if (missing.length === 0) return;
  const more = missing.length === 1 ? '' : `, with ${missing.length - 1} more,`;
  throw new ArtifactError(
    'artifact-not-found',
    `${root}${missing[0]} is missing${more} from the files that the run made. Put back what was removed, or repeat the run by its release key (--release-key) in another folder.`,
  );
}

/**
 * Holds the results of a run that has finished to its manifests, before more is written beside them: the next manifests would say
 * of what has changed since, or was put there, that it is the run's. Where there are no manifests yet there is nothing to hold to.
 *
 * @throws ArtifactError `artifact-changed`, `artifact-not-found`, `artifact-unlisted`
 */
export async function holdResults(store: Store, runId: string): Promise<void> {
  const { confidential, root } = runKeys(runId);
  if ((await store.head(confidential.manifest)) === null) return;
  const whole = await readJson(store, confidential.manifest, manifestSchema);
  const { paths } = await holdRelease(store, runId, whole);
  await refuseUnlisted(store, runId, paths);
  refuseMissing(whole, root, new Set(await store.list(root)));
  for (const [path, entry] of Object.entries(whole.artifacts)) {
    const found = RESULTS.test(path) ? await store.head(root + path) : null;
    // One that somebody has removed is in no later manifest.
    if (found === null) continue;
    if ((await sha256OfPieces(piecesOf(store, root + path, found.bytes))) !== entry.sha256) throw changed(root + path);
  }
}

/** What the acceptance rules say; without rules whether any risk was assessed at all. */
function verdictOf(summary: Summary | null): ReleaseDecision['verdict'] {
  if (summary === null) return 'not-assessed';
  const { acceptance, assessable, attributeRisk, identificationRisk } = summary;
  if (!assessable) return 'not-met';
  if (acceptance.length > 0) return acceptance.every(({ met }) => met) ? 'met' : 'not-met';
  const assessed = attributeRisk.length > 0 || identificationRisk.some(({ applies }) => applies);
  return assessed ? 'no-rules' : 'not-assessed';
}

/** How a release stands, or null where nobody has decided. */
export async function readApproval(store: Store, runId: string): Promise<Approval | null> {
  const key = runKeys(runId).release.approval;
  return (await store.head(key)) === null ? null : readJson(store, key, approvalSchema);
}

/** The last decision of a release with its number; null where there is none. */
export async function readLastDecision(
  store: Store,
  runId: string,
): Promise<{ readonly number: number; readonly decision: ReleaseDecision } | null> {
  const { decision, decisions } = runKeys(runId).confidential;
  const names = (await store.list(decisions)).map((key) => key.slice(decisions.length));
  const number = Math.max(0, ...names.map((name) => Number(/^([1-9]\d{0,8})\.json$/.exec(name)?.[1] ?? 0)));
  if (number === 0) return null;
  return { number, decision: await readJson(store, decision(number), releaseDecisionSchema) };
}

/** Who has fetched a release, and the names of notes that do not say so. */
export interface FetchNotes {
  readonly fetched: ReleaseDecision['fetched'];
  readonly unreadable: string[];
}

/** Longest note that this program writes (bytes), with room: nobody has to read more of what a reader of releases has put there. */
const NOTE_BYTES = 4096;

/** A note of who fetched a release, or null where it is none: readers of releases write these, and may write anything. */
async function readFetch(store: Store, runId: string, name: string): Promise<ReleaseDecision['fetched'][number] | null> {
  if (!/^[\w-]+$/.test(name)) return null;
  const bytes = await store.get(runKeys(runId).tasks.fetched(name), { start: 0, end: NOTE_BYTES });
  const parsed = fetchedSchema.safeParse(parseJson(new TextDecoder().decode(bytes)));
  return parsed.success && parsed.data.runId === runId ? { at: parsed.data.at, by: parsed.data.by } : null;
}

/**
 * Who has fetched an approved release, the first before the others, and the names of notes that are none. Those stand in nobody's
 * way: a release can be shut whatever lies there.
 */
export async function readFetches(store: Store, runId: string): Promise<FetchNotes> {
  const { allFetched } = runKeys(runId).tasks;
  const names = (await store.list(allFetched)).map((key) => key.slice(allFetched.length).replace(/\.json$/, ''));
  const fetched: ReleaseDecision['fetched'] = [];
  const unreadable: string[] = [];
  const read = async (name: string) => ({ name, note: await readFetch(store, runId, name) });
  for await (const { name, note } of readAhead(names, read, PARTS_AT_ONCE)) {
    if (note === null) unreadable.push(name.replace(/\p{Cc}/gu, '?'));
    else fetched.push(note);
  }
  return { fetched: fetched.sort((a, b) => (a.at < b.at ? -1 : 1)), unreadable };
}

/**
 * The approval of a release whose manifest is still the one that was approved.
 *
 * @throws NotApprovedError `not-approved`, `approval-withdrawn`, `approval-outdated`
 */
export async function requireApproved(store: Store, runId: string): Promise<Approval> {
  const approval = await readApproval(store, runId);
  if (approval === null) {
    throw new NotApprovedError('not-approved', `Nobody has approved the release of the run ${runId}.`);
  }
  if (approval.status === 'withdrawn') {
    throw new NotApprovedError('approval-withdrawn', `The approval of the release of the run ${runId} was withdrawn at ${approval.at}.`);
  }
  if (approval.runId !== runId || approval.manifestSha256 !== (await releaseDigest(store, runId))) {
    throw new NotApprovedError('approval-outdated', `The release of the run ${runId} is not the one that was approved at ${approval.at}.`);
  }
  return approval;
}
