import { aggregateOutputSchema, roundReferenceSchema } from '../../shared/contracts/cloud/workflow.ts';
import { reviveError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { findBatchFailure } from '../../shared/pipeline/life/record-failure.ts';
import { closeRound } from '../../shared/pipeline/life/run-round.ts';
import { endAssessment, timePhase } from '../../shared/pipeline/life/run-state.ts';
import { missingAssessTasks, storeAssessTasks } from '../../shared/pipeline/tasks/stored-tasks.ts';
import { handle } from '../runtime/handle.ts';

/**
 * `aggregate-run`: puts the parts of a run together, unless batches were left over, or its precision asks for another round
 * of chains.
 */
export const handler = handle(
  { step: 'aggregate-run', accounts: true, input: roundReferenceSchema, output: aggregateOutputSchema },
  async ({ runId, round }, { store, environment }) => {
    const manifestOf = (of: number) => ({ bucket: environment.location.bucket, key: runKeys(runId).tasks.assess(of) });
    if ((await missingAssessTasks(store, { runId, round })).length > 0) {
      // A batch that failed is no batch that nobody had time for, whatever the map makes of it.
      const failure = await findBatchFailure(store, runId);
      if (failure !== null) throw reviveError(failure);
      await storeAssessTasks(store, { runId, round });
      return { outcome: 'left-over' as const, runId, round, manifest: manifestOf(round) };
    }
    await endAssessment(store, runId);
    const next = await timePhase(store, runId, 'aggregate', () => closeRound(store, { runId, round }));
    if (next === null) return { outcome: 'done' as const, runId, round };
    return { outcome: 'next-round' as const, runId, round: next, manifest: manifestOf(next) };
  },
);
