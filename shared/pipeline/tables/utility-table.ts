import { listed, writeTable } from '../../artifacts/write-table.ts';
import { type FigureRow, figureColumns, type ResultTable } from '../../contracts/column.ts';
import type { Store } from '../../storage/store.ts';
import type { MeasuredUtility } from '../../utility/measure-utility.ts';
import { utilityRows } from '../../utility/utility-rows.ts';

/** `utility.csv`. */
export const UTILITY: ResultTable<FigureRow> = {
  file: 'utility',
  row: 'a figure',
  columns: figureColumns(
    '`table`, `propensity`, `regression`, `prediction`, `patterns` or `association`.',
    'What it is of: variables of a table, a kind of score, a formula with its coefficient.',
  ),
};

/** Stores `utility.csv` and `.parquet`: one row a figure. */
export async function writeUtilityTable(store: Store, runId: string, measured: MeasuredUtility): Promise<void> {
  await writeTable(store, runId, UTILITY, listed([...utilityRows(measured)]));
}
