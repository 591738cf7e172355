import { bandOf, type CandidateBands } from '../../contracts/config/bands.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { TreePredictor } from '../../model/cart/cut.ts';
import { categoriesOf } from '../../model/cart/growth.ts';
import { type CartSettings, predictorsOf } from '../../model/cart/synthesis.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import { codesOfValues } from '../../table/distinct-rows.ts';
import { variableNames } from '../../table/names-in-text.ts';
import type { Column, Table } from '../../table/table.ts';

/** The variables of the tree of one synthesized variable. */
export interface TreeVariables {
  readonly response: number;
  /** Categories of the response; of a continuous one its bands. */
  readonly classes: number;
  /** Of a continuous response, where its bands begin. */
  readonly bands: CandidateBands | null;
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
  readonly table: Table;
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

/** The distinct rows of some tables in the variables of one tree. */
export interface CountedRows {
  readonly count: number;
  readonly weights: Uint32Array;
  /** The class of the response, which of a continuous one is its band. */
  readonly responses: Uint16Array;
  /** The value of a continuous response; null of a categorical one. */
  readonly values: Float64Array | null;
  /** Of each predictor, the value of each row. */
  readonly predictors: readonly (Uint16Array | Float64Array)[];
  /** The same by table; none of a single one. */
  readonly weightsOf: readonly Uint32Array[];
  /** Of each row of the tables, one table after the other, which of the distinct rows it is. */
  readonly rowOf: Uint32Array;
}

/** Values that were released from a node. */
export interface ReleasedValues {
  /** The classes of which there is any, ascending: few, where a variable has thousands of categories. */
  readonly present: readonly number[];
  /** Of each of these classes; of several datasets in all, and then by dataset. */
  readonly counts: readonly number[];
}

/**
 * Counts the distinct rows of tables in the variables of a tree, in order of first appearance.
 *
 * @param tables columns of each, all of `records` rows
 */
export function countRows(
  { response, predictors, bands }: Pick<TreeVariables, 'response' | 'predictors' | 'bands'>,
  tables: readonly (readonly Column[])[],
  records: number,
): CountedRows {
  const variables = [response, ...predictors.map(({ variable }) => variable)];
  const widths = variables.map((variable) => (tables[0]?.[variable]?.type === 'continuous' ? 4 : 1));
  const width = widths.reduce<number>((sum, one) => sum + one, 0);
  const index = new CombinationIndex(width);
  const rowOf = new Uint32Array(tables.length * records);
  const firsts: { table: number; record: number }[] = [];
  const row = new Uint16Array(width);
  for (const [table, columns] of tables.entries()) {
    const parts = variables.map((variable) => {
      const column = columns[variable]!;
      return column.type === 'categorical' ? column.codes : codesOfValues(column.values);
    });
    for (let record = 0; record < records; record++) {
      let at = 0;
      for (const [p, codes] of parts.entries()) {
        for (let c = 0; c < widths[p]!; c++) row[at++] = codes[record * widths[p]! + c]!;
      }
      const distinctRow = index.add(row, 0, 1);
      if (distinctRow === firsts.length) firsts.push({ table, record });
      rowOf[table * records + record] = distinctRow;
    }
  }
  const weightsOf = tables.length < 2 ? [] : tables.map(() => new Uint32Array(firsts.length));
  for (const [table, weights] of weightsOf.entries()) {
    for (let record = 0; record < records; record++) weights[rowOf[table * records + record]!]!++;
  }
  const valuesOf = (variable: number) => {
    const first = tables[0]?.[variable];
    if (first?.type !== 'continuous') return Uint16Array.from(firsts, readerOf(tables, variable));
    return Float64Array.from(firsts, readerOf(tables, variable));
  };
  const values = bands === null ? null : Float64Array.from(firsts, readerOf(tables, response));
  return {
    count: firsts.length,
    weights: index.combinations().counts,
    weightsOf,
    responses: values
      ? Uint16Array.from(values, (value) => bandOf(bands!.lower, value))
      : Uint16Array.from(firsts, readerOf(tables, response)),
    values,
    predictors: predictors.map(({ variable }) => valuesOf(variable)),
    rowOf,
  };
}

function readerOf(tables: readonly (readonly Column[])[], variable: number) {
  return ({ table, record }: { table: number; record: number }) => elementAt(tables[table]![variable]!, record);
}

/** The values of one of the rows. */
export function placeOf({ responses, values, predictors }: CountedRows, row: number): TreePlace {
  return {
    response: responses[row]!,
    ...(values ? { value: values[row]!, unit: row } : {}),
    predictors: predictors.map((one) => one[row]!),
  };
}
