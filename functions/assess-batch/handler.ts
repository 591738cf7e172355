import { assessOutputSchema, assessTaskSchema } from '../../shared/contracts/cloud/workflow.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { noteBatchFailure } from '../../shared/pipeline/life/record-failure.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { assessBatch } from '../../shared/pipeline/tasks/run-task.ts';
import { handle } from '../runtime/handle.ts';
import { nameError } from '../runtime/name-error.ts';

/**
 * `assess-batch`: assesses the combinations of one batch; for a person, stores the candidate table of one combination
 * and gives back its key.
 */
export const handler = handle({ step: 'assess-batch', input: assessTaskSchema, output: assessOutputSchema }, async (task, { store }) => {
  if (task.step === 'record') {
    const { runId, combination } = task;
    const key = runKeys(runId).confidential.record(combination);
    await store.put(key, await candidateTable(store, task));
    return { runId, combination, key };
  }
  const { runId, round, batch } = task;
  try {
    await assessBatch(store, task, () => undefined);
  } catch (error) {
    const named = nameError(error);
    await noteBatchFailure(store, task, named.report);
    throw named;
  }
  return { runId, round, batch };
});
