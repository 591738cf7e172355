import { readJson } from '../../shared/artifacts/stored-json.ts';
import { PARTS_AT_ONCE } from '../../shared/contracts/cloud/cloud-environment.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { type Used, usageNoteSchema } from '../../shared/contracts/run/usage.ts';
import { runUsed } from '../../shared/cost/run-used.ts';
import { noteState } from '../../shared/pipeline/life/run-state.ts';
import { readAhead } from '../../shared/storage/read-ahead.ts';
import type { Store } from '../../shared/storage/store.ts';

/** Adds up what the steps of a run have noted that they used, writes it into the run's state, and returns it. */
export async function accountRun(store: Store, runId: string): Promise<Used> {
  const keys = await store.list(runKeys(runId).tasks.allUsed);
  const notes = [];
  const reads = readAhead(keys, (key) => readJson(store, key, usageNoteSchema), PARTS_AT_ONCE);
  for await (const note of reads) notes.push(note);
  const used = runUsed(notes, new Date().toISOString());
  await noteState(store, runId, { used });
  return used;
}
