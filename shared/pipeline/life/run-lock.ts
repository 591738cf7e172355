import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { runLockSchema } from '../../contracts/cloud/workflow.ts';
import { RunConflictError } from '../../contracts/errors.ts';
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
  { id: holder, code }: { readonly id: string; readonly code: string },
  { force = false }: { readonly force?: boolean } = {},
): Promise<boolean> {
  const { lock } = runKeys(runId);
  const answer = await store.put(lock, encodeJson({ holder, code }), { ifAbsent: !force });
  return answer === 'written' || (await readJson(store, lock, runLockSchema)).holder === holder;
}

/**
 * Holds a step to the code that its run began with: steps of two codes in one run would give results of neither.
 *
 * @param code digest of the code of the step
 * @throws RunConflictError `other-code`
 */
export async function requireOwnCode(store: Store, runId: string, code: string): Promise<void> {
  const began = (await readJson(store, runKeys(runId).lock, runLockSchema)).code;
  if (began === code) return;
  throw new RunConflictError(
    'other-code',
    `The run ${runId} began with ${began === undefined ? 'code that is not known' : `the code ${began.slice(0, 12)}`}, and this is ${code.slice(0, 12)}: \`synthrisk cloud resume\` and a redrive go on with the former where it is still deployed; else upload the table again.`,
  );
}
