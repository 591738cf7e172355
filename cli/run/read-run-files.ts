import type { Config } from '../../shared/contracts/config/config.ts';
import { readNamedFiles } from '../../shared/pipeline/plan/named-files.ts';
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
  return { table: await readUserFile(requireTable(config.table)), ...(await readNamedFiles(config, readUserFile)) };
}
