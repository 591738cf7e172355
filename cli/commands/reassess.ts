import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { keptRules } from '../../shared/contracts/settings/acceptance-rule.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { refuseUnassessedRun } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { flagSettings, withStarter } from '../flags/flag-settings.ts';
import { addAcceptanceFlag, addScenarioFlags } from '../flags/risk-flags.ts';
import { addLocalFlags, type RunFlags } from '../flags/run-flags.ts';
import { printRun } from '../print/print-summary.ts';
import { differingSettings } from '../run/differing-settings.ts';
import { runLocally } from '../run/local-run.ts';
import { type OpenedRun, openRun } from '../run/open-run.ts';
import { keptPhi, readConfigFile, readUserFile } from '../run/read-config.ts';
import { readPriorFiles, refuseFilesOfRun } from '../run/read-run-files.ts';

/** What a run has decided for good: where a config file says something of it, it has to say the same. */
const decided = ({ variables, missingCodes, numbers, count, model, mcmc, synthesis }: Config) => {
  // The file of structural zeros is known to the run by its digest.
  const { structuralZeros: _, ...others } = synthesis;
  return { variables, reading: { missingCodes, numbers, count }, model, mcmc, synthesis: others };
};

/**
 * The config of a run with other scenarios: the run's own, overridden by a file and by flags. Its rules stay, but for those
 * on a scenario that there is no more.
 */
async function otherScenarios({ plan }: OpenedRun, file: string | undefined, flags: Settings): Promise<Config> {
  const { mcmc, table: _, seed, attributeRisk, ...own } = plan.config;
  // What follows from the scenarios is decided anew.
  const { phi: __, acceptanceRegion: ___, ...risk } = attributeRisk;
  const ofRun = { ...own, acceptance: [], attributeRisk: { ...risk, ...keptPhi(attributeRisk) } };
  const given = file === undefined ? {} : await readConfigFile(file);
  const whole = completeConfig(given);
  const differing = differingSettings(
    Object.fromEntries(Object.entries(decided(whole)).filter(([section]) => section in given)),
    decided(plan.config),
  );
  if (differing.length > 0) {
    throw new InvalidConfigError(
      'other-settings',
      `That run was carried out with other settings of ${differing.join(', ')}, which a reassessment cannot change: leave them out, or evaluate the table again.`,
    );
  }
  const { attributeRisk: ofFile, acceptance } = given;
  const anew = { ...(ofFile === undefined ? {} : { attributeRisk: ofFile }), ...(acceptance ? { acceptance } : {}) };
  const { scenarios } = completeConfig(ofRun, anew, flags).attributeRisk;
  const { acceptance: rules, acceptanceRegion } = keptRules(
    plan.config,
    scenarios.map(({ name }) => name),
  );
  const withRules = { ...ofRun, acceptance: rules, attributeRisk: { ...ofRun.attributeRisk, acceptanceRegion } };
  const complete = completeConfig(withRules, anew, flags);
  await refuseOtherControl(complete, plan.config);
  return { ...complete, seed, mcmc };
}

/** Refuses a control that is not that of the run, which stays (InvalidConfigError `other-control`). */
async function refuseOtherControl({ attributeRisk: { control } }: Config, ofRun: Config): Promise<void> {
  const own = ofRun.attributeRisk.control;
  if (control === own || (control !== undefined && (await sha256(await readUserFile(control))) === own)) return;
  throw new InvalidConfigError(
    'other-control',
    'That run has another control, or none, which a reassessment cannot change: leave attributeRisk.control out, or evaluate the table again.',
  );
}

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
      const { attributeRisk, acceptance } = flagSettings(flags, undefined);
      const asked = await otherScenarios(reassessed, flags.config, {
        ...(attributeRisk === undefined ? {} : { attributeRisk }),
        ...(acceptance === undefined ? {} : { acceptance }),
      });
      const config = withStarter(asked, flags);
      refuseFilesOfRun(config, reassessed.plan, directory);
      const { root, confidential } = runKeys(reassessed.plan.runId);
      const run = await runLocally(
        { reassessed, config, ...(await readPriorFiles(config)), ...(flags.batchSize ? { batchSize: flags.batchSize } : {}) },
        {
          ...flags,
          releaseKey: join(directory, confidential.releaseKey.slice(root.length)),
          resume: flags.resume ?? false,
          quiet: flags.quiet ?? false,
        },
      );
      exit(printRun(run, flags.json ?? false));
    });
}
