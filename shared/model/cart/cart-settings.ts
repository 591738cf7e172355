import type { Config } from '../../contracts/config/config.ts';
import { settingsOf } from '../../contracts/models/models.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { CartSettings } from './synthesis.ts';

/** How a run grows its trees. Throws RangeError for another model. */
export function cartSettings({ model, synthesis }: Config, schema: TableSchema): CartSettings {
  const { minimumLeaf, complexity, predictors, smoothing, proper } = settingsOf(model, 'cart');
  return { synthesized: synthesizedVariables(synthesis.synthesized, schema), minimumLeaf, complexity, predictors, smoothing, proper };
}
