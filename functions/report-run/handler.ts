import * as z from 'zod';
import { runReferenceSchema } from '../../shared/contracts/cloud/workflow.ts';
import { noteState, timePhase } from '../../shared/pipeline/life/run-state.ts';
import { signManifests, writeDigests } from '../../shared/pipeline/life/write-manifest.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { closesInTask } from '../runtime/closes-in-task.ts';
import { parseEnvironment } from '../runtime/environment.ts';
import { handle } from '../runtime/handle.ts';
import { manifestSigner } from './manifest-signer.ts';

/** What its environment says beside that of every function: the key that signs. */
const signingSchema = z.object({ SIGNING_KEY: z.string().min(1) });

/** `report-run`: writes the report and the signed manifests, with which the run has finished; signs alone where a container task did the rest. */
export const handler = handle(
  {
    step: 'report-run',
    accounts: true,
    // Last, so that a run that has finished tells all that it used.
    closing: (store, runId) => noteState(store, runId, { status: 'finished' }),
    input: runReferenceSchema,
    output: runReferenceSchema,
  },
  async ({ runId }, runtime) => {
    const { environment, store } = runtime;
    const { SIGNING_KEY } = parseEnvironment(signingSchema);
    const sign = manifestSigner(SIGNING_KEY, environment.location.endpoint);
    if (!(await closesInTask(runtime, runId))) {
      await timePhase(store, runId, 'report', () => reportRun(store, { runId }));
      await timePhase(store, runId, 'aggregate', () => writeDigests(store, { runId }));
    }
    await signManifests(store, { runId }, sign);
    return { runId };
  },
);
