import { aggregateOutputSchema, roundReferenceSchema } from '../../shared/contracts/workflow.ts';
import { aggregateRun } from '../../shared/pipeline/aggregate-run.ts';
import { endAssessment, timePhase } from '../../shared/pipeline/run-phase.ts';
import { handle } from '../runtime/handle.ts';

/** `aggregate-run`: puts the parts of a run together. */
export const handler = handle(
  { input: roundReferenceSchema, output: aggregateOutputSchema },
  async ({ runId, round }, { store }) => {
    await endAssessment(store, runId);
    await timePhase(store, runId, 'aggregate', () => aggregateRun(store, { runId }));
    return { runId, round, outcome: 'done' as const };
  },
);
