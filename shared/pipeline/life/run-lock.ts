import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { runLockSchema } from '../../contracts/cloud/workflow.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';

/**
 * Takes the lock of a run for an execution of the workflow, unless another execution has it. Asked again by the
 * same execution, the answer is yes again.
 *
 * @param force takes it from any other: a person says that the other is at an end
 * @returns whether the execution has the lock
 */
export async function takeRunLock(
  store: Store,
  runId: string,
  holder: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<boolean> {
  const { lock } = runKeys(runId);
  const answer = await store.put(lock, encodeJson({ holder }), { ifAbsent: !force });
  return answer === 'written' || (await readJson(store, lock, runLockSchema)).holder === holder;
}
