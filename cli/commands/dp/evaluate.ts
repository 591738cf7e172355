import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { runKeys } from '../../../shared/contracts/keys.ts';
import type { PrivacyEvaluation } from '../../../shared/contracts/results/differential-privacy.ts';
import { VERSION } from '../../../shared/contracts/version.ts';
import { DP_EVALUATE, storePrivacy } from '../../../shared/pipeline/results/store-privacy.ts';
import { evaluatePrivacy, privacyUnits } from '../../../shared/risk/privacy/evaluate-privacy.ts';
import { FileStore } from '../../../shared/storage/file-store.ts';
import { positiveNumber, wholeNumber } from '../../flags/parse-flag.ts';
import { addPrivacyFlags, type PrivacyFlags, privacyScenarios } from '../../flags/privacy-flags.ts';
import { printPrivacy } from '../../print/print-privacy.ts';
import { RUNS_FOLDER } from '../../run/place-key.ts';
import { runStepwise } from '../../run/progress.ts';
import { requireEmptyFolder } from '../../run/run-folder.ts';

interface EvaluateFlags extends PrivacyFlags {
  readonly replicates: number;
  readonly seed: number;
  readonly out?: string;
}

/** `dp evaluate`: the simulations of McClure & Reiter (2012), with their Figures 1 to 4. */
export function addPrivacyEvaluation(dp: Command): void {
  const command = dp
    .command('evaluate')
    .description('risk and utility of simulated tables under several epsilons (McClure and Reiter 2012, Figures 1 to 4)');
  addPrivacyFlags(command, '0.5,0.001')
    .addOption(new Option('--replicates <n>', 'tables simulated for each population and epsilon').argParser(positiveNumber).default(10))
    .addOption(new Option('--seed <n>', 'the same seed gives the same tables').argParser(wholeNumber).default(1))
    .option('--out <dir>', `empty folder of the figures (default: ${RUNS_FOLDER}/dp-<seed>)`)
    .addHelpText(
      'after',
      `
Of every table that is simulated, with one synthetic dataset: the absolute risk R of a record with the value 1 (of a 0 where
there is none), the relative risk RR, both under every prior, and the utility U. The tables are nobody's, and so nothing
that is written is confidential.

Examples:
  synthrisk dp evaluate --out privacy
  synthrisk dp evaluate --p0 0.01 --epsilon 1,4 --replicates 100 --seed 7 --out rare --json`,
    )
    .action(async (flags: EvaluateFlags) => {
      const { json = false, quiet = false, replicates, seed } = flags;
      const scenarios = privacyScenarios(flags);
      const directory = flags.out ?? join(RUNS_FOLDER, `dp-${seed}`);
      await requireEmptyFolder(directory);
      const found = await runStepwise(
        'Simulate tables, and sum over all of them',
        privacyUnits(scenarios, replicates),
        evaluatePrivacy(scenarios, replicates, seed),
        quiet,
      );
      const evaluation: PrivacyEvaluation = { version: VERSION, ...found };
      await storePrivacy(new FileStore(directory, runKeys(DP_EVALUATE).root), evaluation);
      printPrivacy(directory, evaluation, json);
    });
}
