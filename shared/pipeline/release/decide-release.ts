import { encodeJson } from '../../artifacts/stored-json.ts';
import { AcceptanceError, NotApprovedError, RunConflictError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type Approval, type ReleaseDecision, releaseDecisionSchema } from '../../contracts/release/approval.ts';
import { sha256 } from '../../contracts/sha256.ts';
import type { Store } from '../../storage/store.ts';
import { checkRelease, readApproval, readFetches, readLastDecision } from './release-state.ts';

/** Who decides, and when. */
export interface Decider {
  readonly runId: string;
  readonly by: string;
  /** As an ISO date. */
  readonly at: string;
}

/** What lets readers of releases at files, and shuts them out again; a folder has nothing of the kind. */
export interface ReleaseGate {
  open(key: string): Promise<void>;
  close(key: string): Promise<void>;
}

const NO_GATE: ReleaseGate = { open: async () => undefined, close: async () => undefined };

/** Puts a decision after the last one. Throws RunConflictError `decided-meanwhile` when somebody else was faster. */
async function record(store: Store, number: number, decision: ReleaseDecision): Promise<void> {
  const key = runKeys(decision.runId).confidential.decision(number);
  const bytes = encodeJson(releaseDecisionSchema.parse(decision));
  if ((await store.put(key, bytes, { ifAbsent: true })) === 'written') return;
  // Its own object, where the answer to a first try was lost.
  if ((await sha256(await store.get(key))) === (await sha256(bytes))) return;
  throw new RunConflictError(
    'decided-meanwhile',
    `Somebody else has just decided on the release of the run ${decision.runId}. See its state.`,
  );
}

async function tell(store: Store, status: Approval['status'], decision: ReleaseDecision): Promise<Approval> {
  const { at, by, manifestSha256, runId, version } = decision;
  const approval: Approval = { version, runId, status, at, by, manifestSha256 };
  await store.put(runKeys(runId).release.approval, encodeJson(approval));
  return approval;
}

/**
 * Approves the release of a run: holds its files to the manifests, records the decision with the verdict of the acceptance
 * rules, opens the gate, and last says so in `release/APPROVED.json`. What was broken off is gone on with by approving again.
 *
 * @param reason why it is approved although rules were not met, or no risk was assessed
 * @throws AcceptanceError `rules-not-met` and `not-assessed` without a reason; RunConflictError `already-approved`,
 * `decided-meanwhile`; ArtifactError as {@link checkRelease}
 */
export async function approveRelease(
  store: Store,
  { at, by, reason, runId }: Decider & { readonly reason: string | null },
  gate: ReleaseGate = NO_GATE,
): Promise<ReleaseDecision> {
  const { files, ...checked } = await checkRelease(store, runId);
  const { acceptance, runManifestSha256, verdict } = checked;
  if (reason === null && verdict === 'not-met') {
    const unmet = acceptance.filter(({ met }) => !met).length;
    // A run that is not assessable meets none, and may have been given none.
    const what = acceptance.length === 0 ? 'is not assessable' : `does not meet ${unmet} of its ${acceptance.length} acceptance rules`;
    throw new AcceptanceError(
      'rules-not-met',
      `The run ${runId} ${what}. --despite-rules "REASON" approves it all the same, and records why.`,
    );
  }
  if (reason === null && verdict === 'not-assessed') {
    throw new AcceptanceError(
      'not-assessed',
      `The run ${runId} assessed no risk. --despite-rules "REASON" approves its release all the same, and records why.`,
    );
  }
  const last = await readLastDecision(store, runId);
  const before = last?.decision;
  const status = (await readApproval(store, runId))?.status;
  const same = before?.decision === 'approved' && before.runManifestSha256 === runManifestSha256 && status !== 'withdrawn';
  if (same && status === 'approved') {
    throw new RunConflictError('already-approved', `The release of the run ${runId} was approved at ${before.at} by ${before.by}.`);
  }
  // One that was broken off is carried out as it was recorded.
  const decision: ReleaseDecision = same ? before : { ...checked, runId, at, by, decision: 'approved', reason, fetched: [] };
  if (!same) await record(store, (last?.number ?? 0) + 1, decision);
  for (const key of files) await gate.open(key);
  await tell(store, 'approved', decision);
  return decision;
}

/**
 * Withdraws an approval: shuts the gate, and then records who had fetched the release by then. Whoever fetches leaves a note
 * before the first file is read, so that nobody had it who is not recorded. What was fetched cannot be called back. What was
 * broken off is gone on with by withdrawing again.
 *
 * @throws NotApprovedError `not-approved` when there is no approval to withdraw; RunConflictError `decided-meanwhile`
 */
export async function withdrawApproval(store: Store, { at, by, runId }: Decider, gate: ReleaseGate = NO_GATE): Promise<ReleaseDecision> {
  const last = await readLastDecision(store, runId);
  if (last === null || last.decision.decision === 'withdrawn') {
    throw new NotApprovedError('not-approved', `There is no approval of the run ${runId} to withdraw.`);
  }
  const decision: ReleaseDecision = { ...last.decision, decision: 'withdrawn', at, by, reason: null };
  await tell(store, 'withdrawn', decision);
  const keys = runKeys(runId);
  const approval = keys.release.approval;
  const files = (await store.list(keys.release.root)).filter((key) => key !== approval);
  for (const key of [...files, keys.manifest, keys.signature]) await gate.close(key);
  const { fetched, unreadable } = await readFetches(store, runId);
  const withdrawn = { ...decision, fetched, ...(unreadable.length === 0 ? {} : { unreadable }) };
  await record(store, last.number + 1, withdrawn);
  return withdrawn;
}
