import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import type { UploadBudget } from '../../shared/contracts/cloud/workflow.ts';
import { RunConflictError } from '../../shared/contracts/errors.ts';
import type { UploadKeys } from '../../shared/contracts/keys.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import type { Store } from '../../shared/storage/store.ts';
import { awaitUploadOutcome, refusalOf } from './upload-outcome.ts';

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
