import type { CandidateBands } from '../../contracts/config/bands.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { categoriesOf } from '../../model/cart/growth.ts';
import { type CartSettings, predictorsOf } from '../../model/cart/synthesis.ts';
import { variableNames } from '../../table/names-in-text.ts';

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
  /** Categories of the response; of a continuous one its bands. */
  readonly classes: number;
  /** Of a continuous response, where its bands begin. */
  readonly bands: CandidateBands | null;
  /** In the order of the table. */
  readonly predictors: readonly TreePredictor[];
}

/** Values of one record in the variables of a tree: the class of the response, and a value or code a predictor. */
export interface TreePlace {
  readonly response: number;
  /** The value of a continuous response, whose class is its band. */
  readonly value?: number;
  /** Of a record of the table with a continuous response, its number among the distinct ones. */
  readonly unit?: number;
  readonly predictors: ArrayLike<number>;
}

/**
 * The variables of every tree, in visiting order.
 *
 * @throws UnsupportedOptionError `continuous-variable` for a synthesized variable that is continuous and has no bands
 */
export function treeVariables(
  schema: TableSchema,
  settings: CartSettings,
  bands: ReadonlyMap<number, CandidateBands> = new Map(),
): TreeVariables[] {
  const { synthesized } = settings;
  const isContinuous = (variable: number) => schema.variables[variable]!.type === 'continuous';
  const continuous = synthesized.filter((variable) => isContinuous(variable) && !bands.has(variable));
  if (continuous.length > 0) {
    throw new UnsupportedOptionError(
      'continuous-variable',
      `attribute risk of trees needs candidates of every synthesized variable, and continuous without bands ${continuous.length === 1 ? 'is' : 'are'} ${variableNames(schema, continuous)}`,
    );
  }
  return synthesized.map((response, place) => ({
    response,
    classes: isContinuous(response) ? bands.get(response)!.lower.length : categoriesOf(schema, response),
    bands: isContinuous(response) ? bands.get(response)! : null,
    predictors: predictorsOf(settings, schema.variables.length, place).map((variable) => ({
      variable,
      categories: categoriesOf(schema, variable),
    })),
  }));
}
