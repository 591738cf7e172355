import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { hasPart, type PartReference } from '../../artifacts/stored-part.ts';
import { batchFailureSchema } from '../../contracts/cloud/workflow.ts';
import type { ErrorReport } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';

/** Notes why a batch failed: of a map over many, Step Functions tells only that too many items did. */
export async function noteBatchFailure(store: Store, { runId, round, batch }: PartReference, error: ErrorReport): Promise<void> {
  const note = { runId, round, batch, error };
  await store.put(runKeys(runId).tasks.failure(round, batch), encodeJson(note));
}

/** The error of a batch that failed and has not been assessed since, or null. */
export async function findBatchFailure(store: Store, runId: string): Promise<ErrorReport | null> {
  for (const key of await store.list(runKeys(runId).tasks.failures)) {
    const { error, ...part } = await readJson(store, key, batchFailureSchema);
    if (!(await hasPart(store, part))) return error;
  }
  return null;
}
