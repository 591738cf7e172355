import type { Command } from 'commander';
import { flagSettings } from '../flags/flag-settings.ts';
import { addCommonFlags, addModelFlags, addSynthesisFlags, type RunFlags } from '../flags/run-flags.ts';
import { addUtilityFlags, addUtilityOffFlag } from '../flags/utility-flags.ts';
import { printRun } from '../print/print-summary.ts';
import { runLocally } from '../run/local-run.ts';
import { readConfig } from '../run/read-config.ts';
import { readRunFiles } from '../run/read-run-files.ts';

/** `synthesize TABLE`: the datasets alone. */
export function addSynthesize(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('synthesize')
    .description('draw the synthetic datasets alone')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)');
  addUtilityOffFlag(addUtilityFlags(addSynthesisFlags(addModelFlags(addCommonFlags(command)))))
    .addHelpText(
      'after',
      `
Examples:
  synthrisk synthesize table.csv --datasets 5 --out runs/datasets
  synthrisk synthesize table.csv --model cart --synthesized INCOME,TENURE
  synthrisk assess table.csv --run runs/datasets             their risk, later`,
    )
    .action(async (table: string | undefined, flags: RunFlags) => {
      const config = await readConfig(flags.config, flagSettings(flags, table));
      const run = await runLocally(
        { purpose: 'synthesize', config, ...(await readRunFiles(config)) },
        { ...flags, resume: flags.resume ?? false, quiet: flags.quiet ?? false },
      );
      exit(printRun(run, flags));
    });
}
