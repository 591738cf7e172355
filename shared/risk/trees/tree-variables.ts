import type { CandidateBands } from '../../contracts/config/bands.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { TreePredictor } from '../../model/cart/cut.ts';
import { categoriesOf } from '../../model/cart/growth.ts';
import { type CartSettings, predictorsOf } from '../../model/cart/synthesis.ts';
import { variableNames } from '../../table/names-in-text.ts';
import type { Column, Table } from '../../table/table.ts';

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

/** A table, and what was released of it by sequential trees. */
export interface TreeRelease {
  /** The confidential table, `records` rows. */
  readonly table: Table;
  /** How its trees are grown. */
  readonly settings: CartSettings;
  /**
   * Of each dataset, its synthesized columns in visiting order, `records` rows each, of which row i goes with the kept
   * values of record i.
   */
  readonly datasets: readonly (readonly Column[])[];
  /** The bands in which continuous synthesized variables are guessed at, by their index in the table. */
  readonly bands?: ReadonlyMap<number, CandidateBands>;
}

/** All columns of each dataset. */
export function datasetColumns({ table, settings, datasets }: TreeRelease): Column[][] {
  return datasets.map((synthesized) => {
    const columns = [...table.columns];
    for (const [place, variable] of settings.synthesized.entries()) columns[variable] = synthesized[place]!;
    return columns;
  });
}

/** A code or value of a column. */
export function elementAt(column: Column, row: number): number {
  return column.type === 'categorical' ? column.codes[row]! : column.values[row]!;
}
