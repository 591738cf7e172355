import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import { planInputSchema, planOutputSchema, type Upload, type WorkflowInput } from '../../shared/contracts/cloud/workflow.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { isBesideUpload, runKeys, type UploadKeys, uploadFolder, uploadKeys, uploadName } from '../../shared/contracts/keys.ts';
import type { Prediction } from '../../shared/contracts/run/prediction.ts';
import type { CloudEstimate } from '../../shared/cost/cloud-estimate.ts';
import { prepareRun } from '../../shared/estimate/look-ahead.ts';
import { type Execution, resumeRun, type StartedRun, startRun, type UploadedTable } from '../../shared/pipeline/life/start-run.ts';
import { tellUpload } from '../../shared/pipeline/life/tell-upload.ts';
import { handle, type Runtime } from '../runtime/handle.ts';
import { nameError } from '../runtime/name-error.ts';

/**
 * Reads the table of an upload: the one that started the execution, although another may have taken its place since. Of the files
 * beside it S3 is asked for none but the latest: where one was put after the table, it belongs to another one.
 */
async function readUpload({ bucket, store }: Runtime, upload: Upload, keys: UploadKeys): Promise<UploadedTable> {
  if (upload.table === undefined) return { bytes: await store.get(keys.table), assertItsFiles: async () => undefined };
  const { bytes, put } = await bucket.getVersion(keys.table, upload.table.version);
  const assertItsFiles = async () => {
    const folder = uploadFolder(uploadName(keys));
    const later = [...(await bucket.listPut(folder))].filter(([key, at]) => isBesideUpload(keys, key) && at > put).map(([key]) => key);
    if (later.length === 0) return;
    throw new InvalidConfigError(
      'changed-upload',
      `${later.join(', ')} was put after the table, so that the table would be evaluated with what is not its own. Upload both under another name, the table last.`,
    );
  };
  return { bytes, assertItsFiles };
}

/** Starts an upload's run, and notes beside the upload what became of it. */
async function startUpload(runtime: Runtime, upload: Upload, execution: Execution): Promise<StartedRun> {
  const { environment, store } = runtime;
  const { bucket, key } = upload;
  const own = environment.location.bucket;
  const notAnUpload = new InvalidConfigError(
    'not-an-upload',
    `A table is uploaded as incoming/<name>/table.csv or table.parquet in ${own}, in a folder of its own and in none below that.`,
  );
  if (bucket !== own) throw notAnUpload;
  try {
    const keys = uploadKeys(key);
    if (keys === null) throw notAnUpload;
    let cost: CloudEstimate | undefined;
    return await startRun(store, keys, execution, {
      table: await readUpload(runtime, upload, keys),
      prepare: (planned, asked) => {
        const prepared = prepareRun(planned, environment.size, asked === undefined ? {} : { asked });
        ({ cost } = prepared);
        return prepared;
      },
      found: async (runId) => {
        // By which whoever purges the run finds the table that was uploaded, also when it has expired.
        await store.put(runKeys(runId).tasks.upload(uploadName(keys)), encodeJson({ table: key }));
        if (cost !== undefined) {
          const prediction: Prediction = { timeFactors: cost.timeFactors, steps: cost.steps };
          await store.put(runKeys(runId).confidential.prediction, encodeJson(prediction), { ifAbsent: true });
        }
        await tellUpload(store, upload, { runId });
      },
    });
  } catch (error) {
    const named = nameError(error);
    await tellUpload(store, upload, { error: named.report });
    throw named;
  }
}

/** The budget that a run is resumed with, if it is given another, and the execution after which, if that is said. */
const resumeOptions = ({ after, budgetDollars }: Extract<WorkflowInput, { resume: true }>) => ({
  ...(after === undefined ? {} : { after }),
  ...(budgetDollars === undefined ? {} : { budgetDollars }),
});

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
        ? await resumeRun(runtime.store, input.runId, { id, code, ...resumeOptions(input) })
        : await startUpload(runtime, input, execution);
    const manifest = { bucket: location.bucket, key: runKeys(runId).tasks.assess(round) };
    return { runId, outcome, round, manifest };
  },
);
