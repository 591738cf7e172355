import type { Config } from '../../shared/contracts/config/config.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { requireTable } from '../flags/flag-settings.ts';
import { readUserFile } from './read-config.ts';

/**
 * Reads the files that a run's config names.
 *
 * @throws InvalidConfigError as `readUserFile` does, and when no table is named
 */
export async function readRunFiles({
  table,
  synthesis,
  attributeRisk,
}: Config): Promise<Pick<RunRequest, 'table' | 'structuralZeros' | 'knownFiles'>> {
  const bytes = await readUserFile(requireTable(table));
  const knownFiles = new Map<string, Uint8Array>();
  for (const { knows } of attributeRisk.scenarios) {
    if (typeof knows === 'object' && 'file' in knows)
      knownFiles.set(knows.file, await readUserFile(knows.file));
  }
  const files = { table: bytes, knownFiles };
  if (synthesis.structuralZeros === undefined) return files;
  return { ...files, structuralZeros: await readUserFile(synthesis.structuralZeros) };
}
