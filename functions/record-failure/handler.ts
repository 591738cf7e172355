import { failureInputSchema, failureOutputSchema } from '../../shared/contracts/cloud/workflow.ts';
import { recordEnd, recordFailure } from '../../shared/pipeline/life/record-failure.ts';
import { handle } from '../runtime/handle.ts';

/** `record-failure`: notes in a run's state why its workflow ended. */
export const handler = handle(
  { step: 'record-failure', accounts: true, input: failureInputSchema, output: failureOutputSchema },
  async (ended, { store }) => {
    if ('status' in ended) return { runId: await recordEnd(store, ended) };
    const { error, execution, runId } = ended;
    const failure = await recordFailure(store, runId, error);
    return { runId: runId ?? null, redrives: execution.RedriveCount, ...failure };
  },
);
