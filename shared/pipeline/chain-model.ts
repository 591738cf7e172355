import type { Config } from '../contracts/config.ts';
import type { ModelSettings } from '../contracts/model.ts';

/** The settings of the DPMPM. Throws RangeError for a config of another model. */
export function dpmpmSettings({ model }: Config): ModelSettings & { name: 'dpmpm' } {
  if (model.name !== 'dpmpm') throw new RangeError(`the model ${model.name} has no latent classes`);
  return model;
}
