import { allPriorFiles, type Config } from '../../shared/contracts/config/config.ts';
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
): Promise<Pick<RunRequest, 'table' | 'structuralZeros' | 'priorFiles' | 'knownFiles'>> {
  const { table, synthesis, attributeRisk } = config;
  const bytes = await readUserFile(requireTable(table));
  const zeros = synthesis.structuralZeros;
  const knownFiles = new Map<string, Uint8Array>();
  for (const { knows } of attributeRisk.scenarios) {
    if (typeof knows === 'object' && 'file' in knows)
      knownFiles.set(knows.file, await readUserFile(knows.file));
  }
  return {
    table: bytes,
    knownFiles,
    ...(zeros === undefined ? {} : { structuralZeros: await readUserFile(zeros) }),
    ...(await readPriorFiles(config)),
  };
}

/** Reads the files of the priors of a config. */
export async function readPriorFiles(config: Config): Promise<Pick<RunRequest, 'priorFiles'>> {
  const files = allPriorFiles(config);
  return files.length === 0 ? {} : { priorFiles: await Promise.all(files.map(readUserFile)) };
}
