import { allKnownFiles, allPriorFiles, type Config, priorFiles } from '../../contracts/config/config.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RunRequest } from './planned-run.ts';

/** The files that a config names beside the table, read by their paths. */
export async function readNamedFiles(
  config: Config,
  read: (path: string) => Promise<Uint8Array>,
): Promise<Pick<RunRequest, 'structuralZeros' | 'control' | 'priorFiles' | 'knownFiles'>> {
  const zeros = config.synthesis.structuralZeros;
  const { control } = config.attributeRisk;
  const known = await Promise.all(allKnownFiles(config).map(async (path) => [path, await read(path)] as const));
  return {
    knownFiles: new Map(known),
    ...(zeros === undefined ? {} : { structuralZeros: await read(zeros) }),
    ...(control === undefined ? {} : { control: await read(control) }),
    ...(await readNamedPriors(config, read)),
  };
}

/** The files of the priors of a config, in its order. */
export async function readNamedPriors(
  config: Config,
  read: (path: string) => Promise<Uint8Array>,
): Promise<Pick<RunRequest, 'priorFiles'>> {
  const files = allPriorFiles(config);
  return files.length === 0 ? {} : { priorFiles: await Promise.all(files.map(read)) };
}

type Scenario = Config['attributeRisk']['scenarios'][number];

/** The files of known records that a scenario names: one at most. */
const knownFiles = ({ knows }: Scenario) => (typeof knows === 'object' && 'file' in knows ? [knows.file] : []);

/** What to do in a command that takes a config file. */
const NAME_AGAIN = 'Name the scenarios with their files again (attributeRisk.scenarios in the config).';

/**
 * Refuses settings that take files of priors or of known records over from a run: of these it has the digests alone, and no
 * paths from which they could be read again.
 *
 * @param config the run's settings, or those that override them
 * @param advice what to do instead
 * @throws InvalidConfigError `other-prior`, `other-known-records`
 */
export function refuseFilesOfRun(config: Config, { config: ofRun }: Pick<Plan, 'config'>, place: string, advice = NAME_AGAIN): void {
  const { scenarios } = ofRun.attributeRisk;
  const digests = new Set(scenarios.flatMap((one) => [...priorFiles(one.prior), ...knownFiles(one)]));
  const refuse = (code: string, scenario: Scenario, what: string) => {
    throw new InvalidConfigError(
      code,
      `The scenario "${scenario.name}" of the run in ${place} has ${what} from files, of which the run kept digests and no paths. ${advice}`,
    );
  };
  for (const scenario of config.attributeRisk.scenarios) {
    const taken = (files: readonly string[]) => files.some((file) => digests.has(file));
    if (taken(priorFiles(scenario.prior))) refuse('other-prior', scenario, 'a prior');
    if (taken(knownFiles(scenario))) refuse('other-known-records', scenario, 'known records');
  }
}
