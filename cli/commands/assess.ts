import { join } from 'node:path';
import type { Command } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { refuseContradiction, synthpopSettings } from '../../shared/contracts/settings/synthpop.ts';
import { datasetsOfEarlier, refuseFilesOfEarlier, refuseUnassessable } from '../../shared/pipeline/plan/assess-earlier-run.ts';
import { flagSettings, withStarter } from '../flags/flag-settings.ts';
import { addBoundsFlag, addIdentificationFlags } from '../flags/identification-flags.ts';
import { addControlFlag, addGoalFlags, addRiskFlags } from '../flags/risk-flags.ts';
import { addCommonFlags, addModelFlags, addReportFlags, type RunFlags } from '../flags/run-flags.ts';
import { addUtilityFlags, addUtilityOffFlag } from '../flags/utility-flags.ts';
import { printRun } from '../print/print-summary.ts';
import { runLocally } from '../run/local-run.ts';
import { type OpenedRun, openRun } from '../run/open-run.ts';
import { readConfig, readConfigFile, readUserFile } from '../run/read-config.ts';
import { readRunFiles } from '../run/read-run-files.ts';

interface AssessFlags extends RunFlags {
  readonly synthetic?: string[];
  readonly run?: string;
  readonly synthpop?: string;
}

/** The file of a run's release key; a run that was fetched has left its key where it was made. */
async function keyOfRun({ plan, store }: OpenedRun, directory: string): Promise<{ releaseKey?: string }> {
  const { root, confidential } = runKeys(plan.runId);
  if ((await store.head(confidential.releaseKey)) === null) return {};
  return { releaseKey: join(directory, confidential.releaseKey.slice(root.length)) };
}

/** The settings by which synthpop made the datasets, which no file and no flag may contradict. */
async function settingsOfSynthpop({ synthpop, run, config }: AssessFlags, ofFlags: Settings): Promise<Settings | undefined> {
  if (synthpop === undefined) return undefined;
  if (run !== undefined) {
    throw new InvalidConfigError('synthpop-of-run', '--synthpop: a run knows how its datasets were made. Leave out --run or --synthpop.');
  }
  const found = synthpopSettings(await readUserFile(synthpop), synthpop);
  refuseContradiction(found, ofFlags);
  if (config !== undefined) refuseContradiction(found, await readConfigFile(config));
  return found;
}

/** `assess TABLE`: attribute risk of datasets made elsewhere, or by an earlier run. */
export function addAssess(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('assess')
    .description('attribute risk of datasets made elsewhere, or by an earlier run')
    .argument('[table]', 'confidential table, CSV, Parquet or Excel (.xlsx)')
    .option('--synthetic <file...>', 'synthetic datasets, CSV, Parquet or Excel (.xlsx)')
    .option('--synthpop <file>', "settings of synthpop's trees that made the datasets, as the R package writes them (JSON)")
    .option('--run <dir>', 'an earlier run: its datasets, and the draws that generated them as starting states');
  const described = addUtilityOffFlag(
    addUtilityFlags(addBoundsFlag(addIdentificationFlags(addModelFlags(addReportFlags(addCommonFlags(command)))))),
  );
  addGoalFlags(addControlFlag(addRiskFlags(described)))
    .addHelpText(
      'after',
      `
Examples:
  synthrisk assess table.csv --synthetic z1.csv z2.csv z3.csv
  synthrisk assess table.csv --synthetic z1.csv z2.csv --model cart --synthesized EDUC,INCOME_BAND
  synthrisk assess table.csv --synthetic z1.csv z2.csv --synthpop settings.json
  synthrisk assess table.csv --run synthrisk-runs/4f1c0a9b2d3e5f60 --seed 2
  synthrisk assess table.csv --run synthrisk-runs/4f1c0a9b2d3e5f60 --control others.csv`,
    )
    .action(async (table: string | undefined, flags: AssessFlags) => {
      if (!flags.synthetic && !flags.run) {
        throw new InvalidConfigError('no-datasets', 'Name the datasets: --synthetic FILE..., or --run DIR.');
      }
      const earlier = flags.run ? await openRun(flags.run) : undefined;
      if (earlier) refuseUnassessable(earlier.plan, flags.run!);
      const settings = flagSettings(flags, table);
      const config = withStarter(
        await readConfig(flags.config, settings, (await settingsOfSynthpop(flags, settings)) ?? earlier?.plan.config),
        flags,
      );
      if (earlier) refuseFilesOfEarlier(config, earlier.plan, flags.run!);
      const own = await readRunFiles(config);
      const files = await Promise.all((flags.synthetic ?? []).map(readUserFile));
      const run = await runLocally(
        {
          purpose: 'assess',
          config,
          ...own,
          datasets: earlier
            ? await datasetsOfEarlier(earlier, flags.run!, { config, ...own, ...(flags.synthetic ? { files } : {}) })
            : { origin: 'elsewhere', files },
          ...(flags.batchSize ? { batchSize: flags.batchSize } : {}),
        },
        {
          ...flags,
          ...(earlier && !flags.releaseKey ? await keyOfRun(earlier, flags.run!) : {}),
          resume: flags.resume ?? false,
          quiet: flags.quiet ?? false,
        },
      );
      exit(printRun(run, flags));
    });
}
