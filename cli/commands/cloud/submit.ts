import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { encodeJson } from '../../../shared/artifacts/stored-json.ts';
import { newKeys } from '../../../shared/artifacts/stored-keys.ts';
import type { UploadBudget } from '../../../shared/contracts/cloud/workflow.ts';
import type { Config } from '../../../shared/contracts/config/config.ts';
import { InvalidConfigError, RunConflictError } from '../../../shared/contracts/errors.ts';
import { type UploadKeys, uploadKeys } from '../../../shared/contracts/keys.ts';
import { encodeKey } from '../../../shared/contracts/secret-key.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import { prepareRun } from '../../../shared/estimate/look-ahead.ts';
import { uploadedFiles } from '../../../shared/pipeline/life/uploaded-files.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { Store } from '../../../shared/storage/store.ts';
import { checkTableFormat } from '../../../shared/table/files/open-table-file.ts';
import type { AwsEnvironment } from '../../cloud/aws-environment.ts';
import { addCloudFlags, type CloudFlags, printOutcome } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { awaitUploadOutcome, refusalOf } from '../../cloud/upload-outcome.ts';
import { dollarAmount, fitTasks } from '../../flags/parse-flag.ts';
import { readConfigFile, readReleaseKey, readUserFile } from '../../run/read-config.ts';
import { readRunFiles } from '../../run/read-run-files.ts';

interface SubmitFlags extends CloudFlags {
  readonly fitTasks?: number | 'auto';
  readonly lookAhead: boolean;
  readonly config?: string;
  readonly releaseKey?: string;
  readonly name?: string;
  readonly budget?: number;
}

/** Where a table is uploaded, by its content: Parquet files begin with these letters. */
function keysOfUpload(name: string, table: Uint8Array): UploadKeys {
  const extension = new TextDecoder('latin1').decode(table.subarray(0, 4)) === 'PAR1' ? 'parquet' : 'csv';
  const keys = /^[\w.-]+$/.test(name) ? uploadKeys(`incoming/${name}/table.${extension}`) : null;
  if (keys !== null) return keys;
  throw new InvalidConfigError(
    'malformed-name',
    'Expected a name of letters, digits, dots, hyphens and underscores, none of the dots first.',
  );
}

/**
 * Takes the name of an upload by its config, an empty one if need be: who uploads may not list what others have uploaded,
 * since a list tells how long their tables are. A key or a budget that someone left there would be those of this run.
 *
 * @throws RunConflictError `name-taken`
 */
async function claimName(store: Store, upload: UploadKeys, config: Uint8Array | null): Promise<void> {
  const { budget, outcome, releaseKey } = upload;
  let free = true;
  for (const key of [outcome, releaseKey, budget]) free &&= (await store.head(key)) === null;
  free &&= (await store.put(upload.config, config ?? encodeJson({}), { ifAbsent: true })) === 'written';
  if (free) return;
  const folder = outcome.slice(0, outcome.lastIndexOf('/') + 1);
  throw new RunConflictError('name-taken', `${folder} is there already: choose another --name.`);
}

/** The files that a config names beside the table, with the keys under which they are uploaded. */
async function readNamedFiles(config: Config, upload: UploadKeys) {
  const { zeros, control, priors, known } = uploadedFiles(config, upload);
  return Promise.all(
    [...(zeros ? [zeros] : []), ...(control ? [control] : []), ...priors, ...known].map(async ({ key, path }) => ({
      key,
      bytes: await readUserFile(path),
    })),
  );
}

/**
 * Plans a run here and looks ahead as planning in the environment does, so that what it would refuse is not uploaded. Where the
 * environment is not looked up, or does not tell its size, it alone looks.
 *
 * @throws whatever `planRun` throws, and RunTooLargeError
 */
async function lookAheadHere(
  environment: AwsEnvironment,
  { config, file, flags }: { readonly file: string; readonly config: Config; readonly flags: SubmitFlags },
): Promise<void> {
  if (!flags.lookAhead || flags.bucket !== undefined) return;
  const { size } = await environment.find();
  if (size === null) {
    process.stderr.write('The environment does not tell its size: it alone looks ahead.\n');
    return;
  }
  const planned = await planRun({
    purpose: 'evaluate',
    config,
    ...(await readRunFiles({ ...config, table: file })),
    ...newKeys(),
    ...(size.batchSize === undefined ? {} : { batchSize: size.batchSize }),
  });
  prepareRun(planned, size, flags.fitTasks === undefined ? {} : { asked: flags.fitTasks });
}

/** `cloud submit TABLE`: uploads a config and a table, which starts a run, and prints the run's id. */
export function addSubmit(cloud: Command): void {
  addCloudFlags(cloud.command('submit'))
    .description('upload a table, which starts its evaluation, and print the id of the run')
    .argument('<table>', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .option('--config <file>', 'config of the run (YAML), uploaded beside the table with the files that it names')
    .option(
      '--budget <dollars>',
      'stop the run before it costs more, as far as that can be predicted (default: as deployed, or none)',
      dollarAmount,
    )
    .option('--fit-tasks <n>', 'container tasks that share the chains, or auto (default: as deployed, which is 1 unless set)', fitTasks)
    .option('--no-look-ahead', 'upload without planning here first: the environment alone says whether it can carry the run out')
    .option('--release-key <file>', 'repeat the run that had this key (default: a new key by chance)')
    .option('--name <name>', 'name of the upload, which none had before (default: one by chance)')
    .addHelpText(
      'after',
      `
Before anything is uploaded, the run is planned here, and refused where the environment is not expected to carry it out;
the environment looks once more before anything is paid for.

The same table with the same config is the same run, however often it is uploaded. A run that its budget stops has failed
at its budget, keeps what it has, and goes on with \`cloud resume --budget\`.

Examples:
  synthrisk cloud submit table.csv --config run.yaml
  synthrisk cloud submit table.csv --budget 20
  synthrisk cloud submit table.parquet --environment prod --name survey-2026`,
    )
    .action(async (file: string, flags: SubmitFlags) => {
      const table = await readUserFile(file);
      await checkTableFormat(table);
      const config = flags.config === undefined ? null : await readUserFile(flags.config);
      // What is wrong here is better known before anything is uploaded.
      const complete = config === null ? null : completeConfig(await readConfigFile(flags.config!));
      const releaseKey = await readReleaseKey(flags.releaseKey);
      const upload = keysOfUpload(flags.name ?? randomUUID(), table);
      const files = complete === null ? [] : await readNamedFiles(complete, upload);
      const environment = await openEnvironment(flags);
      await lookAheadHere(environment, { file, config: complete ?? completeConfig({}), flags });
      const store = await environment.store();
      await claimName(store, upload, config);
      if (releaseKey) await store.put(upload.releaseKey, encodeKey(releaseKey));
      const { budget: dollars, fitTasks: asked } = flags;
      if (dollars !== undefined || asked !== undefined) {
        const limits = { ...(dollars === undefined ? {} : { dollars }), ...(asked === undefined ? {} : { fitTasks: asked }) };
        await store.put(upload.budget, encodeJson(limits satisfies UploadBudget));
      }
      for (const { key, bytes } of files) await store.put(key, bytes);
      await store.put(upload.table, table);
      if (!flags.json) process.stderr.write(`Uploaded to ${upload.table}; waiting for its run\n`);
      const outcome = await awaitUploadOutcome(store, upload);
      if ('error' in outcome) throw refusalOf(outcome.error);
      const { runId } = outcome;
      printOutcome({ runId, upload: upload.table }, [runId], flags);
    });
}
