import type { Config } from '../contracts/config.ts';
import type { TableSchema } from '../contracts/schema.ts';
import type { CartSettings } from '../model/cart-synthesis.ts';
import { synthesizedVariables } from './synthesized-variables.ts';

/** How a run grows its trees; null for another model, which has chains. */
export function cartSettings({ model, synthesis }: Config, schema: TableSchema): CartSettings | null {
  if (model.name !== 'cart') return null;
  const { minimumLeaf, complexity, predictors, smoothing } = model;
  return {
    synthesized: synthesizedVariables(synthesis.synthesized, schema),
    minimumLeaf,
    complexity,
    predictors,
    smoothing,
  };
}
