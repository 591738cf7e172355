import type { Config } from '../../contracts/config/config.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { CartSettings } from './synthesis.ts';

/** How a run grows its trees; null for another model, which has chains. */
export function cartSettings({ model, synthesis }: Config, schema: TableSchema): CartSettings | null {
  if (model.name !== 'cart') return null;
  const { minimumLeaf, complexity, predictors, smoothing, proper } = model;
  return {
    synthesized: synthesizedVariables(synthesis.synthesized, schema),
    minimumLeaf,
    complexity,
    predictors,
    smoothing,
    proper,
  };
}
