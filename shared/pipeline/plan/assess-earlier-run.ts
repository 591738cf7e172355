import { readDatasetRows, readDatasetSource } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import type { Config } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { completeConfig } from '../../contracts/settings/complete-config.ts';
import { differingSettings } from '../../contracts/settings/differing-settings.ts';
import { isSection, type Settings } from '../../contracts/settings/settings.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { chainOfDraw } from '../../model/chains/sample-chain.ts';
import { refuseFilesOfRun } from './named-files.ts';
import type { ReassessedRun } from './plan-reassessment.ts';
import type { GeneratedDataset, RunRequest } from './planned-run.ts';
import { keptPhi } from './reassessment-config.ts';

/** What of the chains of an earlier run holds beside what is given anew. */
function remainingNumbers(earlier: Settings, given: readonly Settings[]): Settings {
  const names = (...fields: readonly string[]) =>
    given.some(({ mcmc }) => isSection(mcmc) && fields.some((field) => mcmc[field] !== undefined));
  // A precision stands for a whole set of numbers: named anew, it goes before those of the earlier run.
  if (names('precision')) return {};
  // So does a number of chains before what decided them, and a new target is not held to the earlier limit.
  const { reproducibility, maxChains: _, ...numbers } = earlier;
  if (names('reproducibility', 'chains', 'pairedChains')) return numbers;
  return reproducibility === 'off' ? { ...numbers, reproducibility } : earlier;
}

/**
 * An earlier run's settings (if any), overridden layer by layer by what is given, with defaults for the rest.
 *
 * @throws InvalidConfigError listing every field that is wrong
 */
export function configOverEarlier(earlier: Settings, ...given: readonly Settings[]): Config {
  const { mcmc, attributeRisk, ...others } = earlier;
  const ofEarlier: Settings = { ...others };
  if (isSection(mcmc)) ofEarlier.mcmc = remainingNumbers(mcmc, given);
  if (isSection(attributeRisk)) {
    const { phi: _, ...risk } = attributeRisk;
    ofEarlier.attributeRisk = { ...risk, ...keptPhi(attributeRisk) };
  }
  return completeConfig(ofEarlier, ...given);
}

/**
 * Refuses a run whose datasets cannot be assessed from the draws that generated them: ask before its settings are completed.
 *
 * @param place what the run is called in messages
 * @throws InvalidConfigError `no-release`
 * @throws UnsupportedOptionError `exact-risk`
 */
export function refuseUnassessable(plan: Plan, place: string): void {
  const { method } = factsOf(plan.config.model);
  if (plan.purpose === 'calibrate') {
    throw new InvalidConfigError(
      'no-release',
      `The run in ${place} is a calibration: what it synthesized is of altered tables, and no release.`,
    );
  }
  if (method === 'grown') {
    throw new UnsupportedOptionError(
      'exact-risk',
      `The run in ${place} is of the model ${plan.config.model.name}, which has no draws to start from: evaluate gives the exact risk with the datasets. Files are assessed with the settings that made them (--synthetic FILE... --model cart), and the command identify measures their identification risk.`,
    );
  }
  if (method === 'counted') {
    throw new UnsupportedOptionError(
      'exact-risk',
      `The run in ${place} is of the model ${plan.config.model.name}, whose risk is exact: evaluate gives it with the datasets, and nothing is left to assess.`,
    );
  }
}

/**
 * Refuses settings that take over from a run files of which it kept digests and no paths: ask before files are read.
 *
 * @throws InvalidConfigError `other-structural-zeros`, `other-control`, and as `refuseFilesOfRun` does
 */
export function refuseFilesOfEarlier(config: Config, plan: Plan, place: string): void {
  const zerosOfRun = plan.config.synthesis.structuralZeros;
  if (zerosOfRun !== undefined && config.synthesis.structuralZeros === zerosOfRun) {
    throw new InvalidConfigError(
      'other-structural-zeros',
      `The run in ${place} has structural zeros: name their file as \`synthesis.structuralZeros\` in the settings (--structural-zeros FILE).`,
    );
  }
  refuseFilesOfRun(config, plan, place);
  const { control } = config.attributeRisk;
  if (control !== undefined && control === plan.config.attributeRisk.control) {
    throw new InvalidConfigError(
      'other-control',
      `The run in ${place} has a control, of which it kept a digest and no path: name its file, or another, as \`attributeRisk.control\` in the settings (--control FILE).`,
    );
  }
}

/** The datasets of an earlier run with the draws that generated them. */
async function generatedDatasets({ plan, store }: ReassessedRun): Promise<NonNullable<RunRequest['datasets']>> {
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

/** Checks that files are the datasets of a run, in order. */
async function requireDatasets({ plan, store }: ReassessedRun, files: readonly Uint8Array[]): Promise<void> {
  if (plan.datasets.origin !== 'synthesized') {
    throw new InvalidConfigError(
      'other-datasets',
      'That run made no datasets of its own: leave the files of datasets out (--synthetic), to take those that it assessed.',
    );
  }
  const keys = runKeys(plan.runId).release;
  const own = [];
  for (let l = 1; l <= plan.datasets.count; l++) own.push(await sha256(await store.get(keys.dataset(l))));
  const given = await Promise.all(files.map(sha256));
  if (given.join() !== own.join()) {
    throw new InvalidConfigError(
      'other-datasets',
      "The files of datasets (--synthetic) are not the datasets of that run, in their order. Leave the files out to take the run's own, or leave the run out (--run) to assess the files as made elsewhere.",
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
function refuseOtherSettings(config: Config, ofRun: Config, place: string): void {
  const differing = differingSettings(settingsOfDraws(config), settingsOfDraws(ofRun));
  const refuseIf = (differs: (setting: string) => boolean, code: string, message: string) => {
    if (differing.some(differs)) throw new InvalidConfigError(code, `The run in ${place} ${message}`);
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

/** What is assessed of an earlier run: its table and what goes with it, and its datasets as files where somebody named these. */
type Assessed = Pick<RunRequest, 'config' | 'table' | 'structuralZeros'> & { readonly files?: readonly Uint8Array[] };

/**
 * The datasets of an earlier run with the draws that generated them, for a request to assess them.
 *
 * @throws InvalidConfigError `other-table`, `other-structural-zeros`, `other-datasets`, `generating-draws-unknown`, `other-variables`,
 * `other-model`, `other-classes`, `other-synthesized`
 */
export async function datasetsOfEarlier(
  earlier: ReassessedRun,
  place: string,
  { config, files, structuralZeros, table }: Assessed,
): Promise<NonNullable<RunRequest['datasets']>> {
  const { plan } = earlier;
  if ((await sha256(table)) !== plan.table.sha256) throw new InvalidConfigError('other-table', `The run in ${place} is of another table.`);
  refuseOtherSettings(config, plan.config, place);
  if ((structuralZeros && (await sha256(structuralZeros))) !== plan.config.synthesis.structuralZeros) {
    throw new InvalidConfigError('other-structural-zeros', `The run in ${place} has other structural zeros, or none.`);
  }
  if (files) await requireDatasets(earlier, files);
  return generatedDatasets(earlier);
}
