import type { TableSchema } from '../contracts/schema.ts';
import { cellOrder, codesOf } from '../risk/cell-order.ts';
import type { ParquetColumn } from '../table/write-parquet.ts';
import { categoryText } from './category-text.ts';
import type { CellPart } from './stored-cell-part.ts';
import type { StoredTable } from './stored-table.ts';

/**
 * The columns of `guesses.csv`: for each combination its most probable cells in order, with the categories of every
 * variable and the posterior probability.
 *
 * @param parts batches in order
 */
export function guessColumns(parts: readonly CellPart[], { schema, sizes }: StoredTable): ParquetColumn[] {
  const order = cellOrder(sizes);
  const { perCombination } = parts[0]!.guesses;
  const cells = parts.flatMap(({ guesses }) => [...guesses.cells]);
  const codes = cells.map((cell) => codesOf(order, cell));
  return [
    { name: 'combination', type: 'int32', values: cells.map((_, i) => Math.floor(i / perCombination) + 1) },
    { name: 'rank', type: 'int32', values: cells.map((_, i) => (i % perCombination) + 1) },
    ...schema.variables.map(
      ({ name }, k): ParquetColumn => ({
        name,
        type: 'string',
        values: codes.map((own) => categoryText(schema, k, own[k]!)),
      }),
    ),
    {
      name: 'probability',
      type: 'double',
      values: parts.flatMap(({ guesses }) => [...guesses.probabilities]),
    },
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
 * @param parts batches in order
 */
export function marginalColumns(parts: readonly CellPart[], { schema, sizes }: StoredTable): ParquetColumn[] {
  const categories = categoriesOf(schema, sizes);
  const probabilities = parts.flatMap(({ marginals }) => [...marginals]);
  const ofRow = (row: number) => categories[row % categories.length]!;
  return [
    {
      name: 'combination',
      type: 'int32',
      values: probabilities.map((_, row) => Math.floor(row / categories.length) + 1),
    },
    { name: 'variable', type: 'string', values: probabilities.map((_, row) => ofRow(row).name) },
    { name: 'category', type: 'string', values: probabilities.map((_, row) => ofRow(row).category) },
    { name: 'probability', type: 'double', values: probabilities },
  ];
}
