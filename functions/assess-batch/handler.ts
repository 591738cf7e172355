import { assessInputSchema, assessOutputSchema } from '../../shared/contracts/workflow.ts';
import { assessBatch } from '../../shared/pipeline/assess-batch.ts';
import { handle } from '../runtime/handle.ts';

/** `assess-batch`: assesses the combinations of one batch. */
export const handler = handle(
  { input: assessInputSchema, output: assessOutputSchema },
  async (task, { store }) => {
    await assessBatch(store, task, () => undefined);
    const { runId, round, batch } = task;
    return { runId, round, batch };
  },
);
