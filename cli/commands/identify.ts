import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { InvalidConfigError, InvalidTableError, RunConflictError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { TableSchema } from '../../shared/contracts/schema.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { writeIdentificationRisk } from '../../shared/pipeline/identification-table.ts';
import { encodeJson } from '../../shared/pipeline/stored-json.ts';
import { renderIdentification } from '../../shared/report/render-identification.ts';
import {
  IDENTIFICATION_PASSES,
  type IdentificationRisk,
  identificationRisk,
} from '../../shared/risk/identification-risk.ts';
import { refuseRepeatedScenarios } from '../../shared/risk/identification-scenario.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { type MissingRule, readTable, readTableAs } from '../../shared/table/read-table.ts';
import type { Table } from '../../shared/table/table.ts';
import { addIdentificationFlags, flagSettings, type RunFlags, requireTable } from '../options.ts';
import { printIdentification } from '../print-identification.ts';
import { runSteps } from '../progress.ts';
import { readConfig, readUserFile } from '../read-config.ts';

interface IdentifyFlags extends RunFlags {
  readonly synthetic?: string[];
}

/** Reads a dataset; what is wrong with it is said with the name of its file. */
async function readDataset(
  path: string,
  bytes: Uint8Array,
  schema: TableSchema,
  missing: MissingRule,
): Promise<Table> {
  try {
    return (await readTableAs(bytes, schema, { missing })).table;
  } catch (error) {
    if (!(error instanceof InvalidTableError)) throw error;
    throw new InvalidTableError(error.code, `${path}: ${error.message}`, error.where);
  }
}

/** Refuses a folder that holds anything. */
async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR'
      ? new RunConflictError('folder-in-use', `${directory} is not a folder.`)
      : error;
  });
  if (entries.length === 0) return;
  throw new RunConflictError('folder-in-use', `${directory} holds files. Choose an empty --out folder.`);
}

/** `identify TABLE --synthetic FILE...`: identification risk of partially synthetic datasets, by matching. */
export function addIdentify(program: Command): void {
  const command = program
    .command('identify')
    .description('identification risk of partially synthetic datasets, by matching')
    .argument('[table]', 'confidential table, CSV or Parquet')
    .option(
      '--synthetic <file...>',
      'synthetic datasets, CSV or Parquet; row i of each is record i of the table',
    );
  addIdentificationFlags(command)
    .addOption(
      new Option(
        '--synthesized <variables>',
        'synthesized variables of which the intruder knows the true values, A,B (default: all that differ)',
      ).argParser((text) => text.split(',').map((name) => name.trim())),
    )
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category']))
    .option('--config <file>', 'config file (YAML); its `identification` may hold several scenarios')
    .option('--out <dir>', 'folder for tables of all records, the figures and a report; must be empty')
    .option('--json', 'one JSON document on standard output')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
An intruder knows some variables of a person that the release keeps, and the true values of those that it replaces, and
looks for rows of a dataset that agree: c of them, the person's own among them (T = 1) or not. The risk of a record is T/c.

What is assumed: row i of each dataset is record i of the table. Kept variables are compared row by row, and a dataset
whose kept values stand in other rows is refused; an order among records that share all kept values cannot be seen.

Examples:
  synthrisk identify table.csv --synthetic z1.csv z2.csv --known SEX,REGION
  synthrisk identify table.csv --synthetic z*.csv --known AGE,SEX --synthesized INCOME --radius AGE=abs:2 --radius INCOME=0.1
  synthrisk identify table.csv --synthetic z*.csv --known AGE,SEX --radius AGE=0.1 --sweep --out identified
  synthrisk identify table.csv --synthetic z*.csv --known AGE,SEX --radius AGE=0.1 --sweep 0.01,0.05,0.2 --sweep-jointly
  synthrisk identify --config run.yaml --synthetic z*.csv --json`,
    )
    .action(async (path: string | undefined, { synthesized: ofScenario, ...flags }: IdentifyFlags) => {
      const { identification: [scenario] = [], ...settings } = flagSettings(flags, path) as ReturnType<
        typeof flagSettings
      > & { identification?: object[] };
      if (scenario === undefined && ofScenario !== undefined) {
        throw new InvalidConfigError(
          'no-known',
          'The flag --synthesized is of an intruder who matches: say with --known what he knows.',
        );
      }
      const config = await readConfig(flags.config, {
        ...settings,
        identification: scenario && [{ ...scenario, synthesized: ofScenario }],
      });
      if (config.identification.length === 0) {
        throw new InvalidConfigError(
          'no-scenario',
          'Say what the intruder knows: --known A,B, or scenarios under `identification` in the config.',
        );
      }
      if (flags.synthetic === undefined) {
        throw new InvalidConfigError('no-datasets', 'Name the datasets: --synthetic FILE...');
      }
      refuseRepeatedScenarios(config.identification);
      if (flags.out !== undefined) await requireEmpty(flags.out);

      const { missing, synthesized } = config.synthesis;
      const scenarios = config.identification.map((one) =>
        synthesized === 'all' || one.synthesized ? one : { ...one, synthesized },
      );
      const files = flags.synthetic;
      const hashes: string[] = [];
      const datasets: Table[] = [];
      const found: IdentificationRisk[] = [];
      let table: Table | undefined;
      let passes = 0;
      const steps = [
        {
          title: 'Read the files',
          units: files.length + 1,
          unitsDone: () => hashes.length,
          work: async () => {
            const bytes = await readUserFile(requireTable(config.table));
            const read = await readTable(bytes, { variables: config.variables, missing });
            if (!flags.quiet) for (const notice of read.notices) process.stderr.write(`Notice: ${notice}\n`);
            table = read.table;
            hashes.push(await sha256(bytes));
            for (const file of files) {
              const dataset = await readUserFile(file);
              datasets.push(await readDataset(file, dataset, table.schema, missing));
              hashes.push(await sha256(dataset));
            }
          },
        },
        {
          title: 'Match the records',
          units: files.length * scenarios.length * IDENTIFICATION_PASSES,
          unitsDone: () => passes,
          work: async () => {
            for (const one of scenarios) {
              found.push(
                await identificationRisk(
                  table!,
                  files.length,
                  (l) => datasets[l]!,
                  one,
                  async () => {
                    passes++;
                    await setImmediate();
                  },
                ),
              );
            }
          },
        },
      ];
      await runSteps(steps, flags.quiet ?? false);
      const summaries = found.map(({ summary }) => summary);
      if (flags.out !== undefined) {
        const identity = { version: VERSION, purpose: 'identify', hashes, scenarios };
        const runId = (await sha256(encodeJson(identity))).slice(0, 16);
        const { root, confidential } = runKeys(runId);
        const store = new FileStore(flags.out, root);
        await writeIdentificationRisk(store, runId, found, table!.records);
        await store.put(confidential.identification, encodeJson(summaries));
        const page = await renderIdentification(summaries, { version: VERSION, runId });
        await store.put(confidential.identificationReport, new TextEncoder().encode(page));
      }
      printIdentification(
        summaries.map((summary, index) => ({
          summary,
          byData: scenarios[index]!.synthesized === undefined,
        })),
        flags.json ?? false,
      );
      if (flags.out !== undefined && !flags.json) {
        process.stdout.write(
          `\nConfidential report:   ${join(flags.out, 'confidential', 'identification.html')}\n`,
        );
        process.stdout.write(
          `Confidential table:    ${join(flags.out, 'confidential', 'identification-risk.csv')}\n`,
        );
      }
    });
}
