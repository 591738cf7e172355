import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { completeConfig, parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { refuseContradiction, synthpopSettings } from '../../shared/contracts/settings/synthpop.ts';
import {
  configOverEarlier,
  datasetsOfEarlier,
  refuseFilesOfEarlier,
  refuseUnassessable,
} from '../../shared/pipeline/plan/assess-earlier-run.ts';
import { readNamedFiles } from '../../shared/pipeline/plan/named-files.ts';
import type { ReassessedRun } from '../../shared/pipeline/plan/plan-reassessment.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import type { Chosen } from './questions.ts';

/** A run whose datasets are assessed. */
type NamedRun = ReassessedRun & { readonly name: string };

/** What the settings are called where they are saved. */
export const SETTINGS_FILE = 'run.yaml';

/** The settings in a text. Throws InvalidConfigError. */
export const parseText = (text: string): Settings => parseSettings(new TextEncoder().encode(text), SETTINGS_FILE);

/** How synthpop made the datasets, by the file that its R package writes. */
const SYNTHPOP_FILE = /\.json$/i;

/** The settings of a person, with those of synthpop below them where there is a file of these. */
function settingsOf({ settings, files }: Chosen): Settings[] {
  const own = parseText(settings);
  const synthpop = [...files].find(([name]) => SYNTHPOP_FILE.test(name));
  if (synthpop === undefined) return [own];
  const found = synthpopSettings(synthpop[1], synthpop[0]);
  refuseContradiction(found, own);
  return [found, own];
}

/** The config of what was chosen, over that of the run whose datasets are assessed. Throws InvalidConfigError, UnsupportedOptionError. */
export function configOf(chosen: Chosen, earlier?: NamedRun): Config {
  const given = [...settingsOf(chosen), { table: chosen.name }];
  if (earlier === undefined) return completeConfig(...given);
  refuseUnassessable(earlier.plan, earlier.name);
  const config = configOverEarlier(earlier.plan.config, ...given);
  refuseFilesOfEarlier(config, earlier.plan, earlier.name);
  return config;
}

/** Reads a file that the settings name from those that were chosen. */
export const readChosen =
  (files: ReadonlyMap<string, Uint8Array>) =>
  async (path: string): Promise<Uint8Array> => {
    const bytes = files.get(path);
    if (bytes === undefined) throw new InvalidConfigError('unreadable-file', `The settings name ${path}: choose that file as well.`);
    return bytes;
  };

/** What a run is asked to do, but for its keys: an evaluation, or where there are datasets from elsewhere or of a run an assessment of these. */
export async function requestOf(
  chosen: Chosen,
  earlier?: NamedRun,
  config = configOf(chosen, earlier),
): Promise<Omit<RunRequest, 'placeKey' | 'releaseKey'>> {
  const { files, synthetic, table } = chosen;
  const named = await readNamedFiles(config, readChosen(files));
  if (earlier !== undefined) {
    const own = synthetic.length === 0 ? {} : { files: synthetic.map(({ bytes }) => bytes) };
    const datasets = await datasetsOfEarlier(earlier, earlier.name, { config, table, ...named, ...own });
    return { purpose: 'assess', datasets, config, table, ...named };
  }
  const asked =
    synthetic.length === 0
      ? { purpose: 'evaluate' as const }
      : { purpose: 'assess' as const, datasets: { origin: 'elsewhere' as const, files: synthetic.map(({ bytes }) => bytes) } };
  return { ...asked, config, table, ...named };
}
