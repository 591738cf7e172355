import { runReferenceSchema } from '../../shared/contracts/workflow.ts';
import { reportRun } from '../../shared/pipeline/report-run.ts';
import { finishRun, timePhase } from '../../shared/pipeline/run-phase.ts';
import { writeManifest } from '../../shared/pipeline/write-manifest.ts';
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
