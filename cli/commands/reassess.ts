import { join } from 'node:path';
import type { Command } from 'commander';
import { runKeys } from '../../shared/contracts/keys.ts';
import { readNamedPriors, refuseFilesOfRun } from '../../shared/pipeline/plan/named-files.ts';
import { refuseUnassessedRun } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { reassessmentConfig } from '../../shared/pipeline/plan/reassessment-config.ts';
import { holdResults } from '../../shared/pipeline/release/release-state.ts';
import { flagSettings, withStarter } from '../flags/flag-settings.ts';
import { addAcceptanceFlag, addScenarioFlags } from '../flags/risk-flags.ts';
import { addLocalFlags, type RunFlags } from '../flags/run-flags.ts';
import { printRun } from '../print/print-summary.ts';
import { runLocally } from '../run/local-run.ts';
import { openRun } from '../run/open-run.ts';
import { readConfigFile, readUserFile } from '../run/read-config.ts';

/** `reassess RUN`: a finished run under other scenarios, without new chains. */
export function addReassess(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('reassess')
    .description('look at a finished run under other scenarios and rules, without new chains')
    .argument('<run>', 'folder of a finished run of `evaluate` or `assess`');
  addAcceptanceFlag(addScenarioFlags(addLocalFlags(command)))
    .addHelpText(
      'after',
      `
Examples:
  synthrisk reassess runs/first --unknown INCOME,HEALTH     the intruder knows everything else
  synthrisk reassess runs/first --unknown INCOME --prior model   against what all others could model
  synthrisk reassess runs/first --config scenarios.yaml     attributeRisk.scenarios of the file
  synthrisk reassess runs/first --accept 'attributeRisk.probabilityMax <= 0.5'`,
    )
    .action(async (directory: string, flags: RunFlags) => {
      const reassessed = await openRun(directory);
      refuseUnassessedRun(reassessed.plan);
      await holdResults(reassessed.store, reassessed.plan.runId);
      const { attributeRisk, acceptance } = flagSettings(flags, undefined);
      const asked = await reassessmentConfig(reassessed.plan, {
        given: flags.config === undefined ? {} : await readConfigFile(flags.config),
        flags: { ...(attributeRisk === undefined ? {} : { attributeRisk }), ...(acceptance === undefined ? {} : { acceptance }) },
        read: readUserFile,
      });
      const config = withStarter(asked, flags);
      refuseFilesOfRun(config, reassessed.plan, directory);
      const { root, confidential } = runKeys(reassessed.plan.runId);
      const run = await runLocally(
        {
          reassessed,
          config,
          ...(await readNamedPriors(config, readUserFile)),
          ...(flags.batchSize ? { batchSize: flags.batchSize } : {}),
        },
        {
          ...flags,
          releaseKey: join(directory, confidential.releaseKey.slice(root.length)),
          resume: flags.resume ?? false,
          quiet: flags.quiet ?? false,
        },
      );
      exit(printRun(run, flags));
    });
}
