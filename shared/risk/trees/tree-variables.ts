import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { categoriesOf } from '../../model/cart/growth.ts';
import { type CartSettings, predictorsOf } from '../../model/cart/synthesis.ts';
import { variablesByPlace } from '../../table/variables-by-place.ts';

/** What one tree divides records by. */
export interface TreePredictor {
  /** Its index in the table. */
  readonly variable: number;
  /** Its categories, 0 if it is continuous. */
  readonly categories: number;
}

/** The variables of the tree of one synthesized variable. */
export interface TreeVariables {
  readonly response: number;
  /** Categories of the response. */
  readonly classes: number;
  /** In the order of the table. */
  readonly predictors: readonly TreePredictor[];
}

/** Values of one record in the variables of a tree: the class of the response, and a value or code a predictor. */
export interface TreePlace {
  readonly response: number;
  readonly predictors: ArrayLike<number>;
}

/**
 * The variables of every tree, in visiting order.
 *
 * @throws UnsupportedOptionError `continuous-variable` for a synthesized variable that is continuous
 */
export function treeVariables(schema: TableSchema, settings: CartSettings): TreeVariables[] {
  const { synthesized } = settings;
  const continuous = synthesized.filter((variable) => schema.variables[variable]!.type === 'continuous');
  if (continuous.length > 0) {
    throw new UnsupportedOptionError(
      'continuous-variable',
      `exact attribute risk of trees needs categorical synthesized variables, and continuous ${continuous.length === 1 ? 'is' : 'are'} ${variablesByPlace(continuous)}`,
    );
  }
  return synthesized.map((response, place) => ({
    response,
    classes: categoriesOf(schema, response),
    predictors: predictorsOf(settings, schema.variables.length, place).map((variable) => ({
      variable,
      categories: categoriesOf(schema, variable),
    })),
  }));
}
