import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { newKeys } from '../../../shared/artifacts/stored-keys.ts';
import type { Config } from '../../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { type UploadKeys, uploadKeys } from '../../../shared/contracts/keys.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import { prepareRun } from '../../../shared/estimate/look-ahead.ts';
import { uploadedFiles } from '../../../shared/pipeline/life/uploaded-files.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { checkTableFormat } from '../../../shared/table/files/open-table-file.ts';
import type { AwsEnvironment } from '../../cloud/aws-environment.ts';
import { addCloudFlags, type CloudFlags, printOutcome } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { uploadTable } from '../../cloud/uploads.ts';
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
      const { budget: dollars, fitTasks: asked } = flags;
      const limits = { ...(dollars === undefined ? {} : { dollars }), ...(asked === undefined ? {} : { fitTasks: asked }) };
      const announce = (line: string) => void (flags.json || process.stderr.write(line));
      const runId = await uploadTable(
        store,
        upload,
        { table, config, releaseKey, files, ...(Object.keys(limits).length > 0 ? { limits } : {}) },
        announce,
      );
      printOutcome({ runId, upload: upload.table }, [runId], flags);
    });
}
