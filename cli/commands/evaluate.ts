import type { Command } from 'commander';
import { addEvaluationFlags } from '../flags/evaluation-flags.ts';
import { flagSettings, withStarter } from '../flags/flag-settings.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { printRun } from '../print/print-summary.ts';
import { runLocally } from '../run/local-run.ts';
import { readConfig } from '../run/read-config.ts';
import { readRunFiles } from '../run/read-run-files.ts';

/** `evaluate TABLE`: fit, synthesize, attribute risk, summary and report. */
export function addEvaluate(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('evaluate')
    .description('fit, synthesize, and measure what an intruder could learn about every record')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)');
  addEvaluationFlags(command)
    .addHelpText(
      'after',
      `
Examples:
  synthrisk evaluate table.csv
  synthrisk evaluate table.csv --datasets 3 --classes 60 --seed 7 --out runs/first
  synthrisk evaluate table.csv --unknown INCOME,HEALTH      the intruder knows everything else
  synthrisk evaluate table.csv --precision quick            a first look
  synthrisk evaluate table.csv --control others.csv         who is in the table, told from people who are not
  synthrisk evaluate table.csv --synthesized INCOME --known AGE,SEX
                                                            the others are kept, and an intruder matches by two
  synthrisk evaluate table.csv --model cart --synthesized INCOME,TENURE --known AGE,SEX --radius AGE=0.1 --radius INCOME=0.1
  synthrisk evaluate table.csv --reproducibility 0.97       as many chains as it takes
  synthrisk evaluate table.csv --accept-starter              judged by rules to start from
  synthrisk evaluate table.csv --table-name "Household survey 2026" --by "A. Officer"     as the report is to say
  synthrisk evaluate --config run.yaml --json > summary.json
  synthrisk evaluate table.csv --out runs/first --resume    after an interruption`,
    )
    .action(async (table: string | undefined, flags: RunFlags) => {
      const config = withStarter(await readConfig(flags.config, flagSettings(flags, table)), flags);
      const files = await readRunFiles(config);
      const run = await runLocally(
        { purpose: 'evaluate', config, ...files, ...(flags.batchSize ? { batchSize: flags.batchSize } : {}) },
        { ...flags, resume: flags.resume ?? false, quiet: flags.quiet ?? false },
      );
      exit(printRun(run, flags));
    });
}
