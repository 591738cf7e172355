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
}: Config): Promise<Pick<RunRequest, 'table' | 'structuralZeros'>> {
  const bytes = await readUserFile(requireTable(table));
  if (synthesis.structuralZeros === undefined) return { table: bytes };
  return { table: bytes, structuralZeros: await readUserFile(synthesis.structuralZeros) };
}
