import { setTimeout } from 'node:timers/promises';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { type UploadOutcome, uploadOutcomeSchema } from '../../shared/contracts/cloud/workflow.ts';
import { ServiceError } from '../../shared/contracts/errors.ts';
import type { UploadKeys } from '../../shared/contracts/keys.ts';
import type { Store } from '../../shared/storage/store.ts';

const POLL_MILLISECONDS = 2_000;

/** The function that plans has 15 minutes, and an event takes a moment to arrive. */
const LONGEST_MINUTES = 20;

/** What became of an upload, or null when nothing has yet. */
export async function readUploadOutcome(store: Store, { outcome }: UploadKeys): Promise<UploadOutcome | null> {
  return (await store.head(outcome)) === null ? null : readJson(store, outcome, uploadOutcomeSchema);
}

/** Waits until something has become of an upload. Throws ServiceError when nothing does. */
export async function awaitUploadOutcome(store: Store, upload: UploadKeys): Promise<UploadOutcome> {
  const deadline = performance.now() + LONGEST_MINUTES * 60_000;
  while (performance.now() < deadline) {
    const outcome = await readUploadOutcome(store, upload);
    if (outcome !== null) return outcome;
    await setTimeout(POLL_MILLISECONDS);
  }
  const folder = upload.outcome.slice(0, upload.outcome.lastIndexOf('/') + 1);
  throw new ServiceError(
    'no-outcome',
    `Nothing has become of ${folder} in ${LONGEST_MINUTES} minutes. The executions of the workflow, the log of plan-run and the queue of undelivered uploads tell why.`,
  );
}
