import { runReferenceSchema } from '../../shared/contracts/cloud/workflow.ts';
import { finishRun, timePhase } from '../../shared/pipeline/life/run-phase.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { handle } from '../runtime/handle.ts';

/** `report-run`: writes the report and the manifest, with which the run has finished. */
export const handler = handle(
  {
    step: 'report-run',
    accounts: true,
    // Last, so that a run that has finished tells all that it used.
    closing: finishRun,
    input: runReferenceSchema,
    output: runReferenceSchema,
  },
  async ({ runId }, { store }) => {
    await timePhase(store, runId, 'report', () => reportRun(store, { runId }));
    await timePhase(store, runId, 'aggregate', () => writeManifest(store, { runId }));
    return { runId };
  },
);
