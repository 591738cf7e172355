import { readJson } from '../../artifacts/stored-json.ts';
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
import { sha256 } from '../../contracts/sha256.ts';
import type { Store } from '../../storage/store.ts';

function changed(key: string): ArtifactError {
  return new ArtifactError('artifact-changed', `${key} is not the file that the manifest describes.`);
}

/** Compares a file with the digest that a manifest has of it. Throws ArtifactError `artifact-changed`. */
export async function assertListed(key: string, bytes: Uint8Array, entry: Manifest['artifacts'][string] | undefined): Promise<void> {
  if (entry?.sha256 !== (await sha256(bytes))) throw changed(key);
}

/** SHA-256 of the manifest of a release. */
async function releaseDigest(store: Store, runId: string): Promise<string> {
  return sha256(await store.get(runKeys(runId).manifest));
}

/**
 * Reads both manifests of a run, and holds every file of its release, and the summary by which it is judged, to them.
 *
 * @throws ArtifactError `artifact-changed`, `artifact-not-found`, `nothing-to-release`
 */
export async function checkRelease(store: Store, runId: string) {
  const keys = runKeys(runId);
  const { confidential } = keys;
  const whole = await readJson(store, confidential.manifest, manifestSchema);
  const open = await readJson(store, keys.manifest, manifestSchema);
  const paths = Object.keys(open.artifacts);
  if (paths.length === 0) {
    throw new ArtifactError('nothing-to-release', `The run ${runId} has no file to release.`);
  }
  if (open.runId !== runId || whole.runId !== runId) throw changed(keys.manifest);
  for (const path of paths) {
    const key = keys.root + path;
    if (!key.startsWith(keys.release.root)) throw changed(keys.manifest);
    const bytes = await store.get(key);
    await assertListed(key, bytes, open.artifacts[path]);
    await assertListed(key, bytes, whole.artifacts[path]);
  }
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
  const number = (await store.list(decisions)).length;
  if (number === 0) return null;
  return { number, decision: await readJson(store, decision(number), releaseDecisionSchema) };
}

/** Who has fetched an approved release, the first before the others. */
export async function readFetches(store: Store, runId: string): Promise<ReleaseDecision['fetched']> {
  const notes = await store.list(runKeys(runId).tasks.allFetched);
  const fetched = await Promise.all(notes.map((key) => readJson(store, key, fetchedSchema)));
  return fetched.map(({ at, by }) => ({ at, by })).sort((a, b) => (a.at < b.at ? -1 : 1));
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
