import type { Command } from 'commander';
import { addEvaluationFlags } from '../flags/evaluation-flags.ts';
import { flagSettings, withLeaveOut, withStarter } from '../flags/flag-settings.ts';
import { addLeaveOutFlag } from '../flags/leave-out-flag.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { printRun } from '../print/print-summary.ts';
import { folderOfRunBefore, includeBefore, openRunBefore } from '../run/include-before.ts';
import { runLocally } from '../run/local-run.ts';
import { readCombinations } from '../run/read-combinations.ts';
import { readConfig } from '../run/read-config.ts';
import { readRunFiles } from '../run/read-run-files.ts';

interface EvaluateFlags extends RunFlags {
  readonly compare?: string;
}

/** `evaluate TABLE`: fit, synthesize, attribute risk, summary and report. */
export function addEvaluate(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('evaluate')
    .description('fit, synthesize, and measure what an intruder could learn about every record')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)');
  addLeaveOutFlag(addEvaluationFlags(command))
    .option('--compare <dir>', 'with --leave-out: the run before, to say what leaving out did to risk')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk evaluate table.csv
  synthrisk evaluate table.csv --datasets 3 --classes 60 --seed 7 --out runs/first
  synthrisk evaluate table.csv --unknown INCOME,HEALTH      the intruder knows everything else
  synthrisk evaluate table.csv --precision quick            a first look
  synthrisk evaluate table.csv --synthesized INCOME --known AGE,SEX
                                                            the others are kept, and an intruder matches by two
  synthrisk evaluate table.csv --model cart --synthesized INCOME,TENURE --known AGE,SEX --radius AGE=0.1 --radius INCOME=0.1
  synthrisk evaluate table.csv --reproducibility 0.97       as many chains as it takes
  synthrisk evaluate table.csv --leave-out 3,17 --compare runs/first
                                                            without the records that the first run found at risk
  synthrisk evaluate table.csv --accept-starter              judged by rules to start from
  synthrisk evaluate --config run.yaml --json > summary.json
  synthrisk evaluate table.csv --out runs/first --resume    after an interruption`,
    )
    .action(async (table: string | undefined, flags: EvaluateFlags) => {
      const leaveOut = await readCombinations('--leave-out', flags.leaveOut);
      const settings = withLeaveOut(flagSettings(flags, table), leaveOut);
      const config = withStarter(await readConfig(flags.config, settings), flags);
      const files = await readRunFiles(config);
      const folder = await folderOfRunBefore(flags.compare, flags.leaveOut);
      const before = folder === undefined ? undefined : await openRunBefore(folder, config, files);
      const run = await runLocally(
        { purpose: 'evaluate', config, ...files, ...(flags.batchSize ? { batchSize: flags.batchSize } : {}) },
        { ...flags, resume: flags.resume ?? false, quiet: flags.quiet ?? false },
      );
      exit(printRun(before ? await includeBefore(run, before) : run, flags.json ?? false));
    });
}
