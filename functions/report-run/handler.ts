import * as z from 'zod';
import { runReferenceSchema } from '../../shared/contracts/cloud/workflow.ts';
import { noteState, timePhase } from '../../shared/pipeline/life/run-state.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { parseEnvironment } from '../runtime/environment.ts';
import { handle } from '../runtime/handle.ts';
import { manifestSigner } from './manifest-signer.ts';

/** What its environment says beside that of every function: the key that signs. */
const signingSchema = z.object({ SIGNING_KEY: z.string().min(1) });

/** `report-run`: writes the report and the signed manifests, with which the run has finished. */
export const handler = handle(
  {
    step: 'report-run',
    accounts: true,
    // Last, so that a run that has finished tells all that it used.
    closing: (store, runId) => noteState(store, runId, { status: 'finished' }),
    input: runReferenceSchema,
    output: runReferenceSchema,
  },
  async ({ runId }, { environment, store }) => {
    const { SIGNING_KEY } = parseEnvironment(signingSchema);
    const sign = manifestSigner(SIGNING_KEY, environment.location.endpoint);
    await timePhase(store, runId, 'report', () => reportRun(store, { runId }));
    await timePhase(store, runId, 'aggregate', () => writeManifest(store, { runId }, { sign }));
    return { runId };
  },
);
