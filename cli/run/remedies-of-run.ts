import { type Config, withControl } from '../../shared/contracts/config/config.ts';
import { densityFields } from '../../shared/contracts/continuous.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { factsOf } from '../../shared/contracts/models/models.ts';
import type { Remedies } from '../../shared/contracts/results/remedies.ts';
import { parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { isSection, type Settings } from '../../shared/contracts/settings/settings.ts';
import { type AssessedRemedy, compareRemedies } from '../../shared/pipeline/results/compare-remedies.ts';
import type { Concentration } from '../flags/remedy-flags.ts';
import { type LocalOptions, type LocalRequest, runLocally } from './local-run.ts';
import type { OpenedRun } from './open-run.ts';
import { readConfig, readUserFile } from './read-config.ts';

/** One way to lower risk: what of a run's settings is different. */
export interface Remedy {
  /** Name of its folder. */
  readonly name: string;
  /** In words. */
  readonly setting: string;
  readonly settings: Settings;
}

/**
 * Another release with nothing different: records that were named because one release gave them a high risk have less in
 * any other, so that remedies are to be held against this.
 */
const AGAIN: Remedy = { name: 'again', setting: 'as it is, another release', settings: {} };

/** What a person asks to see side by side. */
export interface RemedyRequest {
  readonly datasets?: readonly number[];
  readonly concentration?: readonly Concentration[];
  /** Name of a config file whose variables have categories to merge. */
  readonly merge?: string;
  /** Numbers to put in bands: where these begin, by variable. */
  readonly breaks?: Readonly<Record<string, readonly number[]>>;
}

/**
 * The remedies that are asked for, and before them another release with nothing different.
 *
 * @param config of the run whose risk is to be lowered
 * @throws InvalidConfigError `no-remedies`, `repeated-remedy`, and what {@link readMerge} and {@link inBands} throw
 */
export async function remediesOf(request: RemedyRequest, config: Config): Promise<Remedy[]> {
  const { datasets = [], concentration = [], merge, breaks } = request;
  const remedies: Remedy[] = [
    ...datasets.map((m) => ({
      name: `datasets-${m}`,
      setting: `${m} ${m === 1 ? 'dataset' : 'datasets'}`,
      settings: { synthesis: { datasets: m } },
    })),
    ...concentration.map((prior) => {
      const isFixed = 'value' in prior;
      return {
        name: `concentration-${isFixed ? prior.value : `${prior.shape}-${prior.rate}`}`,
        setting: isFixed ? `concentration ${prior.value}` : `concentration Gamma(${prior.shape}, ${prior.rate})`,
        settings: { model: { concentration: prior } },
      };
    }),
    ...(merge === undefined
      ? []
      : [{ name: 'fewer-categories', setting: 'fewer categories', settings: { variables: await readMerge(merge, config) } }]),
    ...(breaks === undefined ? [] : [{ name: 'bands', setting: 'numbers in bands', settings: { variables: inBands(breaks, config) } }]),
  ];
  if (remedies.length === 0) {
    throw new InvalidConfigError('no-remedies', 'Name at least one remedy: --datasets, --concentration, --merge or --breaks.');
  }
  if (new Set(remedies.map(({ name }) => name)).size < remedies.length) {
    throw new InvalidConfigError('repeated-remedy', 'A number of datasets or a concentration is named twice.');
  }
  return [AGAIN, ...remedies];
}

/**
 * The variables of a run with the categories that a file merges.
 *
 * @throws InvalidConfigError `malformed-merge` when it holds anything else
 */
async function readMerge(path: string, { variables }: Config): Promise<Settings> {
  const { variables: merged, ...others } = parseSettings(await readUserFile(path), path);
  const isFilled = (section: unknown) => isSection(section) && Object.keys(section).length > 0;
  const isMerge = (own: unknown) => isSection(own) && Object.keys(own).join() === 'merge' && isFilled(own.merge);
  if (Object.keys(others).length > 0 || !isSection(merged) || !isFilled(merged) || !Object.values(merged).every(isMerge)) {
    throw new InvalidConfigError(
      'malformed-merge',
      '--merge: expected a file that holds variables with categories to merge and nothing else, as `variables: { INCOME: { merge: { other: ["5", "6"] } } }`.',
    );
  }
  const own = Object.entries(merged).map(([name, merge]) => [name, { ...variables[name], ...(merge as Settings) }]);
  return { ...variables, ...Object.fromEntries(own) };
}

/** What is declared of a density, which a number in bands has none of. */
const NO_DENSITY = Object.fromEntries(Object.keys(densityFields).map((field) => [field, undefined]));

/**
 * Some variables in bands.
 *
 * @throws InvalidConfigError `divided-bands` where a band of the run lies in two: nobody could say in which its records are
 */
function inBands(breaks: NonNullable<RemedyRequest['breaks']>, { variables }: Config): Settings {
  for (const [name, from] of Object.entries(breaks)) {
    const own = variables[name]?.breaks;
    if (own === undefined || from.every((begin) => own.includes(begin))) continue;
    throw new InvalidConfigError(
      'divided-bands',
      `--breaks: the run has \`${name}\` in bands, and a remedy makes fewer of them: begin each where one of the run's begins (${own.join(', ')}).`,
    );
  }
  return Object.fromEntries(Object.entries(breaks).map(([name, from]) => [name, { ...NO_DENSITY, breaks: from }]));
}

/**
 * Refuses runs that have no remedies to compare.
 *
 * @throws InvalidConfigError `no-evaluation`; UnsupportedOptionError `no-attribute-risk`, `remedies-without-chains`,
 * `remedies-with-zeros`
 */
export function requireRemediable({ plan }: OpenedRun, directory: string): void {
  const { purpose, candidatesPerCombination, config } = plan;
  if (purpose !== 'evaluate') {
    throw new InvalidConfigError('no-evaluation', `The run in ${directory} is no evaluation of its own datasets.`);
  }
  if (candidatesPerCombination === 0) {
    throw new UnsupportedOptionError('no-attribute-risk', `The run in ${directory} has no attribute risk to lower.`);
  }
  if (factsOf(config.model).method !== 'sampled') {
    throw new UnsupportedOptionError(
      'remedies-without-chains',
      `Remedies are offered for models with chains, not for ${config.model.name}. Evaluate the table with other settings (synthrisk evaluate), and compare the runs (synthrisk compare).`,
    );
  }
  if (config.synthesis.structuralZeros !== undefined) {
    throw new UnsupportedOptionError('remedies-with-zeros', 'Remedies are not offered for a run with structural zeros.');
  }
}

/** Remedies with the settings of each. */
interface RemedyRequests {
  readonly remedies: readonly { readonly remedy: Remedy; readonly config: Config }[];
  /** Bytes of the run's table. */
  readonly table: LocalRequest['table'];
}

/**
 * Carries the remedies of a run out, each as an evaluation in a folder of its own, and puts them beside the run.
 *
 * @param looked combinations, or records, of the run that are looked at by themselves, and by name the scenario of all figures
 * @param folderOf where a remedy's run is
 * @param announce called before each of them
 */
export async function runRemedies(
  { plan, store }: OpenedRun,
  { remedies, table }: RemedyRequests,
  looked: { readonly named: readonly number[]; readonly scenario?: string },
  options: Omit<LocalOptions, 'out'> & { readonly folderOf: (name: string) => string },
  announce: (remedy: Remedy, number: number) => void,
): Promise<Remedies> {
  const { folderOf, ...others } = options;
  const runs: AssessedRemedy[] = [{ name: null, setting: 'as it is', store, runId: plan.runId }];
  for (const [at, { remedy, config }] of remedies.entries()) {
    announce(remedy, at + 1);
    const { name, setting } = remedy;
    const request: LocalRequest = { purpose: 'evaluate', config, table };
    const run = await runLocally(request, { ...others, out: folderOf(name) });
    runs.push({ name, setting, store: run.store, runId: run.state.runId });
  }
  return compareRemedies(runs, looked.named, looked.scenario);
}

/**
 * The settings of a remedy: those of the run, but for what is different.
 *
 * @param precision of all remedies, if another than that of the run is asked for
 * @throws what `readConfig` throws
 */
export function configOfRemedy({ settings }: Remedy, config: Config, table: string, precision: string | undefined): Promise<Config> {
  // Rules judge the run itself; how remedies compare is in their table.
  const given = { ...settings, table, acceptance: [], mcmc: { precision } };
  // Nothing that is compared is about people who are not in the table, of whom the run has no file.
  return readConfig(undefined, given, withControl(config, undefined));
}
