import { join } from 'node:path';
import type { Command } from 'commander';
import { readDatasetRows, readDatasetSource } from '../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../shared/artifacts/stored-draws.ts';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { factsOf } from '../../shared/contracts/models/models.ts';
import { differingSettings } from '../../shared/contracts/settings/differing-settings.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { refuseContradiction, synthpopSettings } from '../../shared/contracts/settings/synthpop.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { chainOfDraw } from '../../shared/model/chains/sample-chain.ts';
import { refuseFilesOfRun } from '../../shared/pipeline/plan/named-files.ts';
import type { GeneratedDataset, RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { flagSettings, withStarter } from '../flags/flag-settings.ts';
import { addBoundsFlag, addIdentificationFlags } from '../flags/identification-flags.ts';
import { addControlFlag, addGoalFlags, addRiskFlags } from '../flags/risk-flags.ts';
import { addCommonFlags, addModelFlags, type RunFlags } from '../flags/run-flags.ts';
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

/** The datasets of an earlier run with the draws that generated them. */
async function generatedDatasets({ plan, store }: OpenedRun): Promise<NonNullable<RunRequest['datasets']>> {
  if (plan.datasets.origin === 'elsewhere') {
    throw new InvalidConfigError(
      'generating-draws-unknown',
      'That run assessed datasets made elsewhere, and does not know the draws that generated them.',
    );
  }
  const generated: GeneratedDataset[] = [];
  for (let l = 1; l <= plan.datasets.count; l++) {
    const rows = await readDatasetRows(store, plan, l);
    const source = await readDatasetSource(store, plan.runId, l);
    const draws = await readDraws(store, plan.runId, source.chain!);
    generated.push({ rows, source, generatingDraw: chainOfDraw(draws, source.draw!) });
  }
  return { origin: 'run', runId: plan.runId, generated };
}

/** The file of a run's release key; a run that was fetched has left its key where it was made. */
async function keyOfRun({ plan, store }: OpenedRun, directory: string): Promise<{ releaseKey?: string }> {
  const { root, confidential } = runKeys(plan.runId);
  if ((await store.head(confidential.releaseKey)) === null) return {};
  return { releaseKey: join(directory, confidential.releaseKey.slice(root.length)) };
}

/** Checks that files are the datasets of a run, in order. */
async function requireDatasets({ plan, store }: OpenedRun, files: readonly Uint8Array[]): Promise<void> {
  if (plan.datasets.origin !== 'synthesized') {
    throw new InvalidConfigError(
      'other-datasets',
      'That run made no datasets of its own: leave out --synthetic to take those that it assessed.',
    );
  }
  const keys = runKeys(plan.runId).release;
  const own = [];
  for (let l = 1; l <= plan.datasets.count; l++) own.push(await sha256(await store.get(keys.dataset(l))));
  const given = await Promise.all(files.map(sha256));
  if (given.join() !== own.join()) {
    throw new InvalidConfigError(
      'other-datasets',
      "The files given with --synthetic are not the datasets of that run, in their order. Leave out --synthetic to take the run's own, or --run to assess the files as made elsewhere.",
    );
  }
}

/** What of a run its datasets and draws rest on, besides its table. */
const settingsOfDraws = ({ variables, missingCodes, numbers, count, model, synthesis }: Config) => ({
  variables,
  reading: { missingCodes, numbers, count },
  model,
  synthesis,
});

/**
 * Refuses settings under which datasets and draws of a run cannot be assessed. Others may differ.
 *
 * @throws InvalidConfigError `other-variables`, `other-model`, `other-classes`, `other-synthesized`
 */
function refuseOtherSettings(config: Config, ofRun: Config, directory: string): void {
  const differing = differingSettings(settingsOfDraws(config), settingsOfDraws(ofRun));
  const refuseIf = (differs: (setting: string) => boolean, code: string, message: string) => {
    if (differing.some(differs)) throw new InvalidConfigError(code, `The run in ${directory} ${message}`);
  };
  const isCalled = (name: string) => (setting: string) => setting === name;
  refuseIf(
    (setting) => /^(variables|reading)\./.test(setting) || setting === 'synthesis.missing',
    'other-variables',
    'read its table with other settings of `variables`, `missingCodes`, `numbers`, `count` or `synthesis.missing`: leave them out, to take its own.',
  );
  refuseIf(
    isCalled('model.name'),
    'other-model',
    `is of the model ${ofRun.model.name}; its draws cannot start chains of ${config.model.name}.`,
  );
  // Of one model from here on.
  const classesOf = ({ model }: Config) => ('classes' in model ? model.classes : 0);
  refuseIf(
    isCalled('model.classes'),
    'other-classes',
    `has ${classesOf(ofRun)} classes; its draws cannot start chains with ${classesOf(config)}.`,
  );
  refuseIf(
    isCalled('synthesis.synthesized'),
    'other-synthesized',
    'synthesized other variables: leave `synthesis.synthesized` out, to take its own.',
  );
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
  const described = addUtilityOffFlag(addUtilityFlags(addBoundsFlag(addIdentificationFlags(addModelFlags(addCommonFlags(command))))));
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
      if (earlier?.plan.purpose === 'calibrate') {
        throw new InvalidConfigError(
          'no-release',
          `The run in ${flags.run} is a calibration: what it synthesized is of altered tables, and no release.`,
        );
      }
      if (earlier && factsOf(earlier.plan.config.model).method === 'grown') {
        throw new UnsupportedOptionError(
          'exact-risk',
          `The run in ${flags.run} is of the model ${earlier.plan.config.model.name}, which has no draws to start from: evaluate gives the exact risk with the datasets. Files are assessed with the settings that made them (--synthetic FILE... --model cart), and the command identify measures their identification risk.`,
        );
      }
      if (earlier && factsOf(earlier.plan.config.model).method === 'counted') {
        throw new UnsupportedOptionError(
          'exact-risk',
          `The run in ${flags.run} is of the model ${earlier.plan.config.model.name}, whose risk is exact: evaluate gives it with the datasets, and nothing is left to assess.`,
        );
      }
      const settings = flagSettings(flags, table);
      const config = withStarter(
        await readConfig(flags.config, settings, (await settingsOfSynthpop(flags, settings)) ?? earlier?.plan.config),
        flags,
      );
      const zerosOfRun = earlier?.plan.config.synthesis.structuralZeros;
      if (zerosOfRun !== undefined && config.synthesis.structuralZeros === zerosOfRun) {
        throw new InvalidConfigError(
          'other-structural-zeros',
          `The run in ${flags.run} has structural zeros: name their file (--structural-zeros).`,
        );
      }
      if (earlier) refuseFilesOfRun(config, earlier.plan, flags.run!);
      const { control } = config.attributeRisk;
      if (control !== undefined && control === earlier?.plan.config.attributeRisk.control) {
        throw new InvalidConfigError(
          'other-control',
          `The run in ${flags.run} has a control, of which it kept a digest and no path: name its file, or another (--control FILE).`,
        );
      }
      const own = await readRunFiles(config);
      const files = await Promise.all((flags.synthetic ?? []).map(readUserFile));
      if (earlier) {
        if ((await sha256(own.table)) !== earlier.plan.table.sha256) {
          throw new InvalidConfigError('other-table', `The run in ${flags.run} is of another table.`);
        }
        refuseOtherSettings(config, earlier.plan.config, flags.run!);
        const zeros = own.structuralZeros && (await sha256(own.structuralZeros));
        if (zeros !== zerosOfRun) {
          throw new InvalidConfigError('other-structural-zeros', `The run in ${flags.run} has other structural zeros, or none.`);
        }
        if (flags.synthetic) await requireDatasets(earlier, files);
      }
      const run = await runLocally(
        {
          purpose: 'assess',
          config,
          ...own,
          datasets: earlier ? await generatedDatasets(earlier) : { origin: 'elsewhere', files },
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
