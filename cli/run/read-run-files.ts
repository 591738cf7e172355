import { allPriorFiles, type Config, priorFiles } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { requireTable } from '../flags/flag-settings.ts';
import { readUserFile } from './read-config.ts';

/**
 * Reads the files that a run's config names.
 *
 * @throws InvalidConfigError as `readUserFile` does, and when no table is named
 */
export async function readRunFiles(
  config: Config,
): Promise<Pick<RunRequest, 'table' | 'structuralZeros' | 'control' | 'priorFiles' | 'knownFiles'>> {
  const { table, synthesis, attributeRisk } = config;
  const bytes = await readUserFile(requireTable(table));
  const zeros = synthesis.structuralZeros;
  const { control } = attributeRisk;
  const knownFiles = new Map<string, Uint8Array>();
  for (const { knows } of attributeRisk.scenarios) {
    if (typeof knows === 'object' && 'file' in knows) knownFiles.set(knows.file, await readUserFile(knows.file));
  }
  return {
    table: bytes,
    knownFiles,
    ...(zeros === undefined ? {} : { structuralZeros: await readUserFile(zeros) }),
    ...(control === undefined ? {} : { control: await readUserFile(control) }),
    ...(await readPriorFiles(config)),
  };
}

/** Reads the files of the priors of a config. */
export async function readPriorFiles(config: Config): Promise<Pick<RunRequest, 'priorFiles'>> {
  const files = allPriorFiles(config);
  return files.length === 0 ? {} : { priorFiles: await Promise.all(files.map(readUserFile)) };
}

type Scenario = Config['attributeRisk']['scenarios'][number];

/** The files of known records that a scenario names: one at most. */
const knownFiles = ({ knows }: Scenario) => (typeof knows === 'object' && 'file' in knows ? [knows.file] : []);

/** What to do in a command that takes a config file. */
const NAME_AGAIN = 'Name the scenarios with their files again (attributeRisk.scenarios in --config FILE).';

/**
 * Refuses settings that take files of priors or of known records over from a run: of these it has the digests alone, and no
 * paths from which they could be read again.
 *
 * @param config the run's settings, or those that override them
 * @param advice what to do instead
 * @throws InvalidConfigError `other-prior`, `other-known-records`
 */
export function refuseFilesOfRun(config: Config, { config: ofRun }: Plan, directory: string, advice = NAME_AGAIN): void {
  const { scenarios } = ofRun.attributeRisk;
  const digests = new Set(scenarios.flatMap((one) => [...priorFiles(one.prior), ...knownFiles(one)]));
  const refuse = (code: string, scenario: Scenario, what: string) => {
    throw new InvalidConfigError(
      code,
      `The scenario "${scenario.name}" of the run in ${directory} has ${what} from files, of which the run kept digests and no paths. ${advice}`,
    );
  };
  for (const scenario of config.attributeRisk.scenarios) {
    const taken = (files: readonly string[]) => files.some((file) => digests.has(file));
    if (taken(priorFiles(scenario.prior))) refuse('other-prior', scenario, 'a prior');
    if (taken(knownFiles(scenario))) refuse('other-known-records', scenario, 'known records');
  }
}
