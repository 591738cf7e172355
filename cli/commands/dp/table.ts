import type { Command } from 'commander';
import { privacyUnits, tabulateIncrease } from '../../../shared/risk/privacy/evaluate-privacy.ts';
import { addPrivacyFlags, type PrivacyFlags, privacyScenarios } from '../../flags/privacy-flags.ts';
import { printIncreases } from '../../print/print-privacy.ts';
import { runStepwise } from '../../run/progress.ts';

/** `dp table`: the expected increase in risk by population and epsilon, Table 1 of McClure & Reiter (2012). */
export function addIncreaseTable(dp: Command): void {
  const command = dp.command('table').description('expected increase in risk by population and epsilon (McClure and Reiter 2012, Table 1)');
  addPrivacyFlags(command, '0.001,0.3,0.5,0.999')
    .addHelpText(
      'after',
      `
A binary table of n records is synthesized once, as McClure and Reiter (2012) do: every synthetic record is a 1 with probability
(ones + alpha) / (n + 2 alpha), where alpha = 1 / (exp(epsilon / n) - 1). The intruder knows all records but one. The sum is
over all tables and datasets, so that there is no chance in it.

Examples:
  synthrisk dp table
  synthrisk dp table --json
  synthrisk dp table --p0 0.01,0.1 --epsilon 1,4 --n 5000 --prior 0.1`,
    )
    .action(async (flags: PrivacyFlags) => {
      const { json = false, quiet = false } = flags;
      const scenarios = privacyScenarios(flags);
      const table = await runStepwise('Sum over all tables and datasets', privacyUnits(scenarios), tabulateIncrease(scenarios), quiet);
      printIncreases(table, json);
    });
}
