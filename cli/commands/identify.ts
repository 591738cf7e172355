import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { judgeMeasure } from '../../shared/contracts/settings/acceptance-rule.ts';
import { planIdentification, scenariosToIdentify } from '../../shared/pipeline/plan/plan-identification.ts';
import { IDENTIFY, storeIdentification } from '../../shared/pipeline/results/identify-records.ts';
import { identificationUnits, identifyRelease } from '../../shared/risk/identification/identification-risk.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { flagSettings, requireTable } from '../flags/flag-settings.ts';
import { addIdentificationFlags, addTrueValuesFlag } from '../flags/identification-flags.ts';
import { DETAILS, type RunFlags } from '../flags/run-flags.ts';
import { addTableFlags } from '../flags/table-flags.ts';
import { acceptanceExit, noticeOtherRules } from '../print/print-acceptance.ts';
import { printIdentification } from '../print/print-identification.ts';
import { runStepwise } from '../run/progress.ts';
import { readConfig } from '../run/read-config.ts';
import { readFiles } from '../run/read-files.ts';
import { requireEmptyFolder } from '../run/run-folder.ts';

interface IdentifyFlags extends RunFlags {
  readonly synthetic?: string[];
}

/** `identify TABLE --synthetic FILE...`: identification risk of partially synthetic datasets, by matching. */
export function addIdentify(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('identify')
    .description('identification risk of partially synthetic datasets, by matching')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .option('--synthetic <file...>', 'synthetic datasets, CSV, Parquet or Excel (.xlsx); row i of each is record i of the table');
  addTableFlags(addTrueValuesFlag(addIdentificationFlags(command)))
    .addOption(new Option('--missing <rule>', 'missing values').choices(['refuse', 'category', 'impute']))
    .option('--config <file>', 'config file (YAML); its `identification` may hold several scenarios')
    .option('--out <dir>', 'empty folder for a table of all records, the figures and a report')
    .option(
      '--accept <rule...>',
      'acceptance rules such as "identificationRisk.mean.expectedMatchRisk <= 20", or of one scenario \'identificationRisk["its name"].mean.trueMatchRate <= 0.01\'; exit code 4 when one is not met',
    )
    .option('--json', 'one JSON document on standard output')
    .option('--details', DETAILS)
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
  synthrisk identify table.csv --synthetic z*.csv --known AGE,SEX --accept "identificationRisk.mean.expectedMatchRisk <= 20"
  synthrisk identify --config run.yaml --synthetic z*.csv --json`,
    )
    .action(async (path: string | undefined, flags: IdentifyFlags) => {
      const { json = false, quiet = false, out, synthetic } = flags;
      const config = await readConfig(flags.config, flagSettings(flags, path));
      const given = scenariosToIdentify(config);
      if (synthetic === undefined) {
        throw new InvalidConfigError('no-datasets', 'Name the datasets: --synthetic FILE...');
      }
      if (out !== undefined) await requireEmptyFolder(out);
      const tablePath = requireTable(config.table);
      const { table, datasets, scenarios, copied } = await readFiles(synthetic.length + 1, quiet, (open) =>
        planIdentification({
          config,
          scenarios: given,
          table: open(tablePath),
          datasets: synthetic.map((name) => ({ name, read: open(name) })),
        }),
      );
      const risks = await runStepwise(
        'Match the records',
        identificationUnits(table, datasets, scenarios),
        identifyRelease(table, datasets, scenarios),
        quiet,
      );
      if (out !== undefined) {
        const store = new FileStore(out, runKeys(IDENTIFY).root);
        await storeIdentification(store, risks, table.records);
      }
      const results = risks.map(({ summary }, index) => ({ summary, byData: scenarios[index]!.synthesized === undefined }));
      const judged = judgeMeasure(config, {
        identificationRisk: risks.map(({ summary }) => summary),
        assessable: copied.copies.identicalDatasets === 0,
      });
      printIdentification(results, { ...copied, acceptance: judged.results }, flags);
      noticeOtherRules(judged, quiet);
      if (out !== undefined && !json) {
        const confidential = join(out, 'confidential');
        process.stdout.write(
          `\nConfidential report:   ${join(confidential, 'identification.html')}\nConfidential table:    ${join(confidential, 'identification-risk.csv')}\n`,
        );
      }
      exit(acceptanceExit(judged.results));
    });
}
