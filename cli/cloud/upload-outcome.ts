import { setTimeout } from 'node:timers/promises';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { type UploadOutcome, uploadOutcomeSchema } from '../../shared/contracts/cloud/workflow.ts';
import { type ErrorReport, isNamedError, reviveError, ServiceError, type SynthriskError } from '../../shared/contracts/errors.ts';
import type { UploadKeys } from '../../shared/contracts/keys.ts';
import type { Store } from '../../shared/storage/store.ts';

const POLL_MILLISECONDS = 2_000;

/** The function that plans has 15 minutes, three times where it dies, and an event takes a moment to arrive. */
const LONGEST_MINUTES = 50;

/** What became of an upload, or null when nothing has yet. */
export async function readUploadOutcome(store: Store, { outcome }: Pick<UploadKeys, 'outcome'>): Promise<UploadOutcome | null> {
  return (await store.head(outcome)) === null ? null : readJson(store, outcome, uploadOutcomeSchema);
}

/** Waits until something has become of an upload. Throws ServiceError when nothing does. */
export async function awaitUploadOutcome(store: Store, upload: Pick<UploadKeys, 'outcome'>): Promise<UploadOutcome> {
  const deadline = performance.now() + LONGEST_MINUTES * 60_000;
  while (performance.now() < deadline) {
    const outcome = await readUploadOutcome(store, upload);
    if (outcome !== null) return outcome;
    await setTimeout(POLL_MILLISECONDS);
  }
  const folder = upload.outcome.slice(0, upload.outcome.lastIndexOf('/') + 1);
  throw new ServiceError(
    'no-outcome',
    `No run has begun for ${folder} in ${LONGEST_MINUTES} minutes. The executions of the workflow, the log of plan-run and the queue of undelivered uploads say why.`,
  );
}

/** The error that an upload was refused with; of one that none of ours names, what AWS says of how planning ended. */
export function refusalOf({ code, message, name }: ErrorReport): SynthriskError {
  return isNamedError(name) ? reviveError({ code, message, name }) : new ServiceError(code, message);
}
