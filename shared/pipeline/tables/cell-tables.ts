import type { StoredTable } from '../../artifacts/stored-table.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { type MarginalVariables, marginalValues } from '../../risk/cells/asked-marginals.ts';
import type { CellGuesses } from '../../risk/cells/cell-risk.ts';
import { cellOrder, codesOf } from '../../risk/intruder/cell-order.ts';
import { categoryText } from '../../table/category-text.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';
import { SEPARATOR } from './separator.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

/**
 * The columns of `guesses.csv`: for each combination its most probable cells in order, with the categories of every
 * variable and the posterior probability.
 *
 * @param guesses of all combinations
 * @param from first row; `to` is past the last
 */
export function guessColumns(
  { perCombination, cells, probabilities }: CellGuesses,
  { schema, sizes }: StoredTable,
  from: number,
  to: number,
): ParquetColumn[] {
  const order = cellOrder(sizes);
  const rows = range(from, to);
  const codes = rows.map((row) => codesOf(order, cells[row]!));
  return [
    { name: 'combination', type: 'int32', values: rows.map((row) => Math.floor(row / perCombination) + 1) },
    { name: 'rank', type: 'int32', values: rows.map((row) => (row % perCombination) + 1) },
    ...schema.variables.map(
      ({ name }, k): ParquetColumn => ({
        name,
        type: 'string',
        values: codes.map((own) => categoryText(schema, k, own[k]!)),
      }),
    ),
    { name: 'probability', type: 'double', values: probabilities.subarray(from, to) },
  ];
}

/** Every value of every set of variables, as text. */
function valuesOf(schema: TableSchema, sizes: readonly number[], asked: readonly MarginalVariables[]) {
  return asked.flatMap((variables) => {
    const name = variables.map((k) => schema.variables[k]!.name).join(SEPARATOR);
    return Array.from({ length: marginalValues(variables, sizes) }, (_, value) => {
      let rest = value;
      const categories = variables.toReversed().map((k) => {
        const code = rest % sizes[k]!;
        rest = (rest - code) / sizes[k]!;
        return categoryText(schema, k, code);
      });
      // By itself a missing value is an empty cell, as everywhere.
      const [only] = categories;
      const joined = categories.toReversed().map((text) => text ?? 'NA');
      return { name, category: variables.length === 1 ? only! : joined.join(SEPARATOR) };
    });
  });
}

/**
 * The columns of `marginals.csv`: for each combination, set of variables and value the posterior probability that the
 * record has the value (000 eq. 17). A missing value is null, and `NA` beside values of other variables.
 *
 * @param marginals of all combinations
 * @param asked the sets of variables
 * @param from first row; `to` is past the last
 */
export function marginalColumns(
  marginals: Float64Array,
  { schema, sizes }: StoredTable,
  asked: readonly MarginalVariables[],
  from: number,
  to: number,
): ParquetColumn[] {
  const categories = valuesOf(schema, sizes, asked);
  const rows = range(from, to);
  const ofRow = (row: number) => categories[row % categories.length]!;
  return [
    {
      name: 'combination',
      type: 'int32',
      values: rows.map((row) => Math.floor(row / categories.length) + 1),
    },
    { name: 'variable', type: 'string', values: rows.map((row) => ofRow(row).name) },
    { name: 'category', type: 'string', values: rows.map((row) => ofRow(row).category) },
    { name: 'probability', type: 'double', values: marginals.subarray(from, to) },
  ];
}
