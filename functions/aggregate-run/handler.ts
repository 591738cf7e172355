import { aggregateInputSchema, aggregateOutputSchema } from '../../shared/contracts/cloud/workflow.ts';
import { reviveError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { findBatchFailure } from '../../shared/pipeline/life/record-failure.ts';
import { closeRound } from '../../shared/pipeline/life/run-round.ts';
import { endAssessment, readRunState, timePhase } from '../../shared/pipeline/life/run-state.ts';
import { roundAfter } from '../../shared/pipeline/rounds/stored-round.ts';
import { missingAssessTasks, storeAssessTasks } from '../../shared/pipeline/tasks/stored-tasks.ts';
import { closesInTask } from '../runtime/closes-in-task.ts';
import { handle } from '../runtime/handle.ts';

/**
 * `aggregate-run`: puts the parts of a run together, unless batches were left over, or its precision asks for another round
 * of chains. Where a container task is to do that, it says so, and is called again when the task has ended.
 */
export const handler = handle(
  { step: 'aggregate-run', accounts: true, input: aggregateInputSchema, output: aggregateOutputSchema },
  async ({ closed, runId, round }, runtime) => {
    const { environment, store } = runtime;
    const manifestOf = (of: number) => ({ bucket: environment.location.bucket, key: runKeys(runId).tasks.assess(of) });
    const after = (next: number | null) =>
      next === null
        ? { outcome: 'done' as const, runId, round }
        : { outcome: 'next-round' as const, runId, round: next, manifest: manifestOf(next) };
    if (closed) {
      const state = await readRunState(store, runId);
      // What a container fails with is told by nobody else.
      if (state?.status === 'failed' && state.error) throw reviveError(state.error);
      return after(await roundAfter(store, { runId, round }));
    }
    if ((await missingAssessTasks(store, { runId, round })).length > 0) {
      // A batch that failed is no batch that nobody had time for, whatever the map makes of it.
      const failure = await findBatchFailure(store, runId);
      if (failure !== null) throw reviveError(failure);
      await storeAssessTasks(store, { runId, round });
      return { outcome: 'left-over' as const, runId, round, manifest: manifestOf(round) };
    }
    await endAssessment(store, runId);
    if (await closesInTask(runtime, runId)) return { outcome: 'close-in-task' as const, runId, round };
    return after(await timePhase(store, runId, 'aggregate', () => closeRound(store, { runId, round })));
  },
);
