import { failureInputSchema, failureOutputSchema } from '../../shared/contracts/workflow.ts';
import { recordFailure } from '../../shared/pipeline/record-failure.ts';
import { handle } from '../runtime/handle.ts';

/** `record-failure`: notes in a run's state why its workflow ended. */
export const handler = handle(
  { input: failureInputSchema, output: failureOutputSchema },
  async ({ runId, error }, { store }) => ({
    runId: runId ?? null,
    ...(await recordFailure(store, runId, error)),
  }),
);
