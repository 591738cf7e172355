import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { keepsRecords } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { scenarioNumber } from '../../shared/contracts/run/scenarios.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { refuseFilesOfRun } from '../../shared/pipeline/plan/named-files.ts';
import { requireRows, riskiestRows, storeRemedies } from '../../shared/pipeline/results/compare-remedies.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import { type Concentration, concentrations, numbersOfDatasets } from '../flags/remedy-flags.ts';
import { addSeveralRunsFlags, type SeveralRunsFlags, severalRunsOptions } from '../flags/several-runs-flags.ts';
import { breaksOfColumn } from '../flags/table-flags.ts';
import { remedyLines } from '../print/print-remedies.ts';
import { writeLines } from '../print/write-lines.ts';
import { openRun } from '../run/open-run.ts';
import { readUserFile } from '../run/read-config.ts';
import { readNumbers } from '../run/read-numbers.ts';
import { configOfRemedy, remediesOf, requireRemediable, runRemedies } from '../run/remedies-of-run.ts';
import { requireFolderOfRuns } from '../run/run-folder.ts';

interface RemedyFlags extends SeveralRunsFlags {
  readonly table: string;
  readonly datasets?: number[];
  readonly concentration?: Concentration[];
  readonly merge?: string;
  readonly breaks?: Readonly<Record<string, readonly number[]>>;
  readonly named?: string;
  readonly scenario?: string;
  readonly precision?: string;
}

/** `remedies RUN`: what ways to lower risk would do, side by side. */
export function addRemedies(program: Command): void {
  const command = program
    .command('remedies')
    .description('what ways to lower the risk of a run would do to it, side by side')
    .argument('<run>', 'folder of a finished evaluation')
    .requiredOption('--table <file>', 'the confidential table of that run')
    .addOption(new Option('--datasets <numbers>', 'fewer datasets, or more: 1,2').argParser(numbersOfDatasets))
    .addOption(
      new Option('--concentration <priors>', 'another concentration: a fixed value, or shape/rate of a gamma prior, 1,0.1/0.1').argParser(
        concentrations,
      ),
    )
    .option('--merge <file>', 'fewer categories: a config file with `variables.NAME.merge` alone')
    .addOption(
      new Option(
        '--breaks <column=numbers>',
        'a number in bands: where each begins, INCOME=0,20000,50000; again for another column',
      ).argParser(breaksOfColumn),
    );
  command
    .option(
      '--named <numbers>',
      'combinations to look at by themselves, or records where attribute-risk.csv has these: numbers as there, 3,17, or a CSV file with a column `combination` or `record` (default: the ten riskiest)',
    )
    .option('--scenario <name>', 'of a run with several scenarios, the one under which remedies are compared (default: the first)')
    .addOption(
      new Option('--precision <name>', 'of every remedy (default: chains as the run has them)').choices(['quick', 'default', 'high']),
    );
  const folder = 'folder of the remedies (default: that of the run, with -remedies)';
  addSeveralRunsFlags(command, folder, 'remedy')
    .addHelpText(
      'after',
      `
Every remedy is an evaluation of its own in a folder below --out, with the settings of the run but for one difference, and
with random numbers of its own; the first has no difference, to hold the others against. Those that have finished are not
run again.

Examples:
  synthrisk remedies runs/first --table table.csv --datasets 1,2 --concentration 1
  synthrisk remedies runs/first --table table.csv --named risky.csv --datasets 1 --precision quick
  synthrisk remedies runs/first --table table.csv --merge fewer.yaml --named 3,17 --json
  synthrisk remedies runs/first --table table.csv --datasets 1 --breaks INCOME=0,20000,50000
  synthrisk remedies runs/first --table table.csv --datasets 1,2 --resume     after an interruption`,
    )
    .action(async (directory: string, flags: RemedyFlags) => {
      const run = await openRun(directory);
      requireRemediable(run, directory);
      const out = flags.out ?? `${directory.replace(/[/\\]+$/, '')}-remedies`;
      await requireFolderOfRuns(out);
      const { plan, store } = run;
      scenarioNumber(plan, flags.scenario);
      refuseFilesOfRun(
        plan.config,
        plan,
        directory,
        'Evaluate each remedy with these files (synthrisk evaluate), and compare the runs (synthrisk compare).',
      );
      const table = await readUserFile(flags.table);
      if ((await sha256(table)) !== plan.table.sha256) {
        throw new InvalidConfigError('other-table', `The run in ${directory} is of another table.`);
      }
      const { datasets, concentration, merge, breaks } = flags;
      const asked = await remediesOf(
        {
          ...(datasets ? { datasets } : {}),
          ...(concentration ? { concentration } : {}),
          ...(merge ? { merge } : {}),
          ...(breaks ? { breaks } : {}),
        },
        plan.config,
      );
      const named =
        (await readNumbers('--named', flags.named, keepsRecords(plan.config) ? 'record' : 'combination')) ??
        (await riskiestRows(store, plan.runId, flags.scenario));
      await requireRows(store, plan.runId, named);
      // Settings are checked before the first is run; what a table refuses, as an unknown category, when its turn comes.
      const remedies = [];
      for (const remedy of asked) {
        const config = await configOfRemedy(remedy, plan.config, flags.table, flags.precision);
        remedies.push({ remedy, config });
      }
      const found = await runRemedies(
        run,
        { remedies, table },
        { named: [...new Set(named)].sort((a, b) => a - b), ...(flags.scenario === undefined ? {} : { scenario: flags.scenario }) },
        { folderOf: (name) => join(out, name), ...severalRunsOptions(flags) },
        ({ name }, number) => {
          if (!flags.quiet) process.stderr.write(`Remedy ${number} of ${remedies.length}: ${name}\n`);
        },
      );
      await storeRemedies(new FileStore(join(out, 'confidential')), found);
      if (flags.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
      else writeLines(remedyLines(found, out));
    });
}
