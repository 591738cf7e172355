import type { StoredTable } from '../../artifacts/stored-table.ts';
import { type Rows, rowsOf } from '../../artifacts/write-table.ts';
import { double, int32, type ResultTable, text, VARIABLES } from '../../contracts/column.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { CellGuesses } from '../../risk/cells/cell-risk.ts';
import { type MarginalVariables, marginalValues } from '../../risk/cells/subset-marginals.ts';
import { type CellOrder, cellOrder, codesOf } from '../../risk/intruder/cell-order.ts';
import { categoryText } from '../../table/category-text.ts';
import { SEPARATOR } from './risk-tables.ts';

/** The most probable cells of all combinations in order, and how cells are numbered. */
interface GuessedCells extends CellGuesses {
  readonly schema: TableSchema;
  readonly order: CellOrder;
}

/** `guesses.csv`: for each combination its most probable cells in order, with the categories of every variable. */
export const GUESSES: ResultTable<GuessedCells> = {
  file: 'guesses',
  row: 'one of the ten most probable cells of a combination (`all-cells`)',
  columns: {
    combination: int32('Number from 1.', ({ perCombination }, row) => Math.floor(row / perCombination) + 1),
    rank: int32('From 1.', ({ perCombination }, row) => (row % perCombination) + 1),
    [VARIABLES]: {
      type: 'variables',
      meaning: 'The category of each variable.',
      names: ({ schema }) => schema.variables.map(({ name }) => name),
      value: ({ schema, order, cells }, row, v) => categoryText(schema, v, codesOf(order, cells[row]!)[v]!),
    },
    probability: double('Posterior probability of the cell.', ({ probabilities }, row) => probabilities[row]!),
  },
};

/** The rows of {@link GUESSES}. */
export const guessRows = (guesses: CellGuesses, { schema, sizes }: StoredTable): Rows<GuessedCells> =>
  rowsOf(guesses.cells.length, { ...guesses, schema, order: cellOrder(sizes) });

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

/** Posterior probabilities of every value of some sets of variables, of all combinations. */
interface Marginals {
  readonly probabilities: Float64Array;
  readonly values: ReturnType<typeof valuesOf>;
}

const valueAt = ({ values }: Marginals, row: number) => values[row % values.length]!;

/**
 * `marginals.csv`: for each combination, set of variables and value the posterior probability that the record has the
 * value (Hu et al. 2014, eq. 17). A missing value is null, and `NA` beside values of other variables.
 */
export const MARGINALS: ResultTable<Marginals> = {
  file: 'marginals',
  row: 'a category, or value of a set of variables, of a combination (`all-cells`)',
  columns: {
    combination: int32('Number from 1.', ({ values }, row) => Math.floor(row / values.length) + 1),
    variable: text('The variable, or set of them.', (of, row) => valueAt(of, row).name),
    category: text('The category.', (of, row) => valueAt(of, row).category),
    probability: double('Posterior probability that the record has it.', ({ probabilities }, row) => probabilities[row]!),
  },
};

/** The rows of {@link MARGINALS}. */
export const marginalRows = (
  probabilities: Float64Array,
  { schema, sizes }: StoredTable,
  asked: readonly MarginalVariables[],
): Rows<Marginals> => rowsOf(probabilities.length, { probabilities, values: valuesOf(schema, sizes, asked) });
