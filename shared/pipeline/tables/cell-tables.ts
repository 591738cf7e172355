import type { StoredTable } from '../../artifacts/stored-table.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { CellGuesses } from '../../risk/cells/cell-risk.ts';
import { cellOrder, codesOf } from '../../risk/intruder/cell-order.ts';
import { categoryText } from '../../table/category-text.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

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

/** Every category of every variable, as text. */
function categoriesOf(schema: TableSchema, sizes: readonly number[]) {
  return schema.variables.flatMap(({ name }, k) =>
    Array.from({ length: sizes[k]! }, (_, code) => ({ name, category: categoryText(schema, k, code) })),
  );
}

/**
 * The columns of `marginals.csv`: for each combination, variable and category the posterior probability that the
 * record has the category (000 eq. 17). A missing value is null.
 *
 * @param marginals of all combinations
 * @param from first row; `to` is past the last
 */
export function marginalColumns(
  marginals: Float64Array,
  { schema, sizes }: StoredTable,
  from: number,
  to: number,
): ParquetColumn[] {
  const categories = categoriesOf(schema, sizes);
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
