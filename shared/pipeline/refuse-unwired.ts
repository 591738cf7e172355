import type { Config } from '../contracts/config.ts';
import { UnsupportedOptionError } from '../contracts/errors.ts';

/**
 * Refuses what no step of a run carries out.
 *
 * @throws UnsupportedOptionError `unsupported-option`
 */
export function requireWired({ synthesis }: Config): void {
  const refused = (option: string) =>
    new UnsupportedOptionError('unsupported-option', `${option}: this version does not offer it.`);
  if (synthesis.missing === 'impute') throw refused('synthesis.missing: impute');
  if (synthesis.structuralZeros !== undefined) throw refused('synthesis.structuralZeros');
}
