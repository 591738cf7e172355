import { assessInputSchema, assessOutputSchema } from '../../shared/contracts/workflow.ts';
import { assessBatch } from '../../shared/pipeline/assess-batch.ts';
import { noteBatchFailure } from '../../shared/pipeline/batch-failure.ts';
import { handle } from '../runtime/handle.ts';
import { nameError } from '../runtime/name-error.ts';

/** `assess-batch`: assesses the combinations of one batch. */
export const handler = handle(
  { input: assessInputSchema, output: assessOutputSchema },
  async (task, { store }) => {
    const { runId, round, batch } = task;
    try {
      await assessBatch(store, task, () => undefined);
    } catch (error) {
      const named = nameError(error);
      await noteBatchFailure(store, task, named.report);
      throw named;
    }
    return { runId, round, batch };
  },
);
