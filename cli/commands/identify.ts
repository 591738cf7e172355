import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { writeIdentificationRisk } from '../../shared/pipeline/tables/identification-table.ts';
import { renderIdentification } from '../../shared/report/render-identification.ts';
import { refuseRepeatedScenarios } from '../../shared/risk/identification/opened-scenario.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { flagSettings, requireTable } from '../flags/flag-settings.ts';
import { addIdentificationFlags, addTrueValuesFlag } from '../flags/identification-flags.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { printIdentification } from '../print/print-identification.ts';
import { type IdentifiedFiles, identifyFiles } from '../run/identify-files.ts';
import { readConfig } from '../run/read-config.ts';
import { requireEmptyFolder } from '../run/run-folder.ts';

/** Stands in keys for the id of a run: the folder holds none. */
const FOLDER = 'identify';

interface IdentifyFlags extends RunFlags {
  readonly synthetic?: string[];
}

/** The scenarios of a config, in which the synthesized variables are those of its synthesis where it names them. */
function scenariosOf({ identification, synthesis }: Config): Config['identification'] {
  if (identification.length === 0) {
    throw new InvalidConfigError(
      'no-scenario',
      'Say what the intruder knows: --known A,B, or scenarios under `identification` in the config.',
    );
  }
  refuseRepeatedScenarios(identification);
  const { synthesized } = synthesis;
  return identification.map((scenario) =>
    synthesized === 'all' || scenario.synthesized ? scenario : { ...scenario, synthesized },
  );
}

/** Writes the tables, the figures and the page below `confidential/` in a folder. */
async function writeArtifacts(directory: string, { risks, records }: IdentifiedFiles): Promise<void> {
  const { root, confidential } = runKeys(FOLDER);
  const store = new FileStore(directory, root);
  const summaries = risks.map(({ summary }) => summary);
  const page = await renderIdentification(summaries, { version: VERSION });
  await writeIdentificationRisk(store, FOLDER, risks, records);
  await store.put(confidential.identification, encodeJson(summaries));
  await store.put(confidential.identificationReport, new TextEncoder().encode(page));
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
  addTrueValuesFlag(addIdentificationFlags(command))
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category']))
    .option('--config <file>', 'config file (YAML); its `identification` may hold several scenarios')
    .option('--out <dir>', 'empty folder for a table of all records, the figures and a report')
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
  synthrisk identify table.csv --synthetic z*.csv --known AGE --synthesized INCOME --radius AGE=abs:2 --radius INCOME=0.1
  synthrisk identify table.csv --synthetic z*.csv --known AGE,SEX --radius AGE=0.1 --sweep --out identified
  synthrisk identify table.csv --synthetic z*.csv --known AGE,SEX --sweep 0.01,0.05,0.2 --sweep-jointly
  synthrisk identify --config run.yaml --synthetic z*.csv --json`,
    )
    .action(async (path: string | undefined, flags: IdentifyFlags) => {
      const { json = false, quiet = false, out, synthetic } = flags;
      const config = await readConfig(flags.config, flagSettings(flags, path));
      const scenarios = scenariosOf(config);
      if (synthetic === undefined) {
        throw new InvalidConfigError('no-datasets', 'Name the datasets: --synthetic FILE...');
      }
      if (out !== undefined) await requireEmptyFolder(out);
      const { variables } = config;
      const { missing } = config.synthesis;
      const table = requireTable(config.table);
      const found = await identifyFiles({ table, synthetic, variables, missing, scenarios, quiet });
      if (out !== undefined) await writeArtifacts(out, found);
      const results = found.risks.map(({ summary }, index) => ({
        summary,
        byData: scenarios[index]!.synthesized === undefined,
      }));
      printIdentification(results, json);
      if (out !== undefined && !json) {
        const confidential = join(out, 'confidential');
        process.stdout.write(
          `\nConfidential report:   ${join(confidential, 'identification.html')}\nConfidential table:    ${join(confidential, 'identification-risk.csv')}\n`,
        );
      }
    });
}
