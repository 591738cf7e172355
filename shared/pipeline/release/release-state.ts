import { readJson } from '../../artifacts/stored-json.ts';
import { NotApprovedError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import {
  type Approval,
  approvalSchema,
  fetchedSchema,
  type ReleaseDecision,
  releaseDecisionSchema,
} from '../../contracts/release/approval.ts';
import type { Store } from '../../storage/store.ts';
import { releaseDigest } from './checked-release.ts';

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
