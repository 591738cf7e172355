import { setTimeout } from 'node:timers/promises';
import { encodeJson, readJson } from '../../shared/artifacts/stored-json.ts';
import { type UploadBudget, type UploadOutcome, uploadOutcomeSchema } from '../../shared/contracts/cloud/workflow.ts';
import {
  type ErrorReport,
  isNamedError,
  RunConflictError,
  reviveError,
  ServiceError,
  type SynthriskError,
} from '../../shared/contracts/errors.ts';
import type { UploadKeys } from '../../shared/contracts/keys.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
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
function refusalOf({ code, message, name }: ErrorReport): SynthriskError {
  return isNamedError(name) ? reviveError({ code, message, name }) : new ServiceError(code, message);
}

/** A table and what lies beside it. */
interface UploadedFiles {
  readonly table: Uint8Array;
  readonly config: Uint8Array | null;
  readonly releaseKey?: Uint8Array | undefined;
  readonly limits?: UploadBudget;
  /** What the config names, by its key. */
  readonly files?: readonly { readonly key: string; readonly bytes: Uint8Array }[];
}

/**
 * Takes the name of an upload by its config, an empty one if need be: who uploads may not list what others have uploaded,
 * since a list tells how long their tables are. A key or a budget that someone left there would be those of this run.
 *
 * @throws RunConflictError `name-taken`
 */
async function claimName(store: Store, upload: UploadKeys, config: Uint8Array | null): Promise<void> {
  const { budget, outcome, releaseKey } = upload;
  let free = true;
  for (const key of [outcome, releaseKey, budget]) free &&= (await store.head(key)) === null;
  free &&= (await store.put(upload.config, config ?? encodeJson({}), { ifAbsent: true })) === 'written';
  if (free) return;
  const folder = outcome.slice(0, outcome.lastIndexOf('/') + 1);
  throw new RunConflictError('name-taken', `${folder} is there already: choose another --name.`);
}

/**
 * Uploads a table under a name that none had before, after all that lies beside it, since the table starts its run; waits for that
 * and gives its id.
 *
 * @throws RunConflictError `name-taken`; ServiceError `no-outcome`; what the environment refuses the upload with
 */
export async function uploadTable(
  store: Store,
  upload: UploadKeys,
  { config, files = [], limits, releaseKey, table }: UploadedFiles,
  announce: (line: string) => void,
): Promise<string> {
  await claimName(store, upload, config);
  if (releaseKey) await store.put(upload.releaseKey, encodeKey(releaseKey));
  if (limits) await store.put(upload.budget, encodeJson(limits));
  for (const { key, bytes } of files) await store.put(key, bytes);
  await store.put(upload.table, table);
  announce(`Uploaded to ${upload.table}; waiting for its run\n`);
  const outcome = await awaitUploadOutcome(store, upload);
  if ('error' in outcome) throw refusalOf(outcome.error);
  return outcome.runId;
}
