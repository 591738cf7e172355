import { failureInputSchema, failureOutputSchema } from '../../shared/contracts/cloud/workflow.ts';
import { recordEnd, recordFailure } from '../../shared/pipeline/life/record-failure.ts';
import { handle } from '../runtime/handle.ts';

/** `record-failure`: notes why a workflow ended: in the state of its run, or beside the upload that came to none. */
export const handler = handle(
  { step: 'record-failure', accounts: true, input: failureInputSchema, output: failureOutputSchema },
  async (ended, { store }) => {
    if ('status' in ended) return { runId: await recordEnd(store, ended) };
    const { execution, ...caught } = ended;
    const { failure, runId } = await recordFailure(store, execution.Id, caught);
    return { runId, redrives: execution.RedriveCount, ...failure };
  },
);
