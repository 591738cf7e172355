import { bandOf } from '../../contracts/config/bands.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import { codesOfValues } from '../../table/distinct-rows.ts';
import type { Column } from '../../table/table.ts';
import { elementAt, type TreePlace, type TreeVariables } from './tree-variables.ts';

/** The distinct rows of some tables in the variables of one tree. */
export interface CountedRows {
  readonly count: number;
  /** How often each of them occurs. */
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
