import { type Config, priorFiles } from '../../shared/contracts/config/config.ts';
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
}: Config): Promise<Pick<RunRequest, 'table' | 'structuralZeros' | 'priorFiles'>> {
  const bytes = await readUserFile(requireTable(table));
  const zeros = synthesis.structuralZeros;
  const ofPrior = priorFiles(attributeRisk.prior);
  return {
    table: bytes,
    ...(zeros === undefined ? {} : { structuralZeros: await readUserFile(zeros) }),
    ...(ofPrior.length === 0 ? {} : { priorFiles: await Promise.all(ofPrior.map(readUserFile)) }),
  };
}
