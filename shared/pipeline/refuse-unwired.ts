import type { Config } from '../contracts/config.ts';
import { UnsupportedOptionError } from '../contracts/errors.ts';
import type { ModelSettings } from '../contracts/model.ts';

/**
 * The settings of the run's model.
 *
 * @throws UnsupportedOptionError for what no step of a run carries out
 */
export function requireWired({ model, synthesis, identification }: Config): ModelSettings & {
  name: 'dpmpm';
} {
  const refused = (option: string) =>
    new UnsupportedOptionError('unsupported-option', `${option}: this version does not offer it.`);
  if (model.name !== 'dpmpm') throw refused(`model.name: ${model.name}`);
  if (synthesis.missing === 'impute') throw refused('synthesis.missing: impute');
  if (synthesis.structuralZeros !== undefined) throw refused('synthesis.structuralZeros');
  if (identification.length > 0) throw refused('identification');
  return model;
}
