import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import { planInputSchema, planOutputSchema, type UploadOutcome, type WorkflowInput } from '../../shared/contracts/cloud/workflow.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys, uploadKeys, uploadName } from '../../shared/contracts/keys.ts';
import { prepareRun } from '../../shared/estimate/look-ahead.ts';
import { type Execution, resumeRun, type StartedRun, startRun } from '../../shared/pipeline/life/start-run.ts';
import { handle, type Runtime } from '../runtime/handle.ts';
import { nameError } from '../runtime/name-error.ts';

/** Starts an upload's run, and tells beside the upload what became of it. */
async function startUpload(
  { store, environment }: Runtime,
  { bucket, key }: Exclude<WorkflowInput, { resume: true }>,
  execution: Execution,
): Promise<StartedRun> {
  const keys = uploadKeys(key);
  if (keys === null || bucket !== environment.location.bucket) {
    throw new InvalidConfigError(
      'not-an-upload',
      `A table is uploaded as incoming/<name>/table.csv or table.parquet in ${environment.location.bucket}.`,
    );
  }
  const tell = (outcome: UploadOutcome) => store.put(keys.outcome, encodeJson(outcome));
  try {
    const started = await startRun(store, keys, execution, (planned, asked) =>
      prepareRun(planned, environment.size, asked === undefined ? {} : { asked }),
    );
    // By which whoever purges the run finds the table that was uploaded, also when it has expired.
    const { upload } = runKeys(started.runId).tasks;
    await store.put(upload(uploadName(keys)), encodeJson({ table: key }));
    await tell({ runId: started.runId });
    return started;
  } catch (error) {
    const named = nameError(error);
    await tell({ error: named.report });
    throw named;
  }
}

/** The budget that a run is resumed with, if it is given another. */
const budgetOf = ({ budgetDollars }: Extract<WorkflowInput, { resume: true }>) => (budgetDollars === undefined ? {} : { budgetDollars });

/** `plan-run`: starts a run, or goes on with one, and leaves the tasks for the workflow to map over. */
export const handler = handle(
  { step: 'plan-run', input: planInputSchema, output: planOutputSchema },
  async ({ execution: id, input }, runtime) => {
    const { code, location, size } = runtime.environment;
    const { batchSize, budgetDollars } = size;
    const execution: Execution = {
      id,
      code,
      ...(batchSize === undefined ? {} : { batchSize }),
      ...(budgetDollars === undefined ? {} : { budgetDollars }),
    };
    const { runId, outcome, round } =
      'resume' in input
        ? await resumeRun(runtime.store, input.runId, { id, code, ...budgetOf(input) })
        : await startUpload(runtime, input, execution);
    const manifest = { bucket: location.bucket, key: runKeys(runId).tasks.assess(round) };
    return { runId, outcome, round, manifest };
  },
);
