import { encodeJson } from '../../artifacts/stored-json.ts';
import { calibrationSettings, withPriorFiles } from '../../contracts/config/config.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import { VERSION } from '../../contracts/version.ts';
import type { PlannedDatasets } from './plan-datasets.ts';
import type { RunRequest } from './planned-run.ts';

/** What a run is called, and the settings that can change its results. */
export interface RunIdentity {
  readonly runId: string;
  readonly config: Plan['config'];
}

/**
 * The run's id is of the table, the datasets, the config and the version: whatever can change a result but the release
 * key, under the key of the place.
 *
 * @param zerosSha256 of the structural zeros, if there are some
 * @param priorSha256 of the files of the prior, in order
 */
export async function runIdentity(
  { purpose, config, placeKey }: RunRequest,
  tableSha256: string,
  zerosSha256: string | undefined,
  priorSha256: readonly string[],
  { hashes: datasetHashes, figures }: PlannedDatasets,
): Promise<RunIdentity> {
  // Which files they are counts, not where they were found.
  const found = priorSha256.length === 0 ? config : withPriorFiles(config, priorSha256);
  const { table: _, calibration: __, attack: ___, ...named } = found;
  const zeros = zerosSha256 === undefined ? {} : { structuralZeros: zerosSha256 };
  const settings = { ...named, synthesis: { ...config.synthesis, ...zeros } };
  const identity = purpose === 'calibrate' ? { ...settings, calibration: calibrationSettings(config) } : settings;
  const runId = await keyedRunId(placeKey, encodeJson({ version: VERSION, purpose, tableSha256, datasetHashes, config: identity }));
  return { runId, config: { ...identity, synthesis: { ...identity.synthesis, datasets: figures.count } } };
}
